// SPDX-License-Identifier: Apache-2.0

@_exported public import enum RepriseDocuments.JSONTree
// Types that the API of this module uses, so that one import is enough.
@_exported public import struct RepriseStubs.StubDelay
@_exported public import struct RepriseStubs.StubMapping
@_exported public import struct RepriseStubs.StubRequest
