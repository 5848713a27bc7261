// SPDX-License-Identifier: Apache-2.0

internal import RepriseAnswers
internal import RepriseText
private import RepriseWire

/// Serializes response plans for clients. Pure: the same plan and client produce the same bytes.
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
        /// Whether web pages from other origins may read the response.
        var isCrossOrigin = false
        /// The origin of the web page that sent the request; nil if there is none, or if it may not read the response.
        var origin: [UInt8]?

        /// The client, without a page from another origin that may read the response.
        var withoutOrigin: Client {
            var client = self
            (client.isCrossOrigin, client.origin) = (false, nil)
            return client
        }
    }

    /// Returns the response that plays `plan` to `client`.
    ///
    /// - Parameter date: The Date line to add, with CR LF; nil for a recorded response.
    func response(for plan: ResponsePlan, to client: Client = Client(), date: [UInt8]? = nil) -> EncodedResponse {
        let isDechunked = ClientFraming(client: client, framing: plan.framing).isDechunked
        return response(plan, isCrossOrigin: client.isCrossOrigin, isDated: date != nil, isDechunked: isDechunked)
            .response(for: client, date: date ?? [])
    }

    /// Returns the parts of a response that clients share.
    ///
    /// - Parameters:
    ///   - isCrossOrigin: Whether web pages from other origins may read the response.
    ///   - isDated: Whether a Date line is added.
    ///   - isDechunked: Whether chunks are removed, for clients that do not support them.
    func response(
        _ plan: ResponsePlan,
        isCrossOrigin: Bool,
        isDated: Bool,
        isDechunked: Bool = false
    ) -> PreparedResponse {
        let isChunked = plan.framing == .chunked && !isDechunked
        let steps = plan.framing == .none ? [] : steps(of: plan, isChunked: isChunked)
        return PreparedResponse(
            latency: latencyOfPlan(plan),
            informational: plan.informational.map { response in
                (latency == .recorded ? response.delay.wholeNanoseconds : 0, Self.bytes(of: response.head))
            },
            head: plan.head.map {
                HeadTemplate($0, isCrossOrigin: isCrossOrigin, isDated: isDated, isDechunked: isDechunked)
            },
            steps: steps,
            raw: plan.steps.compactMap { if case .raw(let bytes) = $0 { .bytes(bytes[...]) } else { nil } },
            files: plan.files,
            framing: plan.framing,
            ending: plan.ending
        )
    }

    /// Returns an informational head.
    static func bytes(of head: ResponseHead) -> [UInt8] {
        var bytes: [UInt8] = []
        ResponseHeadEncoder.appendStatusLine(status: head.status, reason: head.reasonBytes, to: &bytes)
        for line in head.headers { ResponseHeadEncoder.appendFieldLine(line.bytes, to: &bytes) }
        ResponseHeadEncoder.appendEndOfHead(to: &bytes)
        return bytes
    }

    private func latencyOfPlan(_ plan: ResponsePlan) -> UInt64 {
        guard latency == .recorded, case .wait(let pause)? = plan.steps.first else { return 0 }
        return pause.wholeNanoseconds
    }

    /// Returns the steps of a plan after the head.
    private func steps(of plan: ResponsePlan, isChunked: Bool) -> [EncodedResponse.Step] {
        var writer = StepWriter(isChunked: isChunked)
        var hasHead = false
        for step in plan.steps {
            switch step {
            case .wait(let pause): if hasHead { writer.wait(pace.scaled(pause)) }
            case .head: hasHead = true
            case .bytes(let source): writer.chunk(source)
            case .partialChunk(let content, let missing): writer.partialChunk(content, missing: missing)
            case .raw(let content): writer.raw(content)
            case .trailers(let lines): writer.trailers = lines
            case .end: break
            }
        }
        return writer.end(plan.ending)
    }
}

/// Writes the content of one response.
private struct StepWriter {
    let isChunked: Bool
    var trailers: [HeaderLine] = []
    private var written: [EncodedResponse.Step] = []
    /// The bytes since the last step that is not bytes. Shared with the plan as long as nothing is added to them.
    private var bytes: [UInt8] = []

    init(isChunked: Bool) {
        self.isChunked = isChunked
    }

    mutating func wait(_ nanoseconds: UInt64) {
        if nanoseconds > 0 { append(.wait(nanoseconds: nanoseconds)) }
    }

    mutating func chunk(_ source: ByteSource) {
        guard source.count > 0 else { return }
        if isChunked { ChunkEncoder.appendChunkStart(size: source.count, to: &bytes) }
        switch source {
        case .bytes(let content): append(content)
        case .file(let file): append(.file(file))
        }
        if isChunked { ChunkEncoder.appendChunkEnd(to: &bytes) }
    }

    mutating func partialChunk(_ content: [UInt8], missing: Int) {
        if isChunked { ChunkEncoder.appendChunkStart(size: content.count + missing, to: &bytes) }
        append(content)
    }

    mutating func raw(_ content: [UInt8]) { append(content) }

    /// Ends the content and returns all steps.
    consuming func end(_ ending: Ending) -> [EncodedResponse.Step] {
        if ending == .complete, isChunked {
            ChunkEncoder.appendLastChunk(trailers: trailers.map(\.bytes), to: &bytes)
        }
        if !bytes.isEmpty { written.append(.bytes(bytes[...])) }
        return written
    }

    private mutating func append(_ more: [UInt8]) {
        if bytes.isEmpty { bytes = more } else { bytes += more }
    }

    private mutating func append(_ step: EncodedResponse.Step) {
        if !bytes.isEmpty { written.append(.bytes(bytes[...])) }
        bytes = []
        written.append(step)
    }
}
