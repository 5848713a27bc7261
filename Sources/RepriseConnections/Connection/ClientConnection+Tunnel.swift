// SPDX-License-Identifier: Apache-2.0

internal import RepriseIO
internal import RepriseText
internal import RepriseWire

extension ClientConnection {
    /// Asks a proxy for a tunnel (RFC 9110 section 9.3.6).
    func openTunnel(to origin: Origin, through proxy: Proxy) {
        stage = .tunneling
        do throws(ConnectionError) {
            pending?.tunnel = Tunnel(try TunnelRequest.encode(to: origin, through: proxy), pool.shard.configuration)
        } catch {
            return close(error)
        }
        sendTunnelRequest()
    }

    /// Sends as much of the request as the socket takes. If that fails, reading reports why.
    func sendTunnelRequest() {
        if let socket { pending?.tunnel?.send(over: socket) }
    }

    /// Reads the proxy's response to CONNECT.
    func readTunnel(_ input: Span<UInt8>) {
        var offset = 0
        while stage == .tunneling, let tunnel = pending?.tunnel {
            switch tunnel.machine.receive(input, from: offset) {
            case .interim(_, let consumed): offset = consumed
            case .head(let head, let consumed) where 200..<300 ~= head.status:
                let (rest, socket) = ([UInt8](bytes: input.extracting(consumed..<input.count)), socket)
                // Without TLS, the other end may speak first.
                guard rest.isEmpty || pool.route.secureOrigin == nil else {
                    return fail(.proxy(status: head.status), "the proxy sent bytes before the tunnel was used")
                }
                secure()
                if !rest.isEmpty, let socket { socket.handler?.socket(socket, received: rest.span) }
                return
            case .head(let head, _): return refuse(head)
            case .failed(.malformed(let error)):
                return fail(.proxy(status: nil), "the proxy's response is not valid HTTP/1.1: \(error.reason)")
            case .failed: return fail(.proxy(status: nil), "the proxy's response is not a valid response to CONNECT")
            case .needsMore, .content, .complete: return
            }
        }
    }

    private func refuse(_ head: IncomingHead) {
        let status = String(decoding: head.statusText, as: UTF8.self)
        let advice =
            head.status == 407
            ? "; add valid credentials to the proxy's URL: http://user:password@host" : ""
        fail(.proxy(status: head.status), "the proxy did not open a tunnel: \(status)\(advice)")
    }
}

/// A request for a tunnel and the response to it.
final class Tunnel {
    @safe @exclusivity(unchecked) fileprivate var machine: ClientConnectionStateMachine
    @safe @exclusivity(unchecked) private var output = OutputQueue()

    fileprivate init(_ request: [UInt8], _ configuration: ConnectionPool.Configuration) {
        machine = ClientConnectionStateMachine(configuration: configuration)
        machine.begin(RequestTraits(kind: .connect))
        output.add(request)
    }

    fileprivate func send(over socket: Socket) {
        var hasBegun = false
        _ = try? output.send(over: socket, hasBegun: &hasBegun)
    }
}

enum TunnelRequest {
    /// Returns the bytes of a CONNECT request.
    ///
    /// - Throws: ``ConnectionError/Kind/invalidRequest`` if the host or the credentials contain characters that are
    ///   invalid in a request.
    static func encode(to origin: Origin, through proxy: Proxy) throws(ConnectionError) -> [UInt8] {
        let authority = origin.authorityWithPort
        var bytes: [UInt8] = []
        RequestHeadEncoder.appendRequestLine(method: "CONNECT", target: authority, to: &bytes)
        RequestHeadEncoder.appendField(name: "Host", value: authority, to: &bytes)
        if let authorization = proxy.authorization {
            RequestHeadEncoder.appendField(name: "Proxy-Authorization", value: authorization, to: &bytes)
        }
        RequestHeadEncoder.appendEndOfHead(to: &bytes)
        // As in RequestCheck: parse the request to make sure that nothing was injected.
        var parser = RequestParser(limits: RequestCheck.limits)
        let input = bytes[...]
        let isParsed = (try? parser.parseHead(input.span)) ?? false
        guard isParsed, parser.head.length == bytes.count,
            parser.head.fields.count == (proxy.authorization == nil ? 1 : 2)
        else {
            throw ConnectionError(
                .invalidRequest,
                "the host \(origin.host.debugDescription) or the credentials for "
                    + "the proxy \(proxy.origin) cannot be written in a request"
            )
        }
        return bytes
    }
}
