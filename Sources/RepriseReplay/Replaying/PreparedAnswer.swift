// SPDX-License-Identifier: Apache-2.0

internal import Reprise
internal import RepriseAnswers
internal import RepriseText

/// A fixture's answer, prepared once. Most answers are values that only have to be returned.
final class PreparedAnswer: Sendable {
    /// The head; nil if the answer is a failure.
    let head: HTTPResponse?
    let rawHead: RawHead?
    /// The body, if it is completely in memory and ends normally.
    let body: Body?
    /// The time before the head.
    let delay: Duration
    let steps: ArraySlice<ResponsePlan.Step>
    let hasPauses: Bool
    let failure: Failure?
    /// Whether the answer comes from a recording or a route file, and not from a stub.
    let isRecorded: Bool
    /// The body's length, if the head announces it.
    private let length: Int?
    private let chunking: ReplayingTransport.Chunking

    /// - Parameters:
    ///   - failureDelay: The time before the failure, if the answer is a failure.
    ///   - isRecorded: Whether the answer comes from a recording or a route file, and not from a stub.
    init(
        _ plan: ResponsePlan,
        chunking: ReplayingTransport.Chunking,
        failureDelay: Duration?,
        isRecorded: Bool = true
    ) {
        failure = plan.failure
        self.isRecorded = isRecorded
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
            case .bytes(.file), .raw, .end(.truncated), .end(.reset), .end(.timedOut), .end(.cancelled):
                isWhole = false
            case .wait: hasPauses = true
            case .bytes, .partialChunk, .head, .trailers, .end(.complete): break
            }
        }
        length = plan.framing == .contentLength ? head?.headerFields[.contentLength].flatMap { Int($0) } : nil
        self.hasPauses = hasPauses
        body = isWhole && head != nil ? Body(steps, chunking: chunking) : nil
    }

    /// Returns a body that is played step by step.
    func stream(timer: ReplayTimer?) -> Body {
        let source = ReplayBody(Playback(steps, chunking: chunking), timer: timer, isRecorded: isRecorded)
        return Body(source, length: length)
    }
}

extension Body {
    /// Creates a body from steps that are all in memory, without their pauses.
    fileprivate init(_ steps: ArraySlice<ResponsePlan.Step>, chunking: ReplayingTransport.Chunking) {
        var playback = Playback(steps, chunking: chunking)
        var parts: [Part] = []
        while true {
            switch playback.next() {
            case .part(let part): parts.append(part)
            case .wait: continue
            case .read, .malformed, .end:
                // A single chunk, the usual case, is collected without a copy.
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
