// SPDX-License-Identifier: Apache-2.0

internal import RepriseAnswers
internal import RepriseCassettes
internal import RepriseConnections
internal import RepriseRecording
internal import RepriseText

/// The translations of a request's head, which ``HeadCache`` keeps if the head is repeated.
final class CachedRequestTranslation {
    /// The request to send; nil until it is needed.
    var forwarded: ForwardedRequest?
    /// The request to record; nil until it is needed.
    var recorded: ReceivedRequest?

    /// Creates an exchange for the request to send; returns nil if there is none.
    func exchange(over pool: LoopConnectionPool, for receiver: any ResponseReceiver) -> ClientExchange? {
        forwarded.map { pool.exchange($0, for: receiver) }
    }
}

/// The translations of a response's head, which ``HeadCache`` keeps if the head is repeated.
final class CachedResponseTranslation {
    let recorded: ReceivedHead
    let head: ResponseHead
    /// Whether the client's head differs from the recorded one.
    let isTranslated: Bool
    /// The client's head, encoded for most clients.
    private(set) lazy var template = HeadTemplate(head, isCrossOrigin: false)

    /// - Parameter translated: The header lines for the client; nil if they are the same.
    init(_ recorded: RecordedResponse, translated: [HeaderLine]?) {
        self.recorded = ReceivedHead(recorded)
        isTranslated = translated != nil
        head = ResponseHead(
            status: recorded.status,
            reasonBytes: recorded.reasonBytes,
            headers: translated ?? recorded.headers
        )
    }
}
