// SPDX-License-Identifier: Apache-2.0

package import RepriseText

/// A cache of recently read header lines. The exchanges of a cassette share most of their header lines, and a cached
/// line is neither validated nor stored again.
package struct HeaderLineCache {
    private var lines = [HeaderLine?](repeating: nil, count: slotCount)

    package static let slotCount = 256

    /// Creates an empty cache.
    package init() {}

    /// Returns the header line with these bytes, or `nil` if they are not a valid header line.
    package mutating func line(_ bytes: Span<UInt8>) -> HeaderLine? {
        let slot = Self.slot(bytes)
        if let line = lines[slot], Self.isSame(line.bytes.span, bytes) { return line }
        var copy: [UInt8] = []
        copy.reserveCapacity(bytes.count)
        for index in bytes.indices { copy.append(bytes[index]) }
        guard let line = HeaderLine(bytes: copy) else { return nil }
        lines[slot] = line
        return line
    }

    /// Returns the header line in the string token at `range`, which has no escapes, or `nil` if it is not a valid
    /// header line.
    mutating func line(at range: Range<Int>, in bytes: [UInt8]) -> HeaderLine? {
        let slot = Self.slot(bytes.span.extracting(range))
        if let line = lines[slot], Self.isSame(line.bytes.span, bytes.span.extracting(range)) { return line }
        guard let line = HeaderLine(bytes: Array(bytes[range])) else { return nil }
        lines[slot] = line
        return line
    }

    /// Returns a slot computed from the length, the start and the end, which differ for most lines.
    package static func slot(_ text: Span<UInt8>) -> Int {
        var hash = UInt64(text.count)
        if text.count >= 8 {
            hash = (hash ^ text.word(at: 0)) &* 0x9E37_79B9_7F4A_7C15
            hash = (hash ^ hash >> 32 ^ text.word(at: text.count / 2 - 4)) &* 0x9E37_79B9_7F4A_7C15
            hash = (hash ^ hash >> 32 ^ text.word(at: text.count - 8)) &* 0x9E37_79B9_7F4A_7C15
        }
        return Int(hash >> 56) & (slotCount - 1)
    }

    /// Whether both spans contain the same bytes.
    package static func isSame(_ one: Span<UInt8>, _ other: Span<UInt8>) -> Bool {
        guard one.count == other.count else { return false }
        var index = 0
        while index &+ 8 <= one.count {
            guard one.word(at: index) == other.word(at: index) else { return false }
            index &+= 8
        }
        while index < one.count {
            guard one[index] == other[index] else { return false }
            index &+= 1
        }
        return true
    }
}
