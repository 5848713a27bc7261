// SPDX-License-Identifier: Apache-2.0

/// The delimiter lines between the parts of a multipart body (RFC 2046 section 5.1.1): `--`, the boundary, `--` after
/// the last part, whitespace, and a line ending. Lines may also end with LF alone, as in some recordings.
@frozen
public struct MultipartDelimiter: Sendable, Hashable {
    /// The result of reading a line.
    @frozen
    public enum Reading: Equatable {
        /// The line is not a delimiter.
        case none
        /// The bytes end before the line can be identified.
        case undecided
        /// A delimiter line that ends before the index `end`.
        case delimiter(end: Int, isLast: Bool)
    }

    /// The maximum number of bytes after the boundary. Longer lines are not delimiters, which limits how much a
    /// stream reader must buffer.
    @usableFromInline static let maximumPadding = 64

    /// `--` and the boundary.
    public let start: [UInt8]

    /// Creates a delimiter for the given boundary.
    @inlinable
    public init(boundary: some Sequence<UInt8>) {
        start = [UInt8(ascii: "-"), UInt8(ascii: "-")] + boundary
    }

    /// Reads the line that starts at `line`.
    ///
    /// - Parameters:
    ///   - isLast: Whether the bytes are the end of the body.
    ///   - allowsEpilogue: Whether text may follow on the line of the last delimiter.
    @inlinable
    public func read(
        _ bytes: Span<UInt8>,
        at line: Int,
        isLast: Bool,
        allowsEpilogue: Bool = false
    ) -> Reading {
        for offset in start.indices {
            guard line + offset < bytes.count else { return isLast ? .none : .undecided }
            guard bytes[line + offset] == start[offset] else { return .none }
        }
        let rest = line + start.count
        var index = rest
        while index < bytes.count, bytes[index] != 0x0A, index - rest < Self.maximumPadding { index += 1 }
        guard index < bytes.count || isLast else { return .undecided }
        let isClosing =
            rest + 1 < bytes.count && bytes[rest] == UInt8(ascii: "-") && bytes[rest + 1] == UInt8(ascii: "-")
        var space = isClosing ? rest + 2 : rest
        while space < index, bytes[space] == 0x20 || bytes[space] == 0x09 || bytes[space] == 0x0D { space += 1 }
        // Another boundary may have this one as a prefix.
        let endsInTime = index == bytes.count || bytes[index] == 0x0A
        guard (space == index && endsInTime) || (isClosing && allowsEpilogue) else { return .none }
        return .delimiter(end: Swift.min(index + 1, bytes.count), isLast: isClosing)
    }

    /// A delimiter line in a body.
    package struct Line {
        /// The end of the content before the line.
        package var start: Int
        /// The start of the line.
        package var line: Int
        /// The start of the part after the line.
        package var end: Int
        package var isLast: Bool
    }

    /// Returns the first delimiter line at or after `position`, the start of a line. The line end before it belongs to
    /// the delimiter.
    package func next(in body: Span<UInt8>, from position: Int) -> Line? {
        var line = position
        while line < body.count {
            if case .delimiter(let end, let isLast) = read(body, at: line, isLast: true, allowsEpilogue: true) {
                var start = line
                if start > position, body[start - 1] == 0x0A { start -= 1 }
                if start > position, body[start - 1] == 0x0D { start -= 1 }
                return Line(start: start, line: line, end: end, isLast: isLast)
            }
            while line < body.count, body[line] != 0x0A { line += 1 }
            line += 1
        }
        return nil
    }
}
