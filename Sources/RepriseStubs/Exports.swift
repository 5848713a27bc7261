// SPDX-License-Identifier: Apache-2.0

@_exported public import struct RepriseDocuments.JSONNumber
@_exported public import enum RepriseDocuments.JSONSchemaVersion
@_exported public import enum RepriseDocuments.JSONTree
// Types that the API of stubs uses, so that one import is enough.
@_exported public import struct RepriseText.Bend
@_exported public import struct RepriseText.FilePosition
