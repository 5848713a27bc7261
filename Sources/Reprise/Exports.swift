// SPDX-License-Identifier: Apache-2.0

// `HTTPRequest`, `HTTPResponse` and `HTTPFields` are in most signatures here.
@_exported public import HTTPTypes
