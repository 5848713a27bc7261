// SPDX-License-Identifier: Apache-2.0

// What users of the admin API's shapes name.
@_exported public import struct RepriseStubs.StubDelay
@_exported public import struct RepriseStubs.StubMapping
@_exported public import struct RepriseStubs.StubRequest
@_exported public import enum RepriseText.JSONTree
