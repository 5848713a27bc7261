// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// The form in which multipart bodies (RFC 2046 section 5.1) are compared. It omits the preamble, the epilogue, and the
/// boundary, which is different in each request of a client. The order of the parts is significant, as it is to
/// receivers.
///
/// Each part consists of its header lines, sorted by their bytes, with names in lower case and a line feed after
/// each; an empty line; the number of content bytes and a line feed; and the content and a line feed.
enum CanonicalMultipart {
    /// Returns the canonical form of `body`, or `nil` if it has no parts, or more than `maximumElements` parts and
    /// header lines. If `boundary` is `nil`, the boundary is taken from the first line.
    static func canonical(
        _ body: Span<UInt8>,
        boundary: [UInt8]?,
        maximumElements: Int = .max
    ) -> [UInt8]? {
        guard let boundary = boundary ?? firstLineBoundary(body), !boundary.isEmpty else { return nil }
        var reader = MultipartReader(body, boundary: boundary)
        var canonical: [UInt8] = []
        canonical.reserveCapacity(body.count)
        var left = maximumElements
        while let part = reader.next(in: body) {
            guard part.isComplete, left > 0 else { return nil }
            left -= 1
            guard append(part, of: body, &left, to: &canonical) else { return nil }
        }
        return canonical.isEmpty ? nil : canonical
    }

    /// The ranges of a part's header lines and content in the canonical form.
    struct Part {
        var headers: Range<Int>
        var content: Range<Int>
    }

    /// Returns the parts of a canonical form.
    static func parts(_ canonical: Span<UInt8>) -> [Part] {
        var parts: [Part] = []
        var index = 0
        while index < canonical.count {
            let start = index
            while index < canonical.count, !isEmptyLine(canonical, at: index, from: start) { index += 1 }
            let headers = start..<index
            index += 1
            var count = 0
            while index < canonical.count, isDigit(canonical[index]) {
                count = count * 10 + Int(canonical[index] &- 0x30)
                index += 1
            }
            let content = min(index + 1, canonical.count)
            let end = min(content + count, canonical.count)
            parts.append(Part(headers: headers, content: content..<end))
            index = end + 1
        }
        return parts
    }

    /// Returns the number of parts and header lines in a canonical form.
    static func elementCount(_ canonical: Span<UInt8>) -> Int {
        parts(canonical).reduce(0) { count, part in
            var lines = 0
            for index in part.headers where canonical[index] == 0x0A { lines += 1 }
            return count + 1 + lines
        }
    }

    private static func isEmptyLine(_ bytes: Span<UInt8>, at index: Int, from start: Int) -> Bool {
        bytes[index] == 0x0A && (index == start || bytes[index - 1] == 0x0A)
    }

    private static func firstLineBoundary(_ body: Span<UInt8>) -> [UInt8]? {
        guard body.count > 2, body[0] == UInt8(ascii: "-"), body[1] == UInt8(ascii: "-") else { return nil }
        var boundary: [UInt8] = []
        var index = 2
        // A boundary has at most 70 characters (RFC 2046 section 5.1.1).
        while index < body.count, index < 74, body[index] != 0x0D, body[index] != 0x0A {
            boundary.append(body[index])
            index += 1
        }
        while boundary.last == 0x20 || boundary.last == 0x09 { boundary.removeLast() }
        return boundary
    }

    /// Appends a part and subtracts its number of header lines from `left`. Returns `false` if that exceeds the
    /// limit.
    private static func append(
        _ part: MultipartReader.Part,
        of body: Span<UInt8>,
        _ left: inout Int,
        to canonical: inout [UInt8]
    ) -> Bool {
        var part = part
        var lines: [[UInt8]] = []
        while let line = part.nextHeaderLine(in: body) {
            guard left > 0 else { return false }
            left -= 1
            lines.append(headerLine(body.extracting(line)))
        }
        lines.sort { $0.lexicographicallyPrecedes($1) }
        for line in lines {
            canonical.append(contentsOf: line)
            canonical.append(0x0A)
        }
        canonical.append(0x0A)
        canonical.append(contentsOf: "\(part.content.count)\n".utf8)
        for index in part.content { canonical.append(body[index]) }
        canonical.append(0x0A)
        return true
    }

    /// Returns a header line with its name in lower case and no whitespace before its value.
    private static func headerLine(_ line: Span<UInt8>) -> [UInt8] {
        var canonical: [UInt8] = []
        var index = 0
        while index < line.count, line[index] != UInt8(ascii: ":") {
            canonical.append(line[index].asciiLowercased)
            index += 1
        }
        guard index < line.count else { return canonical }
        canonical.append(UInt8(ascii: ":"))
        index += 1
        while index < line.count, line[index] <= 0x20 { index += 1 }
        for offset in index..<line.count { canonical.append(line[offset]) }
        return canonical
    }
}
