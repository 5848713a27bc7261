// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// An exchange that has been identical to a recent one so far.
struct ExchangeRepetition {
    private let recent: RecentExchange
    private let start: ExchangeStart
    private var requestEnd: Duration?
    private var head: Duration?
    private var content: Duration?

    init(of recent: RecentExchange, _ start: ExchangeStart) {
        self.recent = recent
        self.start = start
    }

    mutating func endRequest(at time: Duration) {
        if requestEnd == nil { requestEnd = time }
    }

    /// Adds the head of the response if it is identical to the recent one, and returns whether it is.
    mutating func begin(_ received: ReceivedHead, at time: Duration) -> Bool {
        guard head == nil, recent.response.isHead(received) else { return false }
        head = time
        return true
    }

    /// Adds a piece of the response's content if it is identical to the recent content, and returns whether it is.
    mutating func append(_ bytes: Span<UInt8>, endsChunk: Bool, at time: Duration) -> Bool {
        guard head != nil, content == nil, recent.response.isContent(bytes, endsChunk: endsChunk) else { return false }
        content = time
        return true
    }

    /// Returns the finished exchange if all of it was identical to the recent one, and otherwise `nil`.
    func finished(_ ending: Ending, at time: Duration) -> RepeatedExchange? {
        guard ending == .complete, let requestEnd, let head, (content == nil) == (recent.response.content == nil)
        else { return nil }
        let times = LineTemplate.Times(
            delay: (head - requestEnd).pause,
            startedAt: start.startedAt,
            length: start.length(until: time)
        )
        return RepeatedExchange(recent: recent, ordinal: start.files.ordinal, times: times)
    }

    func draft() -> ExchangeDraft { ExchangeDraft(repeating: recent, start) }

    /// Adds what has happened since the start of the exchange to a draft of it.
    func replay(to draft: ExchangeDraft) throws(RecordingFault) {
        if let requestEnd { try draft.endRequest(at: requestEnd) }
        guard let head else { return }
        draft.begin(recent.response.head, at: head)
        guard let content, let bytes = recent.response.content else { return }
        try draft.append(response: bytes, endsChunk: recent.response.endsChunk, at: content)
    }
}
