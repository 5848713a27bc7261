// SPDX-License-Identifier: Apache-2.0

internal import RepriseIO
internal import RepriseWire

extension ClientConnection {
    /// Asks a proxy for a tunnel (RFC 9110 section 9.3.6).
    func openTunnel(to origin: Origin, through proxy: Proxy) {
        stage = .tunnelling
        do throws(ConnectionError) {
            output.add(try TunnelRequest.encode(to: origin, through: proxy))
        } catch {
            return close(error)
        }
        machine.begin(RequestTraits(kind: .connect))
        sending = RequestInTransit(isQueued: true)
        flush()
    }

    /// Reads what the proxy says to that.
    func readTunnel(_ input: Span<UInt8>) {
        var offset = 0
        while stage == .tunnelling {
            switch machine.receive(input, from: offset) {
            case .interim(_, let consumed): offset = consumed
            case .head(let head, let consumed) where 200..<300 ~= head.status:
                guard consumed == input.count else {
                    return fail(.proxy(status: head.status), "the proxy sent something before the tunnel was used")
                }
                machine = ClientConnectionStateMachine(configuration: pool.shard.configuration)
                return secure()
            case .head(let head, _): return refuse(head)
            case .failed(.malformed(let error)):
                return fail(.proxy(status: nil), "the proxy's answer is no HTTP/1.1 response: \(error.reason)")
            case .failed: return fail(.proxy(status: nil), "the proxy's answer is none to CONNECT")
            case .needsMore, .content, .complete: return
            }
        }
    }

    private func refuse(_ head: IncomingHead) {
        let status = String(decoding: head.statusText, as: UTF8.self)
        let advice =
            head.status == 407
            ? "; it wants credentials, or others: give them in the proxy's URL, http://user:password@host" : ""
        fail(.proxy(status: head.status), "the proxy opened no tunnel: \(status)\(advice)")
    }
}

/// What opens a tunnel.
enum TunnelRequest {
    /// The bytes of a CONNECT request.
    ///
    /// - Throws: ``ConnectionError/Kind/invalidRequest`` if host or credentials hold what cannot be written.
    static func encode(to origin: Origin, through proxy: Proxy) throws(ConnectionError) -> [UInt8] {
        let authority = origin.authorityWithPort
        var bytes: [UInt8] = []
        RequestHeadEncoder.appendRequestLine(method: "CONNECT", target: authority, to: &bytes)
        RequestHeadEncoder.appendField(name: "Host", value: authority, to: &bytes)
        if let authorization = proxy.authorization {
            RequestHeadEncoder.appendField(name: "Proxy-Authorization", value: authorization, to: &bytes)
        }
        RequestHeadEncoder.appendEndOfHead(to: &bytes)
        // As RequestCheck does it: nothing must have slipped in.
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
