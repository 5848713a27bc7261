// SPDX-License-Identifier: Apache-2.0

/// The lines between the parts of a multipart body (RFC 2046 section 5.1.1): `--`, the boundary, `--` after the last part,
/// white space, and a line end. Lines may end with LF alone, as some captures have them.
@frozen
public struct MultipartDelimiter: Sendable, Hashable {
    /// What a line is.
    @frozen
    public enum Reading: Equatable {
        /// Not a delimiter.
        case none
        /// The bytes end before it shows whether it is one.
        case undecided
        /// A delimiter that ends before the index.
        case delimiter(end: Int, isLast: Bool)
    }

    /// A line with more bytes behind the boundary is no delimiter, so that a reader of a stream never holds more.
    @usableFromInline static let maximumPadding = 64

    /// `--` and the boundary.
    public let start: [UInt8]

    /// The delimiter with that boundary.
    @inlinable
    public init(boundary: some Sequence<UInt8>) {
        start = [UInt8(ascii: "-"), UInt8(ascii: "-")] + boundary
    }

    /// What the line that starts at `line` is.
    ///
    /// - Parameters:
    ///   - isLast: Whether nothing follows behind the bytes.
    ///   - allowsEpilogue: Whether any text may follow on the line of the last delimiter.
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
        // Another boundary may start with this one.
        let endsInTime = index == bytes.count || bytes[index] == 0x0A
        guard (space == index && endsInTime) || (isClosing && allowsEpilogue) else { return .none }
        return .delimiter(end: Swift.min(index + 1, bytes.count), isLast: isClosing)
    }
}
