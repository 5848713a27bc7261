// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// The newest events as text, which is written once for all readers. A reader has only a place in it, so one that does
/// not read costs no more than the others. Pure.
struct EventHistory: Sendable {
    /// An event, or several that were lost.
    struct Entry: Sendable {
        var numbers: ClosedRange<Int>
        /// The name of the event; nil for lost events, which concern all readers.
        var name: String?
        var audience: Audience
        var text: [UInt8]
    }

    /// The readers that an event concerns.
    enum Audience: Sendable {
        case all
        /// Readers of the events of a session, or of no session, and those of all events.
        case session(SessionID?)
        /// Readers of all events, because the session of the request is not known.
        case unscoped
    }

    private var entries: [Entry] = []
    /// The index of the oldest entry that is still kept.
    private var start = 0
    private var byteCount = 0
    private let countLimit: Int
    private let byteLimit: Int

    /// Creates a history of at most `count` events and `bytes` bytes, but at least of one event.
    init(count: Int = 1000, bytes: Int = 1 << 20) {
        countLimit = count
        byteLimit = bytes
    }

    /// Appends an event, which follows the previous one, and drops the oldest to make room.
    mutating func append(_ entry: Entry) {
        entries.append(entry)
        byteCount += entry.text.count
        while entries.count - start > countLimit || byteCount > byteLimit, start < entries.count - 1 {
            byteCount -= entries[start].text.count
            entries[start].text = []
            start += 1
        }
        if start >= countLimit {
            entries.removeFirst(start)
            start = 0
        }
    }

    /// - Parameters:
    ///   - place: The number of the first event that the reader has not received. It is advanced.
    ///   - limit: The number of bytes after which no further event is added.
    func text(from place: inout Int, _ filter: EventFilter, limit: Int) -> [UInt8] {
        var index = entries.count
        while index > start, entries[index - 1].numbers.upperBound >= place { index -= 1 }
        var output: [UInt8] = []
        while index < entries.count, output.count < limit {
            let entry = entries[index]
            if place < entry.numbers.lowerBound {
                output += EventStreamText.lost(place...(entry.numbers.lowerBound - 1)).text
            }
            if filter.includes(entry) { output += entry.text }
            place = entry.numbers.upperBound + 1
            index += 1
        }
        return output
    }
}

extension EventHistory.Audience {
    init(_ change: ServerChange) {
        switch change {
        case .reset(let session): self = .session(session)
        case .stubs(let event): self = .session(event.session)
        case .reloaded, .reloadFailed, .recordingStarted, .recordingFinished: self = .all
        }
    }
}
