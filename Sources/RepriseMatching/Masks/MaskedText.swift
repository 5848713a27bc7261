// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// A place in canonical bytes where any text matches.
package struct Mask: Sendable, Hashable {
    /// The place.
    package var range: Range<Int>
    /// The number of the stand-in at this place in the table of its recording; `nil` if the recording has no table.
    package var standIn: Int32?

    init(_ range: Range<Int>, standIn: Int32? = nil) {
        self.range = range
        self.standIn = standIn
    }

    /// Returns the masks that `mask` finds at an index, in order and without overlaps.
    static func all(in bytes: Span<UInt8>, _ mask: (Int) -> Mask?) -> [Mask] {
        var masks: [Mask] = []
        var index = 0
        while index < bytes.count {
            let found = mask(index)
            if let found { masks.append(found) }
            index = found?.range.upperBound ?? index + 1
        }
        return masks
    }
}

/// Canonical bytes of a pattern, with masks that match any bytes, including none. Bytes outside of masks are literal.
///
/// The bytes inside a mask identify it: a request that contains the same bytes asks for this pattern by name.
struct MaskedText: Sendable {
    let bytes: ArraySlice<UInt8>
    /// The masks, whose ranges are indices of ``bytes``, in order.
    let masks: ArraySlice<Mask>

    /// Creates a text from all of `bytes` and the masks in them.
    init(_ bytes: [UInt8], masks: [Mask] = []) {
        self.init(bytes: bytes[...], masks: masks[...])
    }

    private init(bytes: ArraySlice<UInt8>, masks: ArraySlice<Mask>) {
        self.bytes = bytes
        self.masks = masks
    }

    /// A part of the text with the masks in it.
    subscript(range: Range<Int>) -> MaskedText {
        guard isMasked else { return MaskedText(bytes: bytes[range], masks: []) }
        let first = firstMask { $0.range.lowerBound >= range.lowerBound }
        let end = firstMask { $0.range.upperBound > range.upperBound }
        return MaskedText(bytes: bytes[range], masks: first < end ? masks[first..<end] : [])
    }

    var isMasked: Bool { !masks.isEmpty }
    var maskCount: Int { masks.count }
    /// The number of bytes before the first mask, or of all bytes if there are no masks.
    var prefixCount: Int { masks.first.map { $0.range.lowerBound - bytes.startIndex } ?? bytes.count }
    /// The number of bytes after the last mask.
    var suffixCount: Int { masks.last.map { bytes.endIndex - $0.range.upperBound } ?? 0 }
    /// Whether the text consists of a single mask.
    var isWhole: Bool { maskCount == 1 && prefixCount + suffixCount == 0 }

    /// Whether `value` equals the text outside the masks. A mask matches any bytes.
    func matches(_ value: Span<UInt8>) -> Bool { match(value) { _ in } }

    /// Whether `value` equals the text outside the masks.
    func matches(_ value: ArraySlice<UInt8>) -> Bool { matches(value.span) }

    /// Returns the ranges of `value` that the masks match, or `nil` if the text does not match.
    func captures(in value: Span<UInt8>) -> [Range<Int>]? {
        var captures: [Range<Int>] = []
        return match(value) { captures.append($0) } ? captures : nil
    }

    /// Calls `capture` with what each mask matches. Returns whether the text matches.
    private func match(_ value: Span<UInt8>, _ capture: (Range<Int>) -> Void) -> Bool {
        let text = bytes.span
        let end = value.count - suffixCount
        var position = prefixCount
        guard isMasked ? position <= end : bytes.count == value.count,
            Self.isEqual(text.extracting(0..<position), value, at: 0),
            Self.isEqual(text.extracting(bytes.count - suffixCount..<bytes.count), value, at: end)
        else { return false }
        // Literal text between two masks is matched at its first occurrence, which leaves the most bytes for the
        // rest.
        for index in masks.indices.dropFirst() {
            let start = masks[index - 1].range.upperBound - bytes.startIndex
            let literal = text.extracting(start..<masks[index].range.lowerBound - bytes.startIndex)
            guard let found = Self.first(literal, in: value.extracting(0..<end), from: position) else { return false }
            capture(position..<found)
            position = found + literal.count
        }
        if isMasked { capture(position..<end) }
        return true
    }

    private func firstMask(where isBeyond: (Mask) -> Bool) -> Int {
        var (low, high) = (masks.startIndex, masks.endIndex)
        while low < high {
            let middle = low + (high - low) / 2
            if isBeyond(masks[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }

    private static func first(_ literal: Span<UInt8>, in value: Span<UInt8>, from start: Int) -> Int? {
        var index = start
        while index + literal.count <= value.count {
            if isEqual(literal, value, at: index) { return index }
            index += 1
        }
        return nil
    }

    private static func isEqual(_ literal: Span<UInt8>, _ value: Span<UInt8>, at start: Int) -> Bool {
        for index in literal.indices where literal[index] != value[start + index] { return false }
        return true
    }
}

// MARK: - Paths

// A mask in a path never matches a slash or a whole empty segment.
extension MaskedText {
    /// Whether `path` matches this path, including its masks.
    func matches(path: Span<UInt8>) -> Bool {
        guard path.count > 0, path[0] == UInt8(ascii: "/"), bytes.first == UInt8(ascii: "/") else { return false }
        let pattern = bytes.span
        var (end, other) = (0, 0)
        while end < pattern.count, other < path.count {
            let (start, otherStart) = (end + 1, other + 1)
            end = PathTrie.endOfSegment(in: pattern, from: start)
            other = PathTrie.endOfSegment(in: path, from: otherStart)
            let segment = self[bytes.startIndex + start..<bytes.startIndex + end]
            if segment.isMasked, otherStart == other { return false }
            guard segment.matches(path.extracting(otherStart..<other)) else { return false }
        }
        return end == pattern.count && other == path.count
    }

    /// Returns `path` for display, with the segments that match masks replaced by this path's own spelling.
    func maskingSegments(of path: [UInt8]) -> [UInt8] {
        guard path.first == UInt8(ascii: "/"), bytes.first == UInt8(ascii: "/") else { return path }
        let own = CanonicalForm.path.pieces(of: Array(bytes))
        return CanonicalForm.path.pieces(of: path).enumerated().reduce(into: []) { shown, segment in
            let mask = own.dropFirst(segment.offset).first.map { self[$0.range] }
            shown.append(UInt8(ascii: "/"))
            shown += mask?.isMasked == true ? mask?.bytes ?? [] : path[segment.element.range]
        }
    }
}
