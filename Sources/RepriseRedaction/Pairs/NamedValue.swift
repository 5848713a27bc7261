// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// What the start of a value says that has the name of a secret.
package enum NamedValue: Hashable {
    /// It goes.
    case secret
    /// It stays: it is empty, a marker already, or nothing that could be a secret where the name alone does not tell.
    case stays
    /// More of it has to be seen.
    case undecided

    /// So many markers are a value that stays.
    private static let maximumMarkers = 16

    /// Judges the value at `start`, of which the bytes before `end` are there.
    ///
    /// - Parameters:
    ///   - isLast: whether nothing follows at `end`.
    ///   - isLikely: see ``SecretNames/Verdict/isLikely``.
    ///   - isEnd: whether a byte ends the value.
    static func judge(
        _ bytes: Span<UInt8>,
        at start: Int,
        before end: Int,
        isLast: Bool,
        isLikely: Bool,
        isEnd: (UInt8) -> Bool
    ) -> NamedValue {
        guard start < end else { return isLast ? .stays : .undecided }
        if isEnd(bytes[start]) { return .stays }
        // What went in parts, or to two who looked for it, has several markers.
        var marker = start
        for _ in 0..<maximumMarkers {
            guard bytes[marker] == UInt8(ascii: "[") || bytes[marker] == UInt8(ascii: "%") else { break }
            var stop = marker
            while stop < end, stop - marker < RedactionMarker.maximumLength, !isEnd(bytes[stop]) { stop += 1 }
            if stop == end, !isLast, stop - marker < RedactionMarker.maximumLength { return .undecided }
            guard let next = RedactionMarker.end(at: marker, in: bytes.extracting(0..<stop)) else { break }
            if next == stop, stop == end || isEnd(bytes[stop]) { return .stays }
            guard next < end else { return isLast ? .stays : .undecided }
            marker = next
        }
        return isLikely ? judgeLikely(bytes, start..<end, isLast) : .secret
    }

    /// Whether a value goes that is there, as far as it matters.
    package static func isSecret(_ value: Span<UInt8>, isLikely: Bool) -> Bool {
        guard !isMarkers(value) else { return false }
        return !isLikely || judgeLikely(value, value.indices, true) == .secret
    }

    /// Whether a value is markers alone, or nothing: what goes in parts has several.
    private static func isMarkers(_ value: Span<UInt8>) -> Bool {
        var index = 0
        while index < value.count {
            guard let end = RedactionMarker.end(at: index, in: value) else { return false }
            index = end
        }
        return true
    }

    private static func judgeLikely(_ bytes: Span<UInt8>, _ range: Range<Int>, _ isLast: Bool) -> NamedValue {
        for index in range {
            if index - range.lowerBound == SecretValue.minimumLength { break }
            guard SecretValue.mayHold(bytes[index]) else { return .stays }
        }
        if range.count >= SecretValue.minimumLength { return .secret }
        return isLast ? .stays : .undecided
    }
}
