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

    /// Returns the end of the empty line after the header lines, or `nil` if there is none within `limit` bytes.
    package static func headerEnd(in bytes: Span<UInt8>, from start: Int, limit: Int? = nil) -> Int? {
        var isEmpty = true
        for index in start..<min(bytes.count, limit.map { start + $0 } ?? bytes.count) {
            switch bytes[index] {
            case 0x0A where isEmpty: return index + 1
            case 0x0A: isEmpty = true
            case 0x0D: continue
            default: isEmpty = false
            }
        }
        return nil
    }
}
