// SPDX-License-Identifier: Apache-2.0

/// Reads the parts of multipart content (RFC 2046 section 5.1), without its preamble and epilogue.
package struct MultipartReader {
    /// The ranges of a part in the content.
    package struct Part {
        /// The header lines, with the empty line that ends them.
        package var headers: Range<Int>
        /// What follows the empty line. Empty if there is no such line.
        package var content: Range<Int>
        /// Whether an empty line ends the header lines.
        package var hasContent = true
        /// Whether a delimiter line follows.
        package var isComplete = true

        /// Removes the next header line and returns its range without white space at its end. Lines can end with LF
        /// alone. White space alone is not a line.
        package mutating func nextHeaderLine(in bytes: Span<UInt8>) -> Range<Int>? {
            while !headers.isEmpty {
                let start = headers.lowerBound
                var end = start
                while end < headers.upperBound, bytes[end] != 0x0A { end += 1 }
                headers = min(end + 1, headers.upperBound)..<headers.upperBound
                while end > start, bytes[end - 1] == 0x0D || bytes[end - 1] == 0x20 || bytes[end - 1] == 0x09 {
                    end -= 1
                }
                if end > start { return start..<end }
            }
            return nil
        }
    }

    private let delimiter: MultipartDelimiter
    /// The delimiter line before the next part.
    private var line: MultipartDelimiter.Line?

    /// Creates a reader at the first part.
    package init(_ bytes: Span<UInt8>, boundary: [UInt8]) {
        delimiter = MultipartDelimiter(boundary: boundary)
        line = delimiter.next(in: bytes, from: 0)
    }

    /// Returns the next part. If no delimiter line follows it, it is the rest of the content.
    package mutating func next(in bytes: Span<UInt8>) -> Part? {
        guard let line, !line.isLast else { return nil }
        let next = delimiter.next(in: bytes, from: line.end)
        self.line = next
        let end = max(next?.start ?? bytes.count, line.end)
        let content = Self.headerEnd(in: bytes.extracting(0..<end), from: line.end)
        return Part(
            headers: line.end..<(content ?? end),
            content: (content ?? end)..<end,
            hasContent: content != nil,
            isComplete: next != nil
        )
    }

    /// Returns the header lines of a part. Invalid lines are left out.
    package static func headerLines(in bytes: Span<UInt8>, _ headers: Range<Int>) -> [HeaderLine] {
        var part = Part(headers: headers, content: headers)
        var lines: [HeaderLine] = []
        while let line = part.nextHeaderLine(in: bytes) {
            let text = Array(bytes: bytes.extracting(line)).filter { $0 != 0x0D }
            if let header = HeaderLine(bytes: text) { lines.append(header) }
        }
        return lines
    }

    /// What a line of a part is, as far as it has been read.
    private enum Line {
        case empty, blank, name, field, other
    }

    /// Returns the end of the empty line after the header lines, or `nil` if there is none within `limit` bytes.
    ///
    /// A line of white space alone continues the header line before it (RFC 5322 section 3.2.2). If no header line
    /// follows it, it stands for the empty line, unless there is a `limit`: what looks for secrets must not take a
    /// header line for content.
    package static func headerEnd(in bytes: Span<UInt8>, from start: Int, limit: Int? = nil) -> Int? {
        var line = Line.empty
        var blankEnd: Int?
        for index in start..<min(bytes.count, limit.map { start + $0 } ?? bytes.count) {
            switch (bytes[index], line) {
            case (0x0A, .empty): return index + 1
            case (0x0A, _):
                if line == .field {
                    blankEnd = nil
                } else if line != .blank, limit == nil, let blankEnd {
                    return blankEnd
                }
                if line == .blank { blankEnd = blankEnd ?? index + 1 }
                line = .empty
            case (0x0D, _), (_, .field), (_, .other): continue
            case (0x20, .empty), (0x09, .empty), (0x20, .blank), (0x09, .blank): line = .blank
            case (UInt8(ascii: ":"), .name): line = .field
            case (let byte, .empty), (let byte, .name): line = isTokenByte(byte) ? .name : .other
            case (_, .blank): line = .other
            }
        }
        return limit == nil ? blankEnd : nil
    }
}
