// SPDX-License-Identifier: Apache-2.0

/// Cuts bytes into lines, each ended by CR, LF or CR LF.
///
/// Blank lines are lines. What follows the last line end is a line too, unless there is nothing. Bytes that are not
/// UTF-8 become U+FFFD, one for each maximal part of a character (Unicode 16.0 section 3.9.6, as the WHATWG's Encoding
/// Standard has it), however the bytes were cut. A byte order mark is kept.
public struct LineDecoder: StreamDecoder {
    /// How long a line may be unless something else is said: 16 MiB. A stream without line ends must not fill the
    /// memory, and images in base 64 have to pass.
    public static let defaultLimit = 16 << 20

    /// How long a line may be, in bytes without its end.
    public let limit: Int

    /// How many lines there were so far: the number of the last one.
    public private(set) var count = 0

    /// What has come and was not dropped. What is consumed is, when something comes.
    private(set) var buffer: ArraySlice<UInt8> = []
    /// Where the next line starts.
    private var start = 0
    /// No line ends between `start` and here.
    private var searched = 0
    /// A carriage return ended a line and the buffer; the line feed behind it would be part of that end.
    private var skipsLineFeed = false
    private var isFinished = false
    private let dropsMark: Bool

    /// A decoder at the start of a stream.
    ///
    /// - Parameter limit: how long a line may be, in bytes without its end.
    public init(limit: Int = LineDecoder.defaultLimit) {
        self.init(limit: limit, dropsMark: false)
    }

    /// A decoder at the start of a stream; `dropsMark` for a format that does not want a byte order mark there.
    init(limit: Int, dropsMark: Bool) {
        precondition(limit >= 0, "A limit is not negative")
        self.limit = limit
        self.dropsMark = dropsMark
    }

    /// What has come of a line whose end has not.
    var unfinished: ArraySlice<UInt8> {
        let line = start..<buffer.count
        return buffer[count == 0 ? withoutMark(line) : line]
    }

    /// Takes the next bytes of the stream.
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

    /// Says that no more bytes will come, so that what has no end yet is the last line.
    public mutating func finish() {
        isFinished = true
    }

    /// The next line, without its end.
    ///
    /// - Throws: ``StreamDecodingError`` with code `lineTooLong`.
    public mutating func next() throws(StreamDecodingError) -> String? {
        guard let range = try nextRange() else { return nil }
        return String(decoding: buffer[range], as: UTF8.self)
    }

    /// The bytes of the next line, without its end.
    ///
    /// - Throws: ``StreamDecodingError`` with code `lineTooLong`.
    public mutating func nextBytes() throws(StreamDecodingError) -> ArraySlice<UInt8>? {
        try nextRange().map { buffer[$0] }
    }

    /// Where the next line is in ``buffer``; true until something is appended.
    @inline(__always)
    mutating func nextRange() throws(StreamDecodingError) -> Range<Int>? {
        if skipsLineFeed { skipLineFeed() }
        let end = buffer.span.endOfLine(from: searched)
        if end - start > limit { throw tooLong() }
        let line = start..<end
        if end < buffer.count {
            skipsLineFeed = buffer[end] == 0x0D
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
        dropsMark && buffer[line].starts(with: [0xEF, 0xBB, 0xBF]) ? line.dropFirst(3) : line
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
            "line \(count + 1) has more than \(limit) bytes: set a higher limit, or read the body in chunks"
        )
    }
}
