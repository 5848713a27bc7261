// SPDX-License-Identifier: Apache-2.0

internal import RepriseAnswers
internal import RepriseText
private import RepriseWire

/// How one response is framed for one client. Pure, and used for both replayed and forwarded responses, so that a
/// client cannot tell them apart.
struct ClientFraming {
    let client: PlanSerializer.Client
    let framing: ResponsePlan.Framing

    /// Whether content is sent.
    var hasBody: Bool { framing != .none && !client.wantsHeadOnly }
    /// Whether content is sent in chunks.
    var isChunked: Bool { framing == .chunked && client.minorVersion > 0 }

    /// Returns the head that the client receives, and whether the connection closes after the response.
    func head(_ head: ResponseHead) -> (bytes: [UInt8], closes: Bool) {
        var lines = head.headers
        if !client.crossOrigin.isEmpty {
            lines.removeAll { CrossOrigin.replaces($0) }
            let variesByOrigin = lines.contains { $0.hasName("vary") && $0.lists("origin") }
            lines += client.crossOrigin.filter { !variesByOrigin || !$0.hasName("vary") }
        }
        if client.minorVersion == 0, framing == .chunked {
            // No transfer coding for a client that does not support HTTP/1.1 (RFC 9112 section 6.1).
            lines.removeAll { $0.hasName("transfer-encoding") || $0.hasName("trailer") }
        }
        let hasConnectionClose = lines.contains { $0.hasName("connection") && $0.lists("close") }
        let closes = hasConnectionClose || !client.isKeepAlive || endsByClosing
        if closes, !hasConnectionClose {
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

    /// Whether only closing the connection marks the end of the content: it has neither a length nor chunks, or the
    /// chunks were removed for the client.
    private var endsByClosing: Bool {
        guard hasBody else { return false }
        return framing == .untilClose || framing == .chunked && client.minorVersion == 0
    }

    /// Returns what happens to the connection after a response with this ending.
    ///
    /// - Parameter closes: Whether the connection closes after a complete response.
    func end(after ending: Ending, closes: Bool) -> WireScript.End {
        switch ending {
        case .complete: closes ? .close : .keepAlive
        // With the chunks removed, an orderly close would make the body look complete.
        case .truncated: framing == .chunked && !isChunked ? .reset : .close
        case .reset: .reset
        case .timedOut: .stall
        }
    }
}
