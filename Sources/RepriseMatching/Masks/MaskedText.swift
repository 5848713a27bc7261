// SPDX-License-Identifier: Apache-2.0

/// Canonical bytes of a pattern in which any bytes will do, none included, where there is a mask. The rest stands for
/// itself.
///
/// What the bytes spell at a mask is the mask's identity: a request that is spelled so asks for this pattern by name.
struct MaskedText: Sendable {
    let bytes: ArraySlice<UInt8>
    /// Where the masks are, as indices of the bytes, in order.
    private let masks: ArraySlice<Range<Int>>

    /// `bytes`, all of them, and the masks in them.
    init(_ bytes: [UInt8], masks: [Range<Int>] = []) {
        self.init(bytes: bytes[...], masks: masks[...])
    }

    private init(bytes: ArraySlice<UInt8>, masks: ArraySlice<Range<Int>>) {
        self.bytes = bytes
        self.masks = masks
    }

    /// A part of the text, with the masks that are in it.
    subscript(range: Range<Int>) -> MaskedText {
        guard isMasked else { return MaskedText(bytes: bytes[range], masks: []) }
        let first = firstMask { $0.lowerBound >= range.lowerBound }
        let end = firstMask { $0.upperBound > range.upperBound }
        return MaskedText(bytes: bytes[range], masks: first < end ? masks[first..<end] : [])
    }

    /// Whether there is a mask.
    var isMasked: Bool { !masks.isEmpty }
    /// How many masks there are.
    var maskCount: Int { masks.count }
    /// How many bytes stand before the first mask; all if there is none.
    var prefixCount: Int { masks.first.map { $0.lowerBound - bytes.startIndex } ?? bytes.count }
    /// How many bytes stand after the last mask.
    var suffixCount: Int { masks.last.map { bytes.endIndex - $0.upperBound } ?? 0 }
    /// Whether it is one mask and nothing else.
    var isWhole: Bool { maskCount == 1 && prefixCount + suffixCount == 0 }

    /// Whether `value` is what the text may stand for.
    func matches(_ value: Span<UInt8>) -> Bool {
        let text = bytes.span
        let end = value.count - suffixCount
        var position = prefixCount
        guard isMasked ? position <= end : bytes.count == value.count,
            Self.isEqual(text.extracting(0..<position), value, at: 0),
            Self.isEqual(text.extracting(bytes.count - suffixCount..<bytes.count), value, at: end)
        else { return false }
        // What stands between two masks is taken where it comes first: that leaves the most for what follows.
        for index in masks.indices.dropFirst() {
            let start = masks[index - 1].upperBound - bytes.startIndex
            let literal = text.extracting(start..<masks[index].lowerBound - bytes.startIndex)
            guard let found = Self.first(literal, in: value.extracting(0..<end), from: position) else { return false }
            position = found + literal.count
        }
        return true
    }

    /// Whether `value` is what the text may stand for.
    func matches(_ value: ArraySlice<UInt8>) -> Bool { matches(value.span) }

    private func firstMask(where isBeyond: (Range<Int>) -> Bool) -> Int {
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

// No mask in a path stands for a slash, or for a whole segment that is empty.
extension MaskedText {
    /// The segments of a path that starts with a slash.
    var segments: [MaskedText] {
        bytes.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map {
            self[$0.startIndex..<$0.endIndex]
        }
    }

    /// Whether `path` is what this path may stand for.
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

    /// `path` with this path's own spelling in place of the segments that its masks stand for, to be shown.
    func concealed(_ path: [UInt8]) -> [UInt8] {
        guard path.first == UInt8(ascii: "/"), bytes.first == UInt8(ascii: "/") else { return path }
        let segments = segments
        let found = path.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        let shown = found.indices.map { index in
            index < segments.count && segments[index].isMasked ? segments[index].bytes : found[index]
        }
        return [UInt8(ascii: "/")] + Array(shown.joined(separator: [UInt8(ascii: "/")]))
    }
}
