// SPDX-License-Identifier: Apache-2.0

internal import RepriseAnswers
internal import RepriseText
internal import RepriseWire

/// A source's answer in progress.
struct SourcedResponse {
    let source: any ResponseSource
    let sink: SourceSink
    /// The head of the request, and the parts of it.
    let head: [UInt8]
    let parsedHead: RequestHead
    /// The number of bytes of the request's content that have arrived.
    var contentCount: Int
    /// Whether all of the request's content has arrived.
    var isContentComplete: Bool
    /// Whether the source has all of the content that has arrived.
    let hasContentStart: Bool
    /// Whether the response has begun.
    var hasBegun = false
    /// The status of an answer that has begun, and that was not reported to the journal yet.
    var status: Int?
    /// The answer so far, for the journal; nil if it is not kept.
    var kept: SourcedAnswer?
}

/// The start of the answer of another server.
struct SourcedAnswer {
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
