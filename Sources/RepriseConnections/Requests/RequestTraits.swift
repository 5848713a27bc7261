// SPDX-License-Identifier: Apache-2.0

internal import RepriseWire

/// The properties of a request that a connection needs to send its body and to interpret the response.
struct RequestTraits: Sendable, Equatable {
    /// The kind of request, as far as it determines where the response ends.
    var kind = ResponseParser.RequestKind.other
    /// How the request's body is delimited.
    var framing = BodyFraming.none
    /// Whether the body waits for `100 Continue` (RFC 9110 section 10.1.1).
    var awaitsContinue = false
    /// Whether the request allows the connection to be reused.
    var isKeepAlive = true
    /// Whether the request asks for an upgrade, so that 101 is a valid response.
    var asksForUpgrade = false
    /// Whether sending the request twice has the same effect as sending it once (RFC 9110 section 9.2.2).
    var isIdempotent = true
    /// Whether the request is sent again over another connection if the server closes an idle one that it was sent
    /// over.
    var isRepeatable = true

    /// Whether sending a request with the given method twice has the same effect as sending it once (RFC 9110 section
    /// 9.2.2).
    static func isIdempotent(_ method: String) -> Bool {
        switch method {
        case "GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE": true
        default: false
        }
    }
}
