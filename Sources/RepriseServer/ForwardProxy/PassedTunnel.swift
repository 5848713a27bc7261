// SPDX-License-Identifier: Apache-2.0

internal import RepriseAnswers
internal import RepriseConnections
internal import RepriseIO
internal import RepriseText
internal import RepriseWire

/// Opens a connection to another server, and then passes on all bytes in both directions: for CONNECT to a host whose
/// connections are passed on, and for a WebSocket handshake, which is the last request that is read. If the server
/// refuses it, the connection ends with the answer.
final class PassedTunnel: ResponseSource {
    private let origin: Origin
    private let link: UpstreamLink
    /// Whether the client asked with CONNECT.
    private let isRaw: Bool
    let isPassed: Bool
    private var relay: TunnelRelay?

    init(to origin: Origin, over link: UpstreamLink, isRaw: Bool, isPassed: Bool) {
        (self.origin, self.link, self.isRaw, self.isPassed) = (origin, link, isRaw, isPassed)
    }

    var name: String { isRaw ? "tcp://\(origin.host):\(origin.port)" : link.address.base }
    var endsWithClient: Bool { true }

    func start(_ request: IncomingRequest, for sink: any ResponseSink) {
        let (bytes, head) = (request.bytes, request.head)
        guard !request.contentFollows else { return sink.respond(with: .tunnelWithContent) }
        var first: [UInt8] = []
        if !isRaw {
            let hops = ForwardingHops.count(in: bytes, head)
            guard hops < ForwardingHops.limit else {
                return sink.respond(with: .forwardingLoop(to: link.address.url))
            }
            link.record(bytes, head, CachedRequestTranslation(), at: .zero)?
                .discard(
                    because: "mockserver passes on WebSocket connections, but does not record them yet",
                    isUnanswered: false
                )
            first = Self.handshake(bytes, head, hops: hops + 1)
        }
        let relay = TunnelRelay(to: origin, sending: first)
        self.relay = relay
        relay.connect(over: link.pool, secured: origin.isSecure && !isRaw) { failure in
            if let failure { return sink.respond(with: .noResponse(failure)) }
            if self.isRaw { sink.begin(.tunnel, framing: .none) }
            self.relay = nil
            sink.end(status: relay.status) { relay.session(on: $0) }
        }
    }

    /// Returns the head of a WebSocket handshake as it is sent to the origin: in origin-form, otherwise unchanged.
    private static func handshake(_ bytes: Span<UInt8>, _ head: RequestHead, hops: Int) -> [UInt8] {
        var text: [UInt8] = []
        text.append(bytes: bytes.extracting(head.method))
        text += head.path.isEmpty ? " /".utf8 : " ".utf8
        text.append(bytes: bytes.extracting(head.path.lowerBound..<head.target.upperBound))
        text += " HTTP/1.1\r\n".utf8
        for field in head.fields
        where !["reprise-session", "reprise-hops"].contains(where: { FieldName.matches(field.name, of: bytes, $0) }) {
            text.append(bytes: bytes.extracting(field.line))
            text += "\r\n".utf8
        }
        text += "\(ForwardingHops.name): \(hops)\r\n\r\n".utf8
        return text
    }

    func abandon() {
        relay?.end()
        relay = nil
    }
}
