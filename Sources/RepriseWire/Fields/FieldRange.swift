// SPDX-License-Identifier: Apache-2.0

/// The position of a field line in the parsed bytes.
public struct FieldRange: Sendable, Hashable {
    @usableFromInline let nameStart: UInt32
    @usableFromInline let nameEnd: UInt32
    @usableFromInline let valueStart: UInt32
    @usableFromInline let valueEnd: UInt32
    @usableFromInline let lineEnd: UInt32

    init(nameStart: Int, nameEnd: Int, valueStart: Int, valueEnd: Int, lineEnd: Int) {
        // A parser's limits keep every offset below 2^31.
        self.nameStart = UInt32(truncatingIfNeeded: nameStart)
        self.nameEnd = UInt32(truncatingIfNeeded: nameEnd)
        self.valueStart = UInt32(truncatingIfNeeded: valueStart)
        self.valueEnd = UInt32(truncatingIfNeeded: valueEnd)
        self.lineEnd = UInt32(truncatingIfNeeded: lineEnd)
    }

    /// The range of the name as written, without the colon.
    @inlinable public var name: Range<Int> { Int(nameStart)..<Int(nameEnd) }

    /// The range of the value, without surrounding whitespace.
    @inlinable public var value: Range<Int> { Int(valueStart)..<Int(valueEnd) }

    /// The range of the whole line as written, without its CR LF.
    @inlinable public var line: Range<Int> { Int(nameStart)..<Int(lineEnd) }
}
