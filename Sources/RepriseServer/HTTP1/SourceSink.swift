// SPDX-License-Identifier: Apache-2.0

internal import RepriseAnswers
internal import RepriseText

/// The destination for one source's answer: forwards calls to the client's session while the answer is in progress.
///
/// The session outlives the answer. Without this object, a source that continues after the end of its answer, or
/// after it was abandoned, would write into the answer to the next request.
final class SourceSink {
    /// Nil once the answer has ended.
    private var session: HTTP1Session?

    init(_ session: HTTP1Session) {
        self.session = session
    }

    /// Ends the answer; later calls have no effect.
    func invalidate() {
        session = nil
    }
}

extension SourceSink: ResponseSink {
    var backlog: Int { session?.backlog ?? 0 }

    func inform(_ head: ResponseHead) {
        session?.inform(head)
    }

    func begin(_ head: ResponseHead, framing: ResponsePlan.Framing) {
        session?.begin(head, template: nil, framing: framing)
    }

    func begin(_ head: ResponseHead, template: HeadTemplate, framing: ResponsePlan.Framing) {
        session?.begin(head, template: template, framing: framing)
    }

    func append(_ content: Span<UInt8>, leftOfChunk: Int) {
        session?.append(content, leftOfChunk: leftOfChunk)
    }

    func flush() {
        session?.flush()
    }

    func end(trailers: [[UInt8]]) {
        session?.end(trailers: trailers)
    }

    func cutOff(_ ending: Ending) {
        session?.cutOff(ending)
    }

    func respond(with response: OwnResponse) {
        session?.respond(with: response)
    }

    func contentHasRoom() {
        session?.contentHasRoom()
    }

    func sendContinue() {
        session?.sendContinue()
    }
}
