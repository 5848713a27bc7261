// SPDX-License-Identifier: Apache-2.0

internal import RepriseWire

/// What a connection has to know of a request to send its body and to understand the answer.
struct RequestTraits: Sendable, Equatable {
    /// As far as the method decides where the response ends.
    var kind = ResponseParser.RequestKind.other
    /// How the end of the request's body is told.
    var framing = BodyFraming.none
    /// Whether the body waits for `100 Continue` (RFC 9110 section 10.1.1).
    var awaitsContinue = false
    /// Whether the request lets the connection live on.
    var isKeepAlive = true
    /// Whether 101 may be the answer.
    var asksForUpgrade = false
    /// Whether sending it twice has the effect of sending it once (RFC 9110 section 9.2.2).
    var isIdempotent = true

    /// Whether sending a request of that method twice has the effect of sending it once (RFC 9110 section 9.2.2).
    static func isIdempotent(_ method: String) -> Bool {
        switch method {
        case "GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE": true
        default: false
        }
    }
}
