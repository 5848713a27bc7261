// SPDX-License-Identifier: Apache-2.0

internal import RepriseContentCoding
internal import RepriseText

/// Splits bytes into lines that end with CR, LF, or CR LF.
///
/// Blank lines are included. Any text after the last line end is a line too. Bytes that are not UTF-8 become U+FFFD,
/// one for each maximal subpart of a character (Unicode 16.0 section 3.9.6, as in the WHATWG's Encoding Standard),
/// however the bytes were split into chunks. A byte order mark is kept.
public struct LineDecoder: StreamDecoder, Sendable {
    /// The default maximum length of a line, 16 MiB. The limit keeps a stream without line ends from using up the
    /// memory, but leaves room for images in Base64.
    public static let defaultMaxLineLength = 16 << 20

    /// The maximum length of a line in bytes, without its line end.
    public let maxLineLength: Int

    /// The number of lines so far, which is the number of the last line.
    public private(set) var count = 0

    /// The bytes received and not yet dropped. Consumed bytes are dropped when more are appended.
    private(set) var buffer: ArraySlice<UInt8> = []
    private var start = 0
    /// The position up to which the search for a line end has been completed.
    private var searched = 0
    /// Whether the buffer ended with a carriage return. A following line feed belongs to the same line end.
    private var skipsLineFeed = false
    private var isFinished = false
    private let dropsMark: Bool
    private let endsAtReturns: Bool
    /// The charset of the text, or nil for UTF-8.
    var charset: Charset?

    /// Creates a decoder at the start of a stream.
    ///
    /// - Parameter maxLineLength: The maximum length of a line in bytes, without its line end.
    public init(maxLineLength: Int = LineDecoder.defaultMaxLineLength) {
        self.init(maxLineLength: maxLineLength, dropsMark: false)
    }

    /// Creates a decoder at the start of a stream.
    ///
    /// - Parameters:
    ///   - maxLineLength: The maximum length of a line in bytes, without its line end.
    ///   - dropsMark: Whether to remove a byte order mark at the start, for formats that do not allow one.
    ///   - endsAtReturns: Whether a carriage return alone ends a line. The default is true.
    init(maxLineLength: Int, dropsMark: Bool, endsAtReturns: Bool = true) {
        self.endsAtReturns = endsAtReturns
        precondition(maxLineLength >= 0, "The maximum length must not be negative")
        self.maxLineLength = maxLineLength
        self.dropsMark = dropsMark
    }

    /// The bytes received of a line that has not ended yet.
    var unfinished: ArraySlice<UInt8> {
        let line = start..<buffer.count
        return buffer[count == 0 ? withoutMark(line) : line]
    }

    /// Adds the next bytes of the stream.
    public mutating func append(_ chunk: [UInt8]) {
        if start == buffer.count {
            buffer = chunk[...]
        } else if start == 0 {
            buffer += chunk
        } else {
            buffer = ArraySlice(Array(buffer[start...]) + chunk)
        }
        searched -= start
        start = 0
    }

    /// Marks the end of the stream, so that any remaining text is the last line.
    public mutating func finish() {
        isFinished = true
    }

    /// Returns the next line without its line end, or nil if it needs more bytes or the stream has ended.
    ///
    /// - Throws: ``StreamDecodingError`` with the code `lineTooLong`.
    public mutating func next() throws(StreamDecodingError) -> String? {
        guard let range = try nextRange() else { return nil }
        return charset?.text(buffer[range]) ?? String(decoding: buffer[range], as: UTF8.self)
    }

    /// Returns the bytes of the next line without its line end.
    ///
    /// - Throws: ``StreamDecodingError`` with the code `lineTooLong`.
    public mutating func nextBytes() throws(StreamDecodingError) -> ArraySlice<UInt8>? {
        try nextRange().map { buffer[$0] }
    }

    /// Returns the range of the next line in ``buffer``, which is valid until more bytes are appended.
    @inline(__always)
    mutating func nextRange() throws(StreamDecodingError) -> Range<Int>? {
        if skipsLineFeed { skipLineFeed() }
        let end = buffer.span.endOfLine(from: searched, or: endsAtReturns ? 0x0D : 0x0A)
        let isReturned = !endsAtReturns && end > start && buffer[end - 1] == 0x0D
        let line = start..<(isReturned ? end - 1 : end)
        if line.count > maxLineLength { throw tooLong() }
        if end < buffer.count {
            skipsLineFeed = endsAtReturns && buffer[end] == 0x0D
            start = end + 1
            searched = start
        } else {
            searched = end
            guard isFinished, start < end else { return nil }
            start = end
        }
        count += 1
        return count == 1 ? withoutMark(line) : line
    }

    private func withoutMark(_ line: Range<Int>) -> Range<Int> {
        dropsMark && buffer[line].span.startsWithByteOrderMark ? line.dropFirst(3) : line
    }

    private mutating func skipLineFeed() {
        guard start < buffer.count else { return }
        if buffer[start] == 0x0A {
            start += 1
            searched = start
        }
        skipsLineFeed = false
    }

    private func tooLong() -> StreamDecodingError {
        StreamDecodingError(
            .lineTooLong,
            line: count + 1,
            "line \(count + 1) has more than \(maxLineLength) bytes; raise maxLineLength or read the body in chunks"
        )
    }
}
