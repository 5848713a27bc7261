// SPDX-License-Identifier: Apache-2.0

internal import RepriseAnswers
internal import RepriseText
private import RepriseWire

/// How one response is framed for one client. Pure; the same for what is replayed and for what is passed on, so that a
/// client cannot tell one from the other.
struct ClientFraming {
    let client: PlanSerializer.Client
    let framing: ResponsePlan.Framing

    /// Whether content goes out.
    var hasBody: Bool { framing != .none && !client.wantsHeadOnly }
    /// Whether content goes out in chunks.
    var isChunked: Bool { framing == .chunked && client.minorVersion > 0 }

    /// The head as the client gets it, and whether the connection closes after the response.
    func head(_ head: ResponseHead) -> (bytes: [UInt8], closes: Bool) {
        var lines = head.headers
        if !client.crossOrigin.isEmpty {
            lines.removeAll { CrossOrigin.replaces($0) }
            let variesAlready = lines.contains { $0.hasName("vary") && $0.lists("origin") }
            lines += client.crossOrigin.filter { !variesAlready || !$0.hasName("vary") }
        }
        if client.minorVersion == 0, framing == .chunked {
            // RFC 9112 section 6.1: no transfer coding for a client that does not speak HTTP/1.1.
            lines.removeAll { $0.hasName("transfer-encoding") || $0.hasName("trailer") }
        }
        let saysClose = lines.contains { $0.hasName("connection") && $0.lists("close") }
        let closes = saysClose || !client.isKeepAlive || endsByClosing
        if closes, !saysClose {
            lines += [HeaderLine(name: "Connection", value: "close")]
        } else if client.minorVersion == 0, !closes, !lines.contains(where: { $0.hasName("connection") }) {
            lines += [HeaderLine(name: "Connection", value: "keep-alive")]
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(64 + lines.reduce(0) { $0 + $1.bytes.count + 2 })
        ResponseHeadEncoder.appendStatusLine(status: head.status, reason: head.reasonBytes, to: &bytes)
        for line in lines { ResponseHeadEncoder.appendFieldLine(line.bytes, to: &bytes) }
        ResponseHeadEncoder.appendEndOfHead(to: &bytes)
        return (bytes, closes)
    }

    /// Without a length or chunks, or with chunks taken off, only the end of the connection tells the end.
    private var endsByClosing: Bool {
        guard hasBody else { return false }
        return framing == .untilClose || framing == .chunked && client.minorVersion == 0
    }

    /// What becomes of the connection after a response that ended so.
    ///
    /// - Parameter closes: whether it closes after a complete one.
    func end(after ending: Ending, closes: Bool) -> WireScript.End {
        switch ending {
        case .complete: closes ? .close : .keepAlive
        // With the chunks taken off, an orderly end would look complete.
        case .truncated: framing == .chunked && !isChunked ? .reset : .close
        case .reset: .reset
        case .timedOut: .stall
        }
    }
}
