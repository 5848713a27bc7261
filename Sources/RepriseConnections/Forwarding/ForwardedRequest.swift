// SPDX-License-Identifier: Apache-2.0

internal import RepriseWire

/// A request with an encoded head, for servers that forward the requests they receive.
public struct ForwardedRequest: Sendable {
    /// The origin to send the request to.
    public let origin: Origin
    /// Whether a body follows the head.
    public var hasBody: Bool { if case .none = encoded.body { false } else { true } }
    /// Whether the request may be sent twice (RFC 9110 section 9.2.2).
    public var isIdempotent: Bool { encoded.traits.isIdempotent }

    /// The maximum length of a body that is kept for sending the request again.
    public static let repeatableBody = 64 << 10

    let encoded: EncodedRequest

    /// Creates a request from an encoded head.
    ///
    /// - Parameters:
    ///   - head: The request line, the field lines and the blank line. The body, if any, is sent piece by piece with
    ///     the framing that the fields specify.
    ///   - origin: The origin to send the request to.
    /// - Throws: ``ConnectionError/Kind/invalidRequest`` if a strict server would reject the head or read more than
    ///   one request from it (RFC 9112 section 11.2).
    public init(head: [UInt8], at origin: Origin) throws(ConnectionError) {
        self.origin = origin
        encoded = try EncodedRequest(head: head, at: origin)
    }
}

extension EncodedRequest {
    fileprivate init(head bytes: [UInt8], at origin: Origin) throws(ConnectionError) {
        let head = try Self.parse(bytes, origin)
        let method = String(decoding: bytes[head.method], as: UTF8.self)
        let isBodiless = head.body == .none || head.body == .length(0)
        let isIdempotent = RequestTraits.isIdempotent(method)
        var isKept = isBodiless
        if case .length(let length) = head.body { isKept = length <= ForwardedRequest.repeatableBody }
        self.init(
            bytes: bytes,
            body: isBodiless ? .none : .stream(length: nil) { nil },
            traits: RequestTraits(
                kind: ResponseParser.RequestKind(method: method),
                framing: head.body,
                awaitsContinue: head.expectsContinue,
                isIdempotent: isIdempotent,
                isRepeatable: isIdempotent && isKept
            )
        )
    }

    private static func parse(_ bytes: [UInt8], _ origin: Origin) throws(ConnectionError) -> RequestHead {
        var parser = RequestParser(limits: RequestCheck.limits)
        let input = bytes[...]
        let isComplete: Bool
        do throws(ParsingError) {
            isComplete = try parser.parseHead(input.span)
        } catch {
            throw invalid(origin, error.reason)
        }
        guard isComplete, parser.head.length == bytes.count else {
            throw invalid(origin, "its head is incomplete, or other bytes follow it")
        }
        return parser.head
    }

    private static func invalid(_ origin: Origin, _ reason: String) -> ConnectionError {
        ConnectionError(.invalidRequest, "the request to \(origin) was not sent: \(reason)")
    }
}
