// SPDX-License-Identifier: Apache-2.0

/// Validates and skips chunk extensions (RFC 9112 section 7.1.1).
///
/// Their total length may exceed that of the content so far by at most 4 KiB. A long extension on every one-byte
/// chunk is an attack, but a signature on each chunk of a large upload is not.
struct ChunkExtensionScanner: Sendable {
    private enum State: UInt8 {
        case inactive, beforeSemicolon, beforeName, name, afterName, beforeValue, token, quoted, escaped, afterQuoted
        /// Within a malformed extension that is ignored.
        case malformed
    }

    private static let freeBytes = 4 * 1024
    private var state = State.inactive
    private var allowance = ChunkExtensionScanner.freeBytes
    private let ignoresMalformed: Bool
    private(set) var repairs: ResponseRepairs = []

    init(ignoresMalformed: Bool = false) {
        self.ignoresMalformed = ignoresMalformed
    }

    /// Whether the extensions of a chunk are being read.
    var isActive: Bool { state != .inactive }

    /// Raises the allowance by `count` bytes, because that many bytes of content were received.
    mutating func allow(_ count: Int) {
        let (sum, overflows) = allowance.addingReportingOverflow(count)
        allowance = overflows ? .max : sum
    }

    /// Starts scanning. The next byte is the first one after a chunk's size and not part of its line end.
    mutating func begin() { state = .beforeSemicolon }

    /// Continues scanning. Returns true if the extensions and the carriage return after them have been consumed. If
    /// malformed extensions are ignored, the line may end without a carriage return.
    mutating func scan(_ input: Span<UInt8>, _ position: inout Int) throws(ParsingError) -> Bool {
        while state != .inactive, position < input.count {
            let byte = input[position]
            if ignoresMalformed, byte == Byte.lineFeed {
                if state != .malformed { repairs.insert(.chunkLineEnds) }
                state = .inactive
                return true
            }
            let following = following(byte) ?? (ignoresMalformed ? .malformed : nil)
            guard let next = following else {
                let isLineFeed = byte == Byte.lineFeed
                throw ParsingError(isLineFeed ? .bareLineFeed : .invalidChunkExtension, at: position, found: byte)
            }
            if next != .inactive {
                if allowance == 0 { throw ParsingError(.excessiveChunkExtensions, at: position) }
                allowance -= 1
            }
            if next == .malformed { repairs.insert(.chunkExtensions) }
            state = next
            position += 1
            if next == .inactive { return true }
        }
        return false
    }

    /// Returns the state after `byte`: inactive at the end of the line, or nil if the byte is invalid here.
    private func following(_ byte: UInt8) -> State? {
        switch state {
        case .inactive: return nil
        // It ends with a line feed, and everything else is part of it.
        case .malformed: return .malformed
        case .beforeSemicolon:
            if byte.isWhitespace { return .beforeSemicolon }
            return byte == Byte.semicolon ? .beforeName : nil
        case .beforeName:
            if byte.isWhitespace { return .beforeName }
            return byte.isToken ? .name : nil
        case .name:
            if byte.isToken { return .name }
            return byte == Byte.equals ? .beforeValue : afterPart(byte, whitespace: .afterName)
        case .afterName:
            if byte.isWhitespace { return .afterName }
            if byte == Byte.equals { return .beforeValue }
            return byte == Byte.semicolon ? .beforeName : nil
        case .beforeValue:
            if byte.isWhitespace { return .beforeValue }
            if byte == Byte.quote { return .quoted }
            return byte.isToken ? .token : nil
        case .token: return byte.isToken ? .token : afterPart(byte, whitespace: .beforeSemicolon)
        case .quoted:
            if byte == Byte.quote { return .afterQuoted }
            if byte == Byte.backslash { return .escaped }
            return byte.isFieldContent ? .quoted : nil
        case .escaped: return byte.isFieldContent ? .quoted : nil
        case .afterQuoted: return afterPart(byte, whitespace: .beforeSemicolon)
        }
    }

    private func afterPart(_ byte: UInt8, whitespace: State) -> State? {
        switch byte {
        case Byte.carriageReturn: .inactive
        case Byte.semicolon: .beforeName
        case Byte.space, Byte.tab: whitespace
        default: nil
        }
    }
}
