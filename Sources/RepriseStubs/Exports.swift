// SPDX-License-Identifier: Apache-2.0

// Types that the API of stubs uses, so that one import is enough.
@_exported public import struct RepriseText.Bend
@_exported public import struct RepriseText.FilePosition
@_exported public import struct RepriseText.JSONNumber
@_exported public import enum RepriseText.JSONTree
