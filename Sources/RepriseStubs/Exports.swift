// SPDX-License-Identifier: Apache-2.0

// What users of stubs name.
@_exported public import struct RepriseText.FilePosition
@_exported public import struct RepriseText.JSONNumber
@_exported public import enum RepriseText.JSONTree
