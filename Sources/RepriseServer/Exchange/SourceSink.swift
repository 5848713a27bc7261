// SPDX-License-Identifier: Apache-2.0

internal import RepriseAnswers
internal import RepriseText

/// The destination for one source's answer: forwards calls to the exchange while the answer is in progress.
///
/// The exchange of a connection without streams outlives the answer. Without this object, a source that continues after
/// the end of its answer, or after it was abandoned, would write into the answer to the next request.
final class SourceSink {
    /// Nil once the answer has ended.
    private var exchange: RequestExchange?

    init(_ exchange: RequestExchange) {
        self.exchange = exchange
    }

    /// Ends the answer; later calls have no effect.
    func invalidate() {
        exchange = nil
    }
}

extension SourceSink: ResponseSink {
    var backlog: Int { exchange?.backlog ?? 0 }

    func inform(_ head: ResponseHead) {
        exchange?.inform(head)
    }

    func begin(_ head: ResponseHead, framing: ResponsePlan.Framing) {
        exchange?.begin(head, template: nil, framing: framing)
    }

    func begin(_ head: ResponseHead, template: HeadTemplate, framing: ResponsePlan.Framing) {
        exchange?.begin(head, template: template, framing: framing)
    }

    func append(_ content: Span<UInt8>, leftOfChunk: Int) {
        exchange?.append(content, leftOfChunk: leftOfChunk)
    }

    func flush() {
        exchange?.flush()
    }

    func end(trailers: [[UInt8]]) {
        exchange?.end(trailers: trailers)
    }

    func cutOff(_ ending: Ending) {
        exchange?.cutOff(ending)
    }

    func respond(with response: OwnResponse) {
        exchange?.respond(with: response)
    }

    func contentHasRoom() {
        exchange?.contentHasRoom()
    }

    func sendContinue() {
        exchange?.sendContinue()
    }
}
