// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// Canonical bytes of a pattern, with masks that match any bytes, including none. Bytes outside of masks are literal.
///
/// The bytes inside a mask identify it: a request that contains the same bytes asks for this pattern by name.
struct MaskedText: Sendable {
    let bytes: ArraySlice<UInt8>
    /// The ranges of the masks, as indices of `bytes`, in order.
    private let masks: ArraySlice<Range<Int>>

    /// The ranges of the masks, as indices of ``bytes``, in order.
    var maskRanges: ArraySlice<Range<Int>> { masks }

    /// Creates a text from all of `bytes` and the masks in them.
    init(_ bytes: [UInt8], masks: [Range<Int>] = []) {
        self.init(bytes: bytes[...], masks: masks[...])
    }

    private init(bytes: ArraySlice<UInt8>, masks: ArraySlice<Range<Int>>) {
        self.bytes = bytes
        self.masks = masks
    }

    /// A part of the text with the masks in it.
    subscript(range: Range<Int>) -> MaskedText {
        guard isMasked else { return MaskedText(bytes: bytes[range], masks: []) }
        let first = firstMask { $0.lowerBound >= range.lowerBound }
        let end = firstMask { $0.upperBound > range.upperBound }
        return MaskedText(bytes: bytes[range], masks: first < end ? masks[first..<end] : [])
    }

    var isMasked: Bool { !masks.isEmpty }
    var maskCount: Int { masks.count }
    /// The number of bytes before the first mask, or of all bytes if there are no masks.
    var prefixCount: Int { masks.first.map { $0.lowerBound - bytes.startIndex } ?? bytes.count }
    /// The number of bytes after the last mask.
    var suffixCount: Int { masks.last.map { bytes.endIndex - $0.upperBound } ?? 0 }
    /// Whether the text consists of a single mask.
    var isWhole: Bool { maskCount == 1 && prefixCount + suffixCount == 0 }

    /// Whether `value` equals the text outside the masks. A mask matches any bytes.
    func matches(_ value: Span<UInt8>) -> Bool {
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
            let start = masks[index - 1].upperBound - bytes.startIndex
            let literal = text.extracting(start..<masks[index].lowerBound - bytes.startIndex)
            guard let found = Self.first(literal, in: value.extracting(0..<end), from: position) else { return false }
            position = found + literal.count
        }
        return true
    }

    /// Whether `value` equals the text outside the masks.
    func matches(_ value: ArraySlice<UInt8>) -> Bool { matches(value.span) }

    private func firstMask(where isBeyond: (Range<Int>) -> Bool) -> Int {
        var (low, high) = (masks.startIndex, masks.endIndex)
        while low < high {
            let middle = low + (high - low) / 2
            if isBeyond(masks[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }

    static func first(_ literal: Span<UInt8>, in value: Span<UInt8>, from start: Int) -> Int? {
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
    /// The segments of a path that starts with a slash.
    var segments: [MaskedText] {
        bytes.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map {
            self[$0.startIndex..<$0.endIndex]
        }
    }

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
        let segments = segments
        let found = path.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        let shown = found.indices.map { index in
            index < segments.count && segments[index].isMasked ? segments[index].bytes : found[index]
        }
        return [UInt8(ascii: "/")] + Array(shown.joined(separator: [UInt8(ascii: "/")]))
    }
}
