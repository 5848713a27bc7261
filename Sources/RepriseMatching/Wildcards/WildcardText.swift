// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// Canonical bytes that hold markers of redaction: each stands for any bytes, none included, and the rest for itself.
struct WildcardText {
    private let bytes: ArraySlice<UInt8>
    /// Where the markers are, counted from the start of the bytes.
    private let markers: [Range<Int>]

    /// `nil` if there is no marker in `bytes`.
    init?(_ bytes: ArraySlice<UInt8>) {
        markers = RedactionMarker.ranges(in: bytes.span)
        self.bytes = bytes
        if markers.isEmpty { return nil }
    }

    /// How many markers there are.
    var markerCount: Int { markers.count }
    /// How many bytes stand before the first marker.
    var prefixCount: Int { markers[0].lowerBound }
    /// How many bytes stand after the last marker.
    var suffixCount: Int { bytes.count - markers[markers.count - 1].upperBound }
    /// Whether it is one marker and nothing else.
    var isWhole: Bool { markers.count == 1 && prefixCount + suffixCount == 0 }

    /// Whether `value` is what the bytes may stand for.
    func matches(_ value: Span<UInt8>) -> Bool {
        let text = bytes.span
        let end = value.count - suffixCount
        var position = prefixCount
        guard position <= end,
            Self.isEqual(text.extracting(0..<position), value, at: 0),
            Self.isEqual(text.extracting(bytes.count - suffixCount..<bytes.count), value, at: end)
        else { return false }
        // What stands between two markers is taken where it comes first: that leaves the most for what follows.
        for index in markers.indices.dropFirst() {
            let literal = text.extracting(markers[index - 1].upperBound..<markers[index].lowerBound)
            guard let found = Self.first(literal, in: value.extracting(0..<end), from: position) else { return false }
            position = found + literal.count
        }
        return true
    }

    /// Whether `value` equals `pattern`, or is what `pattern` with markers may stand for.
    static func matches(_ pattern: ArraySlice<UInt8>, _ value: ArraySlice<UInt8>) -> Bool {
        pattern == value || WildcardText(pattern)?.matches(value.span) ?? false
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

/// A canonical path with markers of redaction in its segments. No marker stands for a slash or for a whole segment that
/// is empty.
enum WildcardPath {
    /// Whether `path` is what `pattern` may stand for.
    static func matches(_ pattern: [UInt8], _ path: Span<UInt8>) -> Bool {
        guard path.count > 0, path[0] == UInt8(ascii: "/"), pattern.first == UInt8(ascii: "/") else { return false }
        var (end, other) = (0, 0)
        while end < pattern.count, other < path.count {
            let (start, otherStart) = (end + 1, other + 1)
            let segments = pattern[...]
            end = PathTrie.endOfSegment(in: segments.span, from: start)
            other = PathTrie.endOfSegment(in: path, from: otherStart)
            guard matches(pattern[start..<end], path.extracting(otherStart..<other)) else { return false }
        }
        return end == pattern.count && other == path.count
    }

    /// `path` with the pattern's own spelling in place of the segments that its markers stand for, to be shown.
    static func concealed(_ path: [UInt8], as pattern: [UInt8]) -> [UInt8] {
        let segments = pattern.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        let found = path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        let shown = found.indices.map { index in
            index < segments.count && WildcardText(segments[index]) != nil ? segments[index] : found[index]
        }
        return Array(shown.joined(separator: [UInt8(ascii: "/")]))
    }

    private static func matches(_ segment: ArraySlice<UInt8>, _ found: Span<UInt8>) -> Bool {
        if let text = WildcardText(segment) { return !found.isEmpty && text.matches(found) }
        guard segment.count == found.count else { return false }
        for offset in found.indices where segment[segment.startIndex + offset] != found[offset] { return false }
        return true
    }
}
