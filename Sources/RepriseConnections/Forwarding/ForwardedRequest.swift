// SPDX-License-Identifier: Apache-2.0

internal import RepriseWire

/// A request with a complete head, for servers that forward the requests they receive.
public struct ForwardedRequest: Sendable {
    /// The origin to send the request to.
    public let origin: Origin
    /// Whether the request may be sent twice (RFC 9110 section 9.2.2).
    public var isIdempotent: Bool { encoded.traits.isIdempotent }

    /// The maximum length of a body that is kept for sending the request again.
    public static let repeatableBody = 64 << 10

    let encoded: EncodedRequest

    /// Creates a request. The body, if any, is sent piece by piece with the framing of the head.
    public init(_ head: OutgoingHead, at origin: Origin) {
        self.origin = origin
        encoded = EncodedRequest(head)
    }
}

extension EncodedRequest {
    fileprivate init(_ head: OutgoingHead) {
        var head = head
        head.end()
        let method = String(decoding: head.method, as: UTF8.self)
        let isBodiless = head.framing == .none || head.framing == .length(0)
        let isIdempotent = RequestTraits.isIdempotent(method)
        var isKept = isBodiless
        if case .length(let length) = head.framing { isKept = length <= ForwardedRequest.repeatableBody }
        self.init(
            head: head,
            body: isBodiless ? .none : .stream(length: nil) { nil },
            traits: RequestTraits(
                kind: ResponseParser.RequestKind(method: method),
                framing: head.framing,
                awaitsContinue: head.awaitsContinue,
                isIdempotent: isIdempotent,
                isRepeatable: isIdempotent && isKept
            )
        )
    }
}
