// SPDX-License-Identifier: Apache-2.0

private import HTTPWire
internal import RepriseFixtures

/// Writes a response plan for one kind of client. Pure: the same plan and client give the same script.
struct PlanSerializer: Sendable {
    /// How long the pauses of streams are.
    var pace: Pace
    /// Whether the pause before the head is played.
    var latency: Latency

    /// What a client's request says about how its response must be written.
    struct Client: Sendable, Equatable {
        /// The minor version of HTTP/1 that the client speaks.
        var minorVersion = 1
        /// The request's method was HEAD.
        var wantsHeadOnly = false
        /// The client lets the connection stay open.
        var isKeepAlive = true
        /// Lines that browsers need, in place of recorded ones of the same purpose.
        var crossOrigin: [HeaderLine] = []
    }

    /// The script that plays `plan` to `client`.
    func script(for plan: ResponsePlan, to client: Client = Client()) -> WireScript {
        var writer = ScriptWriter(client: client, framing: plan.framing)
        for step in plan.steps {
            switch step {
            case .wait(let pause):
                writer.wait(writer.hasHead ? pace.scaled(pause) : latency == .recorded ? pause.wholeNanoseconds : 0)
            case .head(let head):
                writer.head(head)
            case .bytes(let source):
                writer.chunk(source)
            case .trailers(let lines):
                writer.trailers = lines
            case .end:
                writer.end()
            case .fault(let fault):
                writer.fault(fault)
            }
        }
        return writer.script
    }
}

/// Collects the script of one response.
private struct ScriptWriter {
    let client: PlanSerializer.Client
    let framing: ResponsePlan.Framing
    var script = WireScript(steps: [], end: .keepAlive)
    var hasHead = false
    var trailers: [HeaderLine] = []

    private var closes = false
    private var hasBody: Bool { framing != .none && !client.wantsHeadOnly }
    private var isChunked: Bool { framing == .chunked && client.minorVersion > 0 }

    init(client: PlanSerializer.Client, framing: ResponsePlan.Framing) {
        self.client = client
        self.framing = framing
    }

    mutating func wait(_ nanoseconds: UInt64) {
        // Without a body there is nothing left to pace.
        guard nanoseconds > 0, !hasHead || hasBody else { return }
        script.steps.append(.wait(nanoseconds: nanoseconds))
    }

    mutating func head(_ head: ResponseHead) {
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
        closes = saysClose || !client.isKeepAlive || endsByClosing
        if closes, !saysClose {
            lines += [HeaderLine(name: "Connection", value: "close")]
        } else if client.minorVersion == 0, !closes, !lines.contains(where: { $0.hasName("connection") }) {
            lines += [HeaderLine(name: "Connection", value: "keep-alive")]
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(64 + lines.reduce(0) { $0 + $1.bytes.count + 2 })
        ResponseEncoder.appendStatusLine(status: head.status, reason: head.reason, to: &bytes)
        for line in lines { ResponseEncoder.appendFieldLine(line.bytes, to: &bytes) }
        ResponseEncoder.appendEndOfHead(to: &bytes)
        script.append(bytes)
        hasHead = true
    }

    /// Without a length or chunks, or with chunks taken off, only the end of the connection tells the end.
    private var endsByClosing: Bool {
        guard hasBody else { return false }
        return framing == .untilClose || framing == .chunked && client.minorVersion == 0
    }

    mutating func chunk(_ source: ByteSource) {
        guard hasBody, source.count > 0 else { return }
        var bytes: [UInt8] = []
        if isChunked { ChunkEncoder.appendChunkStart(size: source.count, to: &bytes) }
        switch source {
        case .bytes(let content):
            bytes += content
        case .file(let file):
            script.append(bytes)
            bytes = []
            script.steps.append(.file(file))
        }
        if isChunked { ChunkEncoder.appendChunkEnd(to: &bytes) }
        script.append(bytes)
    }

    mutating func end() {
        if hasBody, isChunked {
            var bytes: [UInt8] = []
            ChunkEncoder.appendLastChunk(trailers: trailers.map(\.bytes), to: &bytes)
            script.append(bytes)
        }
        script.end = closes ? .close : .keepAlive
    }

    mutating func fault(_ fault: ResponsePlan.Fault) {
        // A HEAD request's answer is complete with its head, however the recorded body ended.
        if hasHead, !hasBody {
            script.end = closes ? .close : .keepAlive
            return
        }
        switch fault {
        case .reset: script.end = .reset
        // With the chunks taken off, an orderly end would look complete.
        case .truncate: script.end = framing == .chunked && !isChunked ? .reset : .close
        case .stall: script.end = .stall
        }
    }
}
