// SPDX-License-Identifier: Apache-2.0

internal import RepriseCassettes
internal import RepriseDocuments
internal import RepriseText

/// A recorded exchange as it was on the wire, and its line in the log.
///
/// If it comes again, byte for byte, while no further value was named, then it has the same secrets in the same places.
/// Only its position and its times differ, so it is neither searched nor encoded again.
final class RecentExchange: Sendable {
    /// The largest exchange that is kept, in bytes of its URL, its header lines, and its content.
    static let limit = 16 * 1024

    let original: OriginalRequest
    /// The request without the secrets that its own search finds.
    let request: RecordedRequest
    let response: ReceivedResponse
    /// The number of secrets that were known, during the whole exchange.
    let secretCount: Int
    private let line: LineTemplate

    /// Keeps an exchange that was recorded as `text`. Returns `nil` if it is large, if its URL, base, or method is not
    /// ASCII, if it contains more than a head and a piece of content, or if a value was named meanwhile: then it was
    /// not searched for all secrets at once.
    init?(_ exchange: FinishedExchange, _ entry: RecordingLog.Entry, _ text: CassetteText, secretCount: Int) {
        let request = exchange.entry.exchange.request
        guard let response = exchange.received, exchange.known == secretCount, !exchange.isSaved,
            !exchange.isRequestCutOff, Self.isASCII(exchange.original.request), request.body == nil,
            request.trailers.isEmpty,
            case .response(let recorded) = entry.exchange.outcome,
            Self.size(exchange.original.request, response) <= Self.limit, text.builder.text.count <= 2 * Self.limit
        else { return nil }
        // Each event of a stream has a time.
        if case .stream = recorded.content { return nil }
        guard let line = LineTemplate(text, ordinal: entry.ordinal) else { return nil }
        original = exchange.original
        self.request = request
        self.response = response
        self.secretCount = secretCount
        self.line = line
    }

    private static func size(_ request: RecordedRequest, _ response: ReceivedResponse) -> Int {
        let lines = request.headers + response.head.response.headers
        return lines.reduce(request.url.utf8.count + (response.content?.count ?? 0)) { $0 + $1.bytes.count }
    }

    /// Whether this is the request that was sent, byte for byte.
    func hasRequest(_ received: ReceivedRequest) -> Bool {
        if received === original.received { return true }
        let (request, other) = (original.request, received.request)
        // Strings with other bytes can be equal in Unicode. If one of them is ASCII, the other is longer.
        return request.url.utf8.count == other.url.utf8.count && request.method.utf8.count == other.method.utf8.count
            && request.base?.utf8.count == other.base?.utf8.count && request == other
    }

    private static func isASCII(_ request: RecordedRequest) -> Bool {
        for text in [request.url, request.method, request.base ?? ""] {
            guard text.utf8.allSatisfy({ $0 < 0x80 }) else { return false }
        }
        return true
    }

    /// Appends the line of the log for a repetition of this exchange.
    func appendLine(
        _ times: LineTemplate.Times,
        ordinal: Int,
        to output: inout [UInt8],
        _ timestamps: inout TimestampFormatter
    ) {
        line.append(times, ordinal: ordinal, to: &output, &timestamps)
    }
}

/// A finished exchange that is identical to a recent one.
struct RepeatedExchange {
    let recent: RecentExchange
    let ordinal: Int
    let times: LineTemplate.Times
}

/// A response as received, with at most one piece of content.
struct ReceivedResponse: Sendable {
    let head: ReceivedHead
    var content: [UInt8]?
    var endsChunk = false

    init(_ head: ReceivedHead) {
        self.head = head
    }

    func isHead(_ other: ReceivedHead) -> Bool {
        other === head || other.response == head.response
    }

    func isContent(_ bytes: Span<UInt8>, endsChunk: Bool) -> Bool {
        guard let content, self.endsChunk == endsChunk else { return false }
        return HeaderLineCache.isSame(content.span, bytes)
    }
}

/// The recent exchanges of a recording, by URL. Polling clients and load tests send the same requests many times.
struct RecentExchanges {
    private var slots = [RecentExchange?](repeating: nil, count: slotCount)
    private var hashes = [Int](repeating: 0, count: slotCount)

    private static let slotCount = 64

    /// Returns an exchange with this request, during which `secretCount` secrets were known.
    func exchange(_ request: ReceivedRequest, secretCount: Int) -> RecentExchange? {
        guard let recent = slots[Self.slot(request)], recent.secretCount == secretCount, recent.hasRequest(request)
        else { return nil }
        return recent
    }

    /// Notes that a URL was requested, and returns whether it was requested before. Only then is the exchange kept,
    /// because most URLs are requested once.
    mutating func isRepeated(_ request: ReceivedRequest) -> Bool {
        let slot = Self.slot(request)
        defer { hashes[slot] = request.urlHash }
        return hashes[slot] == request.urlHash
    }

    /// Keeps an exchange, in place of an earlier one.
    mutating func insert(_ recent: RecentExchange) {
        slots[Self.slot(recent.original.received)] = recent
    }

    private static func slot(_ request: ReceivedRequest) -> Int {
        Int(UInt(bitPattern: request.urlHash) % UInt(slotCount))
    }
}
