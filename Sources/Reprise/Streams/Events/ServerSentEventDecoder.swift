// SPDX-License-Identifier: Apache-2.0

/// Reads a `text/event-stream` by the WHATWG's rules (HTML sections 9.2.5 and 9.2.6).
///
/// Lines end with CR, LF or CR LF; one byte order mark at the start is dropped; bytes that are not UTF-8 become U+FFFD.
/// An event needs a field `data` and a blank line behind it: one that the end of the stream cuts off is dropped, and
/// ``isInsideEvent`` says so.
public struct ServerSentEventDecoder: StreamDecoder {
    /// The id to continue after: that of the last block that a blank line ended, with data or without; empty if there
    /// was none.
    public private(set) var lastEventID: String

    /// How long the stream asked to wait before connecting again, if it did.
    public private(set) var reconnectionTime: Duration?

    /// How much an event may hold, in bytes.
    public var limit: Int { lines.limit }

    private var lines: LineDecoder
    private var isInsideBlock = false
    private var type = ""
    private var id: String
    private var retry: Duration?
    private var data = EventData()

    /// A decoder at the start of a stream.
    ///
    /// - Parameters:
    ///   - lastEventID: the id that the stream continues after; events have it until the stream gives another.
    ///   - limit: how long a line, and the data of one event over all its lines, may be, in bytes.
    public init(lastEventID: String = "", limit: Int = LineDecoder.defaultLimit) {
        self.lastEventID = lastEventID
        id = lastEventID
        lines = LineDecoder(limit: limit, dropsMark: true)
    }

    /// Whether a part of an event has come and not its end. After the end of the stream: whether one was cut off.
    public var isInsideEvent: Bool {
        if isInsideBlock { return true }
        guard let first = lines.unfinished.first else { return false }
        return first != UInt8(ascii: ":")
    }

    /// Takes the next bytes of the stream.
    public mutating func append(_ chunk: [UInt8]) {
        data.detach(from: lines.buffer)
        lines.append(chunk)
    }

    /// Says that no more bytes will come. What is not complete by now is no event.
    public mutating func finish() {}

    /// The next event; nil if more bytes are needed for one.
    ///
    /// - Throws: ``StreamDecodingError`` with code `lineTooLong` or `eventTooLong`.
    public mutating func next() throws(StreamDecodingError) -> ServerSentEvent? {
        while let line = try lines.nextRange() {
            if !line.isEmpty {
                try take(line)
            } else if isInsideBlock, let event = endBlock() {
                return event
            }
        }
        return nil
    }

    /// Takes a line that is not blank.
    private mutating func take(_ line: Range<Int>) throws(StreamDecodingError) {
        let field = EventField(line, of: lines.buffer.span)
        switch field.name {
        case .data:
            guard data.append(field.value, of: lines.buffer, limit: limit) else { throw tooLong() }
        case .event:
            type = text(field.value)
        case .id:
            if !lines.buffer[field.value].contains(0) { id = text(field.value) }
        case .retry:
            guard let time = EventField.milliseconds(field.value, of: lines.buffer.span) else { return }
            retry = time
            reconnectionTime = time
        case .unknown:
            return
        }
        isInsideBlock = true
    }

    /// Ends what a blank line ends, which is an event if it has data.
    private mutating func endBlock() -> ServerSentEvent? {
        defer {
            isInsideBlock = false
            type = ""
            retry = nil
        }
        lastEventID = id
        guard let text = data.take(from: lines.buffer) else { return nil }
        return ServerSentEvent(event: type.isEmpty ? "message" : type, data: text, id: id, retry: retry)
    }

    private func text(_ range: Range<Int>) -> String {
        String(decoding: lines.buffer[range], as: UTF8.self)
    }

    private func tooLong() -> StreamDecodingError {
        StreamDecodingError(
            .eventTooLong,
            line: lines.count,
            "the event of line \(lines.count) has more than \(limit) bytes of data: set a higher limit"
        )
    }
}
