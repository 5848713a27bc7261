// SPDX-License-Identifier: Apache-2.0

// Most signatures in this module use `HTTPRequest`, `HTTPResponse`, and `HTTPFields`.
@_exported public import HTTPTypes
// The ending of a response's body.
@_exported public import enum RepriseText.Ending

#if os(Linux)
    // The certificates that a `SocketTransport` trusts.
    @_exported public import struct RepriseIO.Trust
#endif
