// SPDX-License-Identifier: Apache-2.0

internal import RepriseCassettes
internal import RepriseText

/// An exchange that was recorded, as it was on the wire, and its line in the log.
///
/// If it comes again, byte for byte, while no further value is known to be secret, then it has the same secrets in the
/// same places. Only its times differ, so it is neither searched nor encoded again.
final class RecentExchange: Sendable {
    /// The request as sent.
    let original: OriginalRequest
    /// The request as recorded.
    let request: RecordedRequest
    /// The response as received.
    let response: ReceivedResponse
    /// The number of secrets that were known.
    let secrets: Int
    private let line: LineTemplate

    /// Creates a recent exchange, unless it is one that seldom comes again in the same form.
    init?(_ exchange: FinishedExchange, request: RecordedRequest, line: LineTemplate?, secrets: Int) {
        guard let response = exchange.received, let line, request.body == nil, request.trailers.isEmpty,
            !exchange.isSaved, !exchange.isRequestCutOff
        else { return nil }
        original = exchange.original
        self.request = request
        self.response = response
        self.secrets = secrets
        self.line = line
    }

    /// Returns the line of the log for a repetition of this exchange.
    func line(_ times: LineTemplate.Times, ordinal: Int) -> [UInt8] { line.line(times, ordinal: ordinal) }
}

/// An exchange that ended, and was the same as a recent one.
struct RepeatedExchange {
    let recent: RecentExchange
    let ordinal: Int
    let times: LineTemplate.Times
}

/// A complete response that was received in at most one piece.
struct ReceivedResponse: Sendable {
    /// The longest content that is kept, in bytes.
    static let limit = 16 * 1024

    /// The head as received.
    let head: RecordedResponse
    /// The content, if there was any.
    var content: [UInt8]?
    /// Whether the content ended a chunk on the wire.
    var endsChunk = false

    init(_ head: RecordedResponse) {
        self.head = head
    }

    /// Whether this piece of content is the one that was received.
    func isContent(_ piece: RedactedPieces.Piece) -> Bool {
        endsChunk == piece.endsChunk && content == piece.bytes
    }
}

/// The recent exchanges of a recording, by URL. Polling clients and load tests send the same requests many times.
struct RecentExchanges {
    private var slots = [RecentExchange?](repeating: nil, count: slotCount)

    /// With the limit of ``ReceivedResponse``, they take 1 MiB at most, and their heads.
    private static let slotCount = 64

    /// Returns an exchange with this request, recorded when there were `secrets` known secrets.
    func exchange(_ request: RecordedRequest, secrets: Int) -> RecentExchange? {
        guard let recent = slots[Self.slot(request.url)], recent.secrets == secrets,
            recent.original.request == request
        else { return nil }
        return recent
    }

    /// Keeps an exchange, in place of an earlier one.
    mutating func insert(_ recent: RecentExchange) {
        slots[Self.slot(recent.original.request.url)] = recent
    }

    private static func slot(_ url: String) -> Int {
        Int(UInt(bitPattern: url.hashValue) % UInt(slotCount))
    }
}
