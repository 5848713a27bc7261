// SPDX-License-Identifier: Apache-2.0

/// Decodes a `text/event-stream` according to the WHATWG's rules (HTML sections 9.2.5 and 9.2.6).
///
/// Lines end with CR, LF, or CR LF. One byte order mark at the start is dropped. Bytes that are not UTF-8 become
/// U+FFFD. An event requires a `data` field and a blank line after it. An event that is incomplete at the end of the
/// stream is dropped, which ``isInsideEvent`` indicates.
public struct ServerSentEventDecoder: StreamDecoder, Sendable {
    /// The ID to continue after: the ID of the last block that ended with a blank line, with or without data. Empty
    /// if there was none.
    public private(set) var lastEventID: String

    /// The time that the stream asks to wait before reconnecting, if it specified one.
    public private(set) var reconnectionTime: Duration?

    /// The maximum length in bytes of a line, and of the data of one event.
    public var maxEventLength: Int { lines.maxLineLength }

    private var lines: LineDecoder
    private var isInsideBlock = false
    private var type = ""
    private var id: String
    private var retry: Duration?
    private var data = EventData()

    /// Creates a decoder at the start of a stream.
    ///
    /// - Parameters:
    ///   - lastEventID: The ID that the stream continues after. Events have this ID until the stream specifies
    ///     another.
    ///   - maxEventLength: The maximum length in bytes of a line, and of the data of one event over all its lines.
    public init(lastEventID: String = "", maxEventLength: Int = LineDecoder.defaultMaxLineLength) {
        self.lastEventID = lastEventID
        id = lastEventID
        lines = LineDecoder(maxLineLength: maxEventLength, dropsMark: true)
    }

    /// Whether an event has started but not ended. After the end of the stream: whether an incomplete event was
    /// dropped.
    public var isInsideEvent: Bool {
        if isInsideBlock { return true }
        guard let first = lines.unfinished.first else { return false }
        return first != UInt8(ascii: ":")
    }

    /// Adds the next bytes of the stream.
    public mutating func append(_ chunk: [UInt8]) {
        data.detach(from: lines.buffer)
        lines.append(chunk)
    }

    /// Marks the end of the stream. An event that is incomplete at this point is dropped.
    public mutating func finish() {}

    /// Returns the next event, or nil if it needs more bytes.
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

    /// Processes a line that is not blank.
    private mutating func take(_ line: Range<Int>) throws(StreamDecodingError) {
        let field = EventField(line, of: lines.buffer.span)
        switch field.name {
        case .data:
            guard data.append(field.value, of: lines.buffer, limit: maxEventLength) else { throw tooLong() }
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

    /// Ends a block at a blank line, and returns its event if it has data.
    private mutating func endBlock() -> ServerSentEvent? {
        defer {
            isInsideBlock = false
            type = ""
            retry = nil
        }
        lastEventID = id
        guard let text = data.take(from: lines.buffer) else { return nil }
        return ServerSentEvent(name: type.isEmpty ? "message" : type, data: text, id: id, retry: retry)
    }

    private func text(_ range: Range<Int>) -> String {
        String(decoding: lines.buffer[range], as: UTF8.self)
    }

    private func tooLong() -> StreamDecodingError {
        StreamDecodingError(
            .eventTooLong,
            line: lines.count,
            "the event at line \(lines.count) has more than \(maxEventLength) bytes of data; raise maxEventLength"
        )
    }
}
