// SPDX-License-Identifier: Apache-2.0

internal import RepriseAnswers
internal import RepriseConnections
internal import RepriseIO
internal import RepriseText
internal import RepriseWire

/// Opens a tunnel that ends at this server (RFC 9110 section 9.3.6). Its requests are journaled, but the tunnel is not.
final class InterceptedTunnel: ResponseSource {
    let name = "mockserver"
    let isAdministrative = true
    private let origin: Origin
    private let proxy: LoopProxy

    init(to origin: Origin, through proxy: LoopProxy) {
        (self.origin, self.proxy) = (origin, proxy)
    }

    func start(_ request: IncomingRequest, for sink: any ResponseSink) {
        guard !request.contentFollows else { return sink.respond(with: .tunnelWithContent) }
        let context: TLSContext
        do throws(TLSError) { context = try proxy.settings.certificates.context(for: origin.host) } catch {
            return sink.respond(with: .notForwarded("mockserver has no certificate for \(origin.host): \(error)"))
        }
        let origin = origin
        sink.begin(.tunnel, framing: .none)
        sink.end { TunnelStart(on: $0, to: origin, presenting: context) }
    }
}

extension ResponseHead {
    /// The answer to a client whose tunnel is open.
    static let tunnel = ResponseHead(status: 200, reason: "Connection established", headers: [])
}

extension ServerResponse {
    static let tunnelWithContent = refusal(
        status: 400,
        because: "expected CONNECT or a WebSocket handshake without a body, found one"
    )
}

/// The start of a tunnel, where the client's first bytes decide which protocol is spoken in it.
private final class TunnelStart: ConnectionSession {
    private let connection: Connection
    private let origin: Origin
    private let context: TLSContext
    private(set) var deadline: MonotonicTime?

    init(on connection: Connection, to origin: Origin, presenting context: TLSContext) {
        (self.connection, self.origin, self.context) = (connection, origin, context)
    }

    func start() {
        let worker = connection.worker
        deadline = worker.loop.now().advanced(byNanoseconds: worker.timeouts.idle)
    }

    func receive(_ bytes: Span<UInt8>) {
        var origin = origin
        switch bytes[0] {
        case 0x16:
            // A record of the TLS handshake (RFC 8446 section 5.1).
            connection.tunnel = origin
            connection.secure(context, received: [UInt8](bytes: bytes))
        case _ where Self.isStartOfRequest(bytes):
            origin.isSecure = false
            connection.tunnel = origin
            connection.worker.tunnels.opened(origin)
            connection.handOver(to: connection.worker.makeSession(connection, nil), unread: bytes)
        default:
            refuse()
        }
    }

    /// Whether bytes can be the start of an HTTP request. The greeting of SSH has digits and periods.
    private static func isStartOfRequest(_ bytes: Span<UInt8>) -> Bool {
        for index in bytes.indices {
            switch bytes[index] {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "-"): continue
            case 0x20: return index > 0
            default: return false
            }
        }
        return true
    }

    private func refuse(isIdle: Bool = false) {
        connection.worker.reportTunnel(to: origin, isIdle: isIdle)
        connection.close()
    }

    func deadlinePassed() { refuse(isIdle: true) }
    func peerFinished() { connection.close() }
    func becameWritable() {}
    func stop() { connection.close() }
    func end() { deadline = nil }
}
