// SPDX-License-Identifier: Apache-2.0

/// Scans field lines up to the blank line, in a header section or a trailer section (RFC 9112 section 5).
///
/// The scanner stops at the end of the input and later continues from there, even in the middle of a line. It reads
/// every byte once and reports an error at the first byte that makes the section invalid.
struct FieldSectionScanner: Sendable {
    /// The result of a step.
    enum Step {
        /// A field line is complete; see ``FieldSectionScanner/field``.
        case field
        /// The blank line is complete. ``FieldSectionScanner/position`` is after it.
        case end
        /// The input ends before the next line is complete.
        case needsMore
    }

    private enum State: UInt8 {
        case lineStart, name, beforeValue, value, lineFeed, lastLineFeed
    }

    /// The offset of the first byte that has not been read.
    private(set) var position = 0
    /// The last eight bytes of the current name, each ORed with 0x20; see ``FieldName/known(_:tail:of:)``.
    private(set) var nameTail: UInt64 = 0

    private var state = State.lineStart
    private var fieldsLeft = 0
    private var sectionEnd = 0
    private var nameStart = 0
    private var nameEnd = 0
    private var valueStart = 0
    private var valueEnd = 0
    private var lineEnd = 0

    /// Creates a scanner for the section at `start`, with at most `limit` bytes including the blank line, and at most
    /// `fields` lines.
    init(at start: Int = 0, limit: Int = 0, fields: Int = 0) {
        position = start
        sectionEnd = start + limit
        fieldsLeft = fields
    }

    /// The field line that the last ``Step/field`` refers to.
    var field: FieldRange {
        FieldRange(
            nameStart: nameStart,
            nameEnd: nameEnd,
            valueStart: valueStart,
            valueEnd: valueEnd,
            lineEnd: lineEnd
        )
    }

    /// Scans to the end of the next line. `input` contains the bytes of the previous call, and possibly more.
    ///
    /// The states are handled in order, so a line that is completely available is scanned without a jump back.
    @inline(__always)
    mutating func next(_ input: Span<UInt8>) throws(ParsingError) -> Step {
        let end = min(input.count, sectionEnd)
        if state == .lineStart {
            guard position < end else { return try needMore() }
            try beginLine(input)
        }
        if state == .name {
            guard try scanName(input, to: end) else { return try needMore() }
        }
        if state == .beforeValue {
            guard skipWhitespace(input, to: end) else { return try needMore() }
        }
        if state == .value {
            guard try scanValue(input, to: end) else { return try needMore() }
        }
        guard position < end else { return try needMore() }
        let byte = input[position]
        guard byte == Byte.lineFeed else { throw ParsingError(.bareCarriageReturn, at: position, found: byte) }
        position += 1
        if state == .lastLineFeed { return .end }
        state = .lineStart
        return .field
    }

    private func needMore() throws(ParsingError) -> Step {
        if position >= sectionEnd { throw ParsingError(.oversizedHeaderSection, at: position) }
        return .needsMore
    }

    @inline(__always)
    private mutating func beginLine(_ input: Span<UInt8>) throws(ParsingError) {
        let byte = input[position]
        if byte == Byte.carriageReturn {
            state = .lastLineFeed
            position += 1
            return
        }
        guard byte.isToken else { throw lineFault(byte) }
        if fieldsLeft == 0 { throw ParsingError(.excessiveFields, at: position) }
        fieldsLeft -= 1
        nameStart = position
        nameTail = 0
        state = .name
    }

    private func lineFault(_ byte: UInt8) -> ParsingError {
        switch byte {
        // RFC 9112 section 5.2: a folded line is rejected, and so is whitespace before the first field (section 2.2).
        case Byte.space, Byte.tab: ParsingError(.foldedLine, at: position, found: byte)
        case Byte.colon: ParsingError(.emptyFieldName, at: position, found: byte)
        case Byte.lineFeed: ParsingError(.bareLineFeed, at: position, found: byte)
        default: ParsingError(.invalidFieldName, at: position, found: byte)
        }
    }

    @inline(__always)
    private mutating func scanName(_ input: Span<UInt8>, to end: Int) throws(ParsingError) -> Bool {
        var index = position
        var tail = nameTail
        while index < end {
            let byte = input[index]
            if !byte.isToken { break }
            tail = tail << 8 | UInt64(byte | 0x20)
            index += 1
        }
        position = index
        nameTail = tail
        if index == end { return false }
        let byte = input[index]
        guard byte == Byte.colon else { throw nameFault(byte) }
        nameEnd = index
        position = index + 1
        state = .beforeValue
        return true
    }

    private func nameFault(_ byte: UInt8) -> ParsingError {
        switch byte {
        case Byte.space, Byte.tab: ParsingError(.whitespaceBeforeColon, at: position, found: byte)
        case Byte.carriageReturn, Byte.lineFeed: ParsingError(.missingColon, at: position, found: byte)
        default: ParsingError(.invalidFieldName, at: position, found: byte)
        }
    }

    @inline(__always)
    private mutating func skipWhitespace(_ input: Span<UInt8>, to end: Int) -> Bool {
        var index = position
        while index < end, input[index].isWhitespace { index += 1 }
        position = index
        if index == end { return false }
        valueStart = index
        state = .value
        return true
    }

    @inline(__always)
    private mutating func scanValue(_ input: Span<UInt8>, to end: Int) throws(ParsingError) -> Bool {
        var index = position
        while index < end, input[index].isFieldContent { index += 1 }
        position = index
        if index == end { return false }
        let byte = input[index]
        guard byte == Byte.carriageReturn else {
            throw ParsingError(byte == Byte.lineFeed ? .bareLineFeed : .invalidFieldValue, at: index, found: byte)
        }
        lineEnd = index
        position = index + 1
        while index > valueStart, input[index - 1].isWhitespace { index -= 1 }
        valueEnd = index
        state = .lineFeed
        return true
    }
}
