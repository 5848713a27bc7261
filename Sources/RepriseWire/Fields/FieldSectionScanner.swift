// SPDX-License-Identifier: Apache-2.0

/// Reads field lines up to the blank line: a header section or a trailer section (RFC 9112 section 5).
///
/// It stops where the input stops and goes on from there, byte by byte if need be, so that every byte is looked at once
/// and a fault is reported as soon as the byte that makes it certain is there.
struct FieldSectionScanner: Sendable {
    /// What a step came to.
    enum Step {
        /// One field line is complete: see ``FieldSectionScanner/field``.
        case field
        /// The blank line is complete; ``FieldSectionScanner/position`` is behind it.
        case end
        /// The input ends first.
        case needsMore
    }

    private enum State: UInt8 {
        case lineStart, name, beforeValue, value, lineFeed, lastLineFeed
    }

    /// The first byte that was not looked at yet.
    private(set) var position = 0
    /// The last eight bytes of the current name, or-ed with 0x20; see ``FieldName/known(_:tail:of:)``.
    private(set) var nameTail: UInt64 = 0

    private var state = State.lineStart
    private var fieldsLeft = 0
    private var sectionEnd = 0
    private var nameStart = 0
    private var nameEnd = 0
    private var valueStart = 0
    private var valueEnd = 0
    private var lineEnd = 0

    /// A scanner of the section that starts at `start`, of at most `limit` bytes with its blank line, and at most
    /// `fields` lines.
    init(at start: Int = 0, limit: Int = 0, fields: Int = 0) {
        position = start
        sectionEnd = start + limit
        fieldsLeft = fields
    }

    /// The field line that the last ``Step/field`` was about.
    var field: FieldRange {
        FieldRange(
            nameStart: nameStart,
            nameEnd: nameEnd,
            valueStart: valueStart,
            valueEnd: valueEnd,
            lineEnd: lineEnd
        )
    }

    /// Goes on to the end of the next line. `input` holds what it held before, and more.
    ///
    /// The states follow each other as they stand here, so a line that is all there is read without a jump back.
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

    /// What is wrong with a line that starts with `byte`.
    private func lineFault(_ byte: UInt8) -> ParsingError {
        switch byte {
        // RFC 9112 section 5.2: a folded line is rejected; so is white space before the first field (section 2.2).
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

    /// What is wrong with a name that goes on with `byte`.
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
