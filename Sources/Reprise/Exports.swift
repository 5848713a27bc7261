// SPDX-License-Identifier: Apache-2.0

// `HTTPRequest`, `HTTPResponse` and `HTTPFields` are in most signatures here.
@_exported public import HTTPTypes
// How the body of a response ended.
@_exported public import enum RepriseText.Ending

#if os(Linux)
    // Which certificates a `SocketTransport` trusts.
    @_exported public import enum RepriseIO.Trust
#endif
