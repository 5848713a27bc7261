// SPDX-License-Identifier: Apache-2.0

internal import Reprise
internal import RepriseAnswers
internal import RepriseText

/// What a fixture answers, put together once: most answers are values that only have to be handed over.
final class PreparedAnswer: Sendable {
    /// The head; nil if there is a failure instead.
    let head: HTTPResponse?
    let rawHead: RawHead?
    /// The body, if all of it is in memory and nothing goes wrong in it.
    let body: Body?
    /// The time before the head.
    let delay: Duration
    /// What comes behind the head, or instead of it.
    let steps: ArraySlice<ResponsePlan.Step>
    /// Whether there are pauses behind the head.
    let hasPauses: Bool
    /// Why there is no head.
    let failure: Failure?
    /// How many bytes the head announces, if it does.
    private let length: Int?
    private let chunking: ReplayingTransport.Chunking

    /// - Parameter failureDelay: when it failed, if it did.
    init(_ plan: ResponsePlan, chunking: ReplayingTransport.Chunking, failureDelay: Duration?) {
        failure = plan.failure
        self.chunking = chunking
        var delay = failureDelay ?? .zero
        var start = 0
        if case .wait(let wait)? = plan.steps.first {
            delay = wait
            start = 1
        }
        self.delay = delay
        if start < plan.steps.count, case .head(let head) = plan.steps[start] {
            self.head = HTTPResponse(head)
            rawHead = RawHead(head)
            start += 1
        } else {
            head = nil
            rawHead = nil
        }
        steps = plan.steps[start...]
        var isWhole = true
        var hasPauses = false
        for step in steps {
            switch step {
            case .bytes(.file), .end(.truncated), .end(.reset), .end(.timedOut): isWhole = false
            case .wait: hasPauses = true
            case .bytes, .partialChunk, .head, .trailers, .end(.complete): break
            }
        }
        length = plan.framing == .contentLength ? head?.headerFields[.contentLength].flatMap { Int($0) } : nil
        self.hasPauses = hasPauses
        body = isWhole && head != nil ? Body(steps, chunking: chunking) : nil
    }

    /// A body that is played step by step.
    func stream(timer: ReplayTimer?) -> Body {
        let source = ReplayBody(Playback(steps, chunking: chunking), timer: timer)
        return Body(source, length: length)
    }
}

extension Body {
    /// A body whose steps are all in memory, without its pauses.
    fileprivate init(_ steps: ArraySlice<ResponsePlan.Step>, chunking: ReplayingTransport.Chunking) {
        var playback = Playback(steps, chunking: chunking)
        var parts: [Part] = []
        while true {
            switch playback.next() {
            case .part(let part): parts.append(part)
            case .wait: continue
            case .read, .end:
                // The usual one is collected without a copy.
                if parts.count == 1, case .bytes(let bytes, true) = parts[0] {
                    self.init(bytes)
                } else {
                    self.init(parts: parts)
                }
                return
            }
        }
    }
}

extension HTTPResponse {
    init(_ head: ResponseHead) {
        var fields = HTTPFields()
        fields.reserveCapacity(head.headers.count)
        for line in head.headers {
            if let field = HTTPField(line: line.bytes) { fields.append(field) }
        }
        self.init(status: Status(code: head.status, reasonPhrase: head.reason), headerFields: fields)
    }
}

extension RawHead {
    init(_ head: ResponseHead) {
        var bytes = Array("HTTP/1.1 \(head.status) ".utf8) + head.reasonBytes + [0x0D, 0x0A]
        for line in head.headers {
            bytes += line.bytes
            bytes += [0x0D, 0x0A]
        }
        self.init(bytes: bytes)
    }
}
