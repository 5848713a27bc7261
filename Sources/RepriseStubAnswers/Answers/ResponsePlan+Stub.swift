// SPDX-License-Identifier: Apache-2.0

internal import RepriseAnswers
package import RepriseStubs
package import RepriseText

extension ResponsePlan {
    /// Creates the plan of a stub's answer.
    ///
    /// The header lines are those of the stub, in their order, followed by a Content-Length or by chunked framing
    /// unless the stub gives one, and by the stub's identity.
    ///
    /// - Parameters:
    ///   - response: The answer.
    ///   - headers: Its header fields, rendered.
    ///   - body: Its content, rendered.
    ///   - identity: The lines that name the stub.
    init(
        stub response: StubResponse,
        headers: [HeaderLine],
        body: ByteSource,
        identity: [HeaderLine]
    ) {
        if let fault = response.fault {
            self.init(fault)
            return
        }
        var lines = headers
        let status = response.status
        guard Framing.allowsContent(method: "GET", status: status) else {
            let head = ResponseHead(status: status, reason: response.reasonPhrase, headers: lines + identity)
            self.init(steps: [.head(head), .end(response.then?.ending ?? .complete)], framing: .none)
            return
        }
        // Never both: a client may refuse such a response (RFC 9112 section 6.2).
        if lines.contains(where: { $0.hasName("Transfer-Encoding") }) {
            lines.removeAll { $0.hasName("Content-Length") }
        }
        let isGiven = lines.contains { $0.hasName("Content-Length") || $0.hasName("Transfer-Encoding") }
        if !isGiven {
            let line = response.isStreamed ? "Transfer-Encoding: chunked" : "Content-Length: \(body.count)"
            if let line = HeaderLine(line) { lines.append(line) }
        }
        let framing = Framing(method: "GET", status: status, headers: lines)
        var steps = StepList()
        let head = ResponseHead(status: status, reason: response.reasonPhrase, headers: lines + identity)
        steps.append(.head(head))
        var ending = steps.append(response, body: body)
        if ending == .complete, framing == .contentLength, case let length = lines.contentLength, length != body.count {
            // As on a connection: no more bytes than announced are sent, and missing bytes never arrive.
            if body.count > length { steps.cut(to: length) } else { ending = .truncated }
        }
        if ending != .complete, framing == .chunked { steps.breakLastChunk(missing: 1) }
        steps.append(.end(ending))
        self.init(steps: steps.steps, framing: framing)
    }

    private init(_ fault: StubResponse.Fault) {
        switch fault {
        case .emptyResponse:
            self.init(steps: [.end(.truncated)], framing: .none)
            failure = .connectionLost
        case .connectionReset:
            self.init(steps: [.end(.reset)], framing: .none)
            failure = .connectionLost
        case .malformedResponseChunk:
            let line = HeaderLine(name: "Transfer-Encoding", value: "chunked")
            let head = ResponseHead(status: 200, reason: "OK", headers: [line])
            self.init(steps: [.head(head), .raw(Self.garbage), .end(.truncated)], framing: .chunked)
        case .randomDataThenClose:
            self.init(steps: [.raw(Self.garbage), .end(.truncated)], framing: .untilClose)
        }
    }

    /// Bytes that are neither a status line nor a chunk.
    private static let garbage = Array("lskdu018973t09sylgasjkfg1][]'./.sdlv".utf8)

    /// Creates the answer of a stub that cannot answer as its mapping says: status 500, and the reason as text.
    init(stubFailure reason: String, identity: [HeaderLine]) {
        let body = Array((reason + "\n").utf8)
        var lines = [
            HeaderLine(name: "Content-Type", value: "text/plain; charset=utf-8"),
            HeaderLine(name: "Content-Length", value: String(body.count)),
        ]
        lines += identity
        let head = ResponseHead(status: 500, reason: ReasonPhrase.standard(for: 500), headers: lines)
        self.init(steps: [.head(head), .bytes(.bytes(body)), .end(.complete)], framing: .contentLength)
    }
}

extension StubResponse {
    /// The reason phrase in one line.
    fileprivate var reasonPhrase: String {
        guard let reason else { return ReasonPhrase.standard(for: status) }
        let scalars = reason.unicodeScalars.map { "\r\n\0".unicodeScalars.contains($0) ? " " : $0 }
        return String(String.UnicodeScalarView(scalars))
    }

    /// Whether the content is sent in chunks.
    fileprivate var isStreamed: Bool {
        if stream != nil || dribble != nil { return true }
        switch then {
        case .reset?, .truncate?, .stall?: return true
        case .bytesPerSecond?, nil: return false
        }
    }
}

extension StubResponse.Outcome {
    /// How the answer ends.
    fileprivate var ending: Ending {
        switch self {
        case .reset: .reset
        case .truncate: .truncated
        case .stall: .timedOut
        case .bytesPerSecond: .complete
        }
    }
}

extension StubResponse.Dribble {
    /// The time before each chunk; the first one precedes the head. It is zero if there is no content.
    ///
    /// - Parameter chunks: The number of chunks that are sent. A short body has fewer than the mapping asks for.
    func pause(chunks: Int) -> Duration { chunks == 0 ? .zero : max(.zero, duration) / Double(chunks) }
}

extension HeaderLine {
    /// Creates the line of a stub's header field. Line ends in the value become spaces.
    ///
    /// - Throws: If the field cannot be sent.
    package init(stub header: StubHeader) throws(StubAnswerError) {
        guard !header.name.isEmpty, header.name.utf8.allSatisfy(isTokenByte) else {
            throw StubAnswerError(
                """
                expected the name of a header field, found '\(DisplayText.escaped(header.name))'; write out the name, \
                which cannot be a template
                """
            )
        }
        let value = header.value.unicodeScalars.map { $0 == "\r" || $0 == "\n" ? " " : String($0) }.joined()
        guard let line = HeaderLine("\(header.name): \(value)") else {
            throw StubAnswerError(
                """
                expected a value of the header field \(header.name) without control characters, which cannot be sent, \
                found '\(DisplayText.escaped(header.value, limit: 100))'; remove them
                """
            )
        }
        self = line
    }
}

extension [HeaderLine] {
    fileprivate var contentLength: Int {
        firstValue(named: "Content-Length").flatMap { Int($0) } ?? 0
    }
}

extension StepList {
    /// Adds the content of a stub's answer. Returns how it ends.
    fileprivate mutating func append(_ response: StubResponse, body: ByteSource) -> Ending {
        if let stream = response.stream {
            for step in stream {
                switch step {
                case .bytes(let bytes): if !bytes.isEmpty { append(.bytes(.bytes(bytes))) }
                case .pause(let duration): wait(duration)
                }
            }
        } else if let dribble = response.dribble {
            append(body, dribble)
        } else if case .bytesPerSecond(let rate)? = response.then {
            append(body, bytesPerSecond: rate)
        } else if body.count > 0 {
            append(.bytes(body))
        }
        return response.then?.ending ?? .complete
    }

    /// Adds a body in a number of chunks, each after a pause. The pause before the first chunk precedes the head.
    private mutating func append(_ body: ByteSource, _ dribble: StubResponse.Dribble) {
        let chunks = min(max(1, dribble.chunks), body.count)
        guard chunks > 0 else { return }
        let size = body.count / chunks
        let pause = dribble.pause(chunks: chunks)
        var start = 0
        for chunk in 0..<chunks {
            if chunk > 0 { wait(pause) }
            let end = chunk == chunks - 1 ? body.count : start + size
            append(.bytes(body.part(start..<end)))
            start = end
        }
    }

    /// The longest pause in a slow body, in seconds. Short pauses let it arrive evenly.
    private static let longestGap = 0.1
    /// The maximum number of pieces into which a slow body is split.
    private static let maximumPieces = 10_000

    private mutating func append(_ body: ByteSource, bytesPerSecond rate: Int) {
        let rate = max(1, rate)
        let even = max(1, Int(Double(rate) * Self.longestGap))
        let size = max(even, (body.count + Self.maximumPieces - 1) / Self.maximumPieces)
        var start = 0
        while start < body.count {
            let end = min(body.count, start + size)
            append(.bytes(body.part(start..<end)))
            wait(.seconds(Double(end - start) / Double(rate)))
            start = end
        }
    }

    /// Removes what follows the first `count` bytes of the content.
    fileprivate mutating func cut(to count: Int) {
        var kept = StepList()
        var rest = count
        for step in steps {
            guard case .bytes(let source) = step else {
                kept.append(step)
                continue
            }
            guard rest > 0 else { continue }
            let part = source.part(0..<min(rest, source.count))
            rest -= part.count
            kept.append(.bytes(part))
        }
        self = kept
    }
}
