// SPDX-License-Identifier: Apache-2.0

internal import RepriseAnswers
internal import RepriseText
private import RepriseWire

/// Serializes a response plan for one kind of client. Pure: the same plan and client produce the same script.
struct PlanSerializer: Sendable {
    /// How fast recorded time passes in streams.
    var pace: Pace
    /// Whether to play the pause before the head.
    var latency: Latency

    /// How a response must be written, according to the client's request.
    struct Client: Sendable, Equatable {
        /// The minor version of HTTP/1 that the client supports.
        var minorVersion = 1
        /// Whether the request's method is HEAD.
        var wantsHeadOnly = false
        /// Whether the client lets the connection stay open.
        var isKeepAlive = true
        /// Header lines that browsers need. They replace recorded lines with the same purpose.
        var crossOrigin: [HeaderLine] = []
    }

    /// Returns the script that plays `plan` to `client`.
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
            case .partialChunk(let content, let missing):
                writer.partialChunk(content, missing: missing)
            case .trailers(let lines):
                writer.trailers = lines
            case .end(let ending):
                writer.end(ending)
            }
        }
        return writer.script
    }
}

/// Builds the script of one response.
private struct ScriptWriter {
    private let framing: ClientFraming
    var script = WireScript(steps: [], end: .keepAlive)
    var hasHead = false
    var trailers: [HeaderLine] = []

    private var closes = false

    init(client: PlanSerializer.Client, framing: ResponsePlan.Framing) {
        self.framing = ClientFraming(client: client, framing: framing)
    }

    mutating func wait(_ nanoseconds: UInt64) {
        // Without a body, there is nothing left to pace.
        guard nanoseconds > 0, !hasHead || framing.hasBody else { return }
        script.steps.append(.wait(nanoseconds: nanoseconds))
    }

    mutating func head(_ head: ResponseHead) {
        let (bytes, closes) = framing.head(head)
        self.closes = closes
        script.append(bytes)
        hasHead = true
    }

    mutating func chunk(_ source: ByteSource) {
        guard framing.hasBody, source.count > 0 else { return }
        var bytes: [UInt8] = []
        if framing.isChunked { ChunkEncoder.appendChunkStart(size: source.count, to: &bytes) }
        switch source {
        case .bytes(let content):
            bytes += content
        case .file(let file):
            script.append(bytes)
            bytes = []
            script.steps.append(.file(file))
        }
        if framing.isChunked { ChunkEncoder.appendChunkEnd(to: &bytes) }
        script.append(bytes)
    }

    mutating func partialChunk(_ content: [UInt8], missing: Int) {
        guard framing.hasBody else { return }
        var bytes: [UInt8] = []
        if framing.isChunked { ChunkEncoder.appendChunkStart(size: content.count + missing, to: &bytes) }
        script.append(bytes + content)
    }

    mutating func end(_ ending: Ending) {
        if ending == .complete, framing.hasBody, framing.isChunked {
            var bytes: [UInt8] = []
            ChunkEncoder.appendLastChunk(trailers: trailers.map(\.bytes), to: &bytes)
            script.append(bytes)
        }
        // The answer to a HEAD request is complete with its head, regardless of how the recorded body ended.
        let isComplete = hasHead && !framing.hasBody
        script.end = framing.end(after: isComplete ? .complete : ending, closes: closes)
    }
}
