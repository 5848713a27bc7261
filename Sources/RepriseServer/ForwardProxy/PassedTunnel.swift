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
    private let proxy: LoopProxy
    /// The link that would record the request; nil for CONNECT.
    private let link: UpstreamLink?
    private var relay: TunnelRelay?

    init(to origin: Origin, through proxy: LoopProxy, link: UpstreamLink? = nil) {
        (self.origin, self.proxy, self.link) = (origin, proxy, link)
    }

    var name: String { link?.address.base ?? "\(LoopMetrics.Result.passedPrefix)\(origin.host):\(origin.port)" }
    var endsWithClient: Bool { true }

    func start(_ request: IncomingRequest, for sink: any ResponseSink) {
        let (bytes, head) = (request.bytes, request.head)
        guard !request.contentFollows else { return sink.respond(with: .tunnelWithContent) }
        var first: [UInt8] = []
        var context: TLSContext?
        if let link {
            let hops = ForwardingHops.count(in: bytes, head)
            guard hops < ForwardingHops.limit else {
                return sink.respond(with: .forwardingLoop(to: link.address.url))
            }
            link.record(bytes, head, CachedRequestTranslation(), at: .zero)?
                .discard(because: "mockserver passes on WebSocket connections, but does not record them yet")
            first = Self.handshake(bytes, head, hops: hops + 1)
            do throws(TLSError) { if origin.isSecure { context = try proxy.tlsContext() } } catch {
                return sink.respond(with: .noResponse("\(error)"))
            }
        }
        let relay = TunnelRelay(to: origin, through: proxy, sending: first)
        self.relay = relay
        relay.connect(context) { failure in
            if let failure { return sink.respond(with: .noResponse(failure)) }
            if self.link == nil { sink.begin(.tunnel, framing: .none) }
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
