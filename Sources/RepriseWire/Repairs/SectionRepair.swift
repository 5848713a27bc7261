// SPDX-License-Identifier: Apache-2.0

/// Rewrites a head or a trailer section that a strict parser rejects, so that it is valid if it can only mean one
/// thing.
///
/// The result goes through the strict parser again. What is not repaired here is therefore rejected there, and no
/// rewritten byte is trusted. Lines that are valid are kept byte for byte.
struct SectionRepair {
    /// The rewritten section, including the blank line.
    private(set) var bytes: [UInt8] = []
    private(set) var repairs: ResponseRepairs = []
    private var lines: [Line] = []
    /// The starts of the lines in ``bytes`` and in the input.
    private var starts: [(rewritten: Int, received: Int)] = []
    /// Whether a folded line continues a line that was removed.
    private var isSkipping = false

    private struct Line {
        var bytes: [UInt8]
        /// The length of the name; nil in a status line.
        var name: Int?
        let start: Int

        /// The value without surrounding whitespace.
        var value: ArraySlice<UInt8> {
            guard let name else { return [] }
            let value = bytes[(name + 1)...].drop { $0.isWhitespace }
            return value.dropLast(value.reversed().prefix { $0.isWhitespace }.count)
        }

        func isNamed(_ other: String) -> Bool {
            guard let name else { return false }
            let line = bytes[...]
            return FieldName.matches(0..<name, of: line.span, other)
        }
    }

    /// Rewrites the section in `input`, which ends with its blank line.
    init(_ input: Span<UInt8>, hasStatusLine: Bool) {
        var start = 0
        for index in 0..<input.count where input[index] == Byte.lineFeed {
            guard add(input, start..<index, isStatusLine: hasStatusLine && lines.isEmpty) else { break }
            start = index + 1
        }
        repairFraming()
        write()
    }

    /// Returns the offset in the input for one in ``bytes``.
    func received(_ offset: Int) -> Int {
        let line = starts.last { $0.rewritten <= offset } ?? (0, 0)
        return line.received + offset - line.rewritten
    }

    // MARK: Lines

    /// Adds the line before a line feed. Returns false if it cannot be repaired, so that the rest does not matter.
    private mutating func add(_ input: Span<UInt8>, _ range: Range<Int>, isStatusLine: Bool) -> Bool {
        var end = range.upperBound
        while end > range.lowerBound, input[end - 1] == Byte.carriageReturn { end -= 1 }
        if range.upperBound - end != 1 { repairs.insert(.lineEnds) }
        let line = range.lowerBound..<end
        if line.isEmpty {
            // Only before the status line. Otherwise, it is the blank line at the end.
            if isStatusLine { repairs.insert(.leadingLines) }
            return true
        }
        if isStatusLine {
            lines.append(Line(bytes: statusLine([UInt8](span: input.extracting(line))), start: line.lowerBound))
            return true
        }
        if input[line.lowerBound].isWhitespace, isSkipping || lines.last?.name != nil {
            join(input, line)
            return true
        }
        return addField(input, line)
    }

    private mutating func join(_ input: Span<UInt8>, _ line: Range<Int>) {
        repairs.insert(.foldedLines)
        guard !isSkipping else { return }
        var start = line.lowerBound
        while start < line.upperBound, input[start].isWhitespace { start += 1 }
        guard start < line.upperBound else { return }
        var joined = lines.removeLast()
        while let last = joined.bytes.last, last.isWhitespace { joined.bytes.removeLast() }
        joined.bytes.append(Byte.space)
        for index in start..<line.upperBound { joined.bytes.append(input[index]) }
        lines.append(joined)
    }

    private mutating func addField(_ input: Span<UInt8>, _ line: Range<Int>) -> Bool {
        isSkipping = false
        var bytes = [UInt8](span: input.extracting(line))
        guard let colon = bytes.firstIndex(of: Byte.colon) else {
            lines.append(Line(bytes: bytes, name: nil, start: line.lowerBound))
            return false
        }
        let name = bytes[..<colon]
        let spaces = name.reversed().prefix { $0.isWhitespace }.count
        let nameEnd = colon - spaces
        if nameEnd == 0 || !FieldName.isToken(bytes[..<nameEnd]) {
            // A control character could end a line elsewhere, so that the name would be another one there.
            guard bytes.allSatisfy({ $0.isFieldContent }), bytes.first?.isWhitespace == false else {
                lines.append(Line(bytes: bytes, name: nil, start: line.lowerBound))
                return false
            }
            repairs.insert(.fieldNames)
            isSkipping = true
            return true
        }
        if spaces > 0 {
            repairs.insert(.whitespaceBeforeColon)
            bytes.removeSubrange(nameEnd..<colon)
        }
        lines.append(Line(bytes: bytes, name: nameEnd, start: line.lowerBound))
        return true
    }

    /// Returns `HTTP/1.1 200 OK` for `http/1.1  200 OK`.
    private mutating func statusLine(_ line: [UInt8]) -> [UInt8] {
        guard line.count > VersionName.length else { return line }
        var repaired = line
        for index in 0..<4 where repaired[index] &- 0x61 < 26 { repaired[index] &-= 0x20 }
        guard repaired.prefix(5).elementsEqual("HTTP/".utf8) else { return line }
        let spaces = repaired[VersionName.length...].prefix { $0.isWhitespace }.count
        if spaces > 1 { repaired.replaceSubrange(VersionName.length..<VersionName.length + spaces, with: [Byte.space]) }
        if repaired != line { repairs.insert(.statusLine) }
        return repaired
    }

    // MARK: Framing

    private mutating func repairFraming() {
        repairTransferEncoding()
        if lines.contains(where: { $0.isNamed("transfer-encoding") }) {
            let count = lines.count
            lines.removeAll { $0.isNamed("content-length") }
            if lines.count < count { repairs.insert(.lengthBesideChunks) }
        } else {
            repairContentLength()
        }
    }

    /// Reduces Transfer-Encoding to `chunked` or to nothing, if it contains only `chunked` and `identity`.
    private mutating func repairTransferEncoding() {
        let fields = lines.filter { $0.isNamed("transfer-encoding") }
        let codings = fields.flatMap { Self.elements($0.value) }
        let chunked = codings.filter { Self.isEqual($0, "chunked") }.count
        let identity = codings.filter { Self.isEqual($0, "identity") }.count
        guard !codings.isEmpty, chunked + identity == codings.count else { return }
        let isPlain = fields.count == 1 && chunked == 1 && Self.isEqual(fields[0].value, "chunked")
        if isPlain { return }
        repairs.insert(.transferEncoding)
        keepFirst("transfer-encoding", value: chunked > 0 ? "chunked" : nil)
    }

    private mutating func repairContentLength() {
        let fields = lines.filter { $0.isNamed("content-length") }
        let values = fields.flatMap { Self.elements($0.value) }
        guard values.count > 1, let number = Self.decimal(values[0]),
            values.allSatisfy({ Self.decimal($0) == number })
        else { return }
        repairs.insert(.repeatedLength)
        keepFirst("content-length", value: String(number))
    }

    /// Keeps the first line with a name, with another value, and removes the others; removes all if `value` is nil.
    private mutating func keepFirst(_ name: String, value: String?) {
        var value = value
        lines = lines.compactMap { line in
            guard line.isNamed(name), let nameEnd = line.name else { return line }
            guard let kept = value else { return nil }
            value = nil
            var line = line
            line.bytes.replaceSubrange((nameEnd + 1)..., with: " \(kept)".utf8)
            return line
        }
    }

    private static func elements(_ value: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
        var list = FieldValue.List(0..<value.count)
        let span = value.span
        var elements: [ArraySlice<UInt8>] = []
        while let range = list.next(in: span) {
            elements.append(value[value.startIndex + range.lowerBound..<value.startIndex + range.upperBound])
        }
        return elements
    }

    private static func isEqual(_ value: ArraySlice<UInt8>, _ text: String) -> Bool {
        FieldValue.matches(0..<value.count, of: value.span, text)
    }

    private static func decimal(_ value: ArraySlice<UInt8>) -> Int? {
        FieldValue.decimal(at: 0..<value.count, of: value.span)
    }

    // MARK: Writing

    private mutating func write() {
        bytes.reserveCapacity(lines.reduce(2) { $0 + $1.bytes.count + 2 })
        starts.reserveCapacity(lines.count)
        for line in lines {
            starts.append((bytes.count, line.start))
            bytes += line.bytes
            bytes.append(Byte.carriageReturn)
            bytes.append(Byte.lineFeed)
        }
        bytes.append(Byte.carriageReturn)
        bytes.append(Byte.lineFeed)
    }
}

extension [UInt8] {
    fileprivate init(span: Span<UInt8>) {
        self.init()
        reserveCapacity(span.count)
        for index in 0..<span.count { append(span[index]) }
    }
}

extension ParsingError.Kind {
    /// Whether a response with this error may be repairable.
    var mayBeRepaired: Bool {
        switch self {
        case .invalidVersion, .invalidStatusCode, .bareLineFeed, .bareCarriageReturn, .emptyFieldName,
            .invalidFieldName,
            .whitespaceBeforeColon, .foldedLine, .invalidContentLength, .conflictingContentLength,
            .contentLengthWithTransferEncoding, .invalidTransferEncoding, .unsupportedTransferEncoding:
            true
        default: false
        }
    }
}
