// SPDX-License-Identifier: Apache-2.0

internal import RepriseAnswers
internal import RepriseText
internal import RepriseWire

/// A source's answer in progress, which the source writes to.
///
/// The exchange of a connection without streams outlives the answer, so this object lets go of it at the end.
/// Otherwise, a source that continues after the end of its answer, or after it was abandoned, would write into the
/// answer to the next request.
final class SourcedResponse {
    let source: any ResponseSource
    /// Nil once the answer has ended.
    private var exchange: RequestExchange?
    /// The head of the request, and the parts of it.
    private let head: [UInt8]
    private let parsedHead: RequestHead
    /// The number of bytes of the request's content that have arrived.
    private(set) var contentCount: Int
    /// Whether all of the request's content has arrived.
    private(set) var isContentComplete: Bool
    /// Whether the source has all of the content that has arrived.
    private let hasContentStart: Bool
    /// Whether the response has begun.
    private(set) var hasBegun = false
    /// The status of an answer that has begun, and that was not reported to the journal yet.
    private var status: Int?
    /// The answer so far, for the journal; nil if it is not kept.
    private var kept: SourcedAnswer?

    init(_ source: any ResponseSource, to request: IncomingRequest, in exchange: RequestExchange) {
        self.source = source
        self.exchange = exchange
        head = [UInt8](bytes: request.bytes)
        parsedHead = request.head
        contentCount = request.content.count
        isContentComplete = !request.contentFollows
        hasContentStart = request.contentFollows || request.isContentComplete
    }

    /// Ends the source's part in the answer. Later calls from the source have no effect.
    func leave() {
        reportAnswer()
        exchange = nil
    }

    /// Records that more content has arrived, before it is passed on.
    func contentArrived(_ count: Int, isComplete: Bool) {
        contentCount += count
        isContentComplete = isComplete
    }

    // MARK: The journal

    /// Reports the answer, if it has begun, once the journal can have all that is kept of the request.
    func reportAnswerIfContentIsKept() {
        // Content that follows may not be kept.
        if isContentComplete || source.requestStart.count < contentCount { reportAnswer() }
    }

    private func noteAnswer(status: Int) {
        self.status = status
        reportAnswerIfContentIsKept()
    }

    /// Reports an answer that has begun, unless it was reported before.
    private func reportAnswer() {
        guard let status = status.take(), let exchange else { return }
        var answer = source.played ?? .none(status: 0)
        answer.status = status
        answer.isPassed = source.isPassed
        let (head, start) = (head[...], source.requestStart[...])
        let isWhole = isContentComplete && hasContentStart && start.count == contentCount
        exchange.report(answer, head.span, content: start.span, isContentComplete: isWhole, by: source.name)
    }

    /// Keeps the answer in the journal, if another server sent it.
    private func keepAnswer(isComplete: Bool) {
        reportAnswer()
        guard let exchange, let kept = kept.take() else { return }
        exchange.request.keep(kept.kept(isComplete: isComplete), in: exchange.worker)
    }

    private func withRequest<Result>(_ body: (IncomingRequest) -> Result) -> Result {
        let head = head[...]
        return body(IncomingRequest(head.span, parsedHead, peer: exchange?.connection.peerHost ?? ""))
    }
}

extension SourcedResponse: ResponseSink {
    var backlog: Int { exchange?.writer?.backlog ?? 0 }

    func inform(_ head: ResponseHead) {
        guard !hasBegun, parsedHead.minorVersion >= 1 else { return }
        exchange?.writer?.inform(head)
        flush()
    }

    func begin(_ head: ResponseHead, template: HeadTemplate?, framing: ResponsePlan.Framing) {
        guard let exchange else { return }
        let isAdministrative = source.isAdministrative
        withRequest {
            exchange.writer?.begin(
                head,
                template: template,
                framing: framing,
                to: $0,
                // As in the admin API's short answers: no page from elsewhere may read it.
                isCrossOrigin: !isAdministrative
            )
        }
        hasBegun = true
        noteAnswer(status: head.status)
        if !isAdministrative { kept = SourcedAnswer(head) }
    }

    func append(_ content: Span<UInt8>, leftOfChunk: Int) {
        guard hasBegun, let exchange else { return }
        kept?.append(content, limit: exchange.worker.events.journal.answerLimit)
        exchange.writer?.append(content, leftOfChunk: leftOfChunk)
    }

    func flush() {
        guard let exchange, backlog > 0, let sent = exchange.writer?.flush() else { return }
        exchange.timeSource()
        if sent > 0, self.exchange != nil { source.outputHasRoom() }
    }

    func end(trailers: [[UInt8]]) {
        guard hasBegun, let exchange else { return }
        keepAnswer(isComplete: true)
        exchange.conclude(exchange.writer?.rest(trailers: trailers))
    }

    func end(status: Int, switchingTo makeSession: @escaping (Connection) -> any ConnectionSession) {
        guard let exchange else { return }
        if hasBegun { keepAnswer(isComplete: true) } else { noteAnswer(status: status) }
        exchange.conclude(exchange.writer?.rest(switchingTo: makeSession))
    }

    func cutOff(_ ending: Ending) {
        guard let exchange else { return }
        if hasBegun { keepAnswer(isComplete: false) } else { noteAnswer(status: 0) }
        exchange.conclude(exchange.writer?.rest(cutOff: ending))
    }

    func respond(with response: ServerResponse) {
        guard let exchange else { return }
        noteAnswer(status: response.status)
        if response.status == 502 { exchange.worker.reportUnforwarded(response) }
        exchange.conclude(withRequest { exchange.writer?.rest(response, to: $0) })
    }

    func contentHasRoom() {
        guard let exchange else { return }
        exchange.request.contentBegins(at: exchange.worker.loop.now())
        exchange.timeSource()
        if !source.isContentFull { exchange.writer?.resumeReading() }
    }

    func sendContinue() {
        exchange?.writer?.sendContinue()
    }
}

/// The start of the answer of another server.
private struct SourcedAnswer {
    let head: ResponseHead
    /// The content so far; nil once it is too long.
    private var content: [UInt8]? = []

    init(_ head: ResponseHead) {
        self.head = head
    }

    mutating func append(_ more: Span<UInt8>, limit: Int) {
        guard let count = content?.count else { return }
        if count + more.count <= limit { content?.append(bytes: more) } else { content = nil }
    }

    /// Returns the answer for the journal.
    func kept(isComplete: Bool) -> KeptAnswer {
        KeptAnswer(head: head, content: isComplete ? content : nil)
    }
}
