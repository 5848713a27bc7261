// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// The decision on a value whose name suggests a secret, made from its start.
package enum NamedValue: Hashable {
    /// The value is redacted.
    case secret
    /// The value stays: it is empty, already a marker, or implausible as a secret under a name that is not
    /// conclusive.
    case notSecret
    /// More bytes are needed.
    case undecided

    /// The number of consecutive markers after which a value stays.
    private static let maximumMarkers = 16

    /// Decides on the value at `start`, whose bytes up to `end` are available.
    ///
    /// - Parameters:
    ///   - isLast: Whether the bytes before `end` are the last ones.
    ///   - isLikely: See ``SecretNames/Verdict/isLikely``.
    ///   - isEnd: Returns whether a byte ends the value.
    static func judge(
        _ bytes: Span<UInt8>,
        at start: Int,
        before end: Int,
        isLast: Bool,
        isLikely: Bool,
        isEnd: (UInt8) -> Bool
    ) -> NamedValue {
        guard start < end else { return isLast ? .notSecret : .undecided }
        if isEnd(bytes[start]) { return .notSecret }
        // A value that was redacted in parts, or twice, has several markers.
        var marker = start
        for _ in 0..<maximumMarkers {
            guard bytes[marker] == UInt8(ascii: "[") || bytes[marker] == UInt8(ascii: "%") else { break }
            var stop = marker
            while stop < end, stop - marker < RedactionMarker.maximumLength, !isEnd(bytes[stop]) { stop += 1 }
            if stop == end, !isLast, stop - marker < RedactionMarker.maximumLength { return .undecided }
            guard let next = RedactionMarker.end(at: marker, in: bytes.extracting(0..<stop)) else { break }
            if next == stop, stop == end || isEnd(bytes[stop]) { return .notSecret }
            guard next < end else { return isLast ? .notSecret : .undecided }
            marker = next
        }
        return isLikely ? judgeLikely(bytes, start..<end, isLast) : .secret
    }

    /// Returns whether to redact a value, given either completely or with enough of its start to decide.
    package static func isSecret(_ value: Span<UInt8>, isLikely: Bool) -> Bool {
        guard !isMarkers(value) else { return false }
        return !isLikely || judgeLikely(value, value.indices, true) == .secret
    }

    /// Whether a value is empty or consists only of markers. A value that was redacted in parts has several.
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
            guard SecretValue.mayContain(bytes[index]) else { return .notSecret }
        }
        if range.count >= SecretValue.minimumLength { return .secret }
        return isLast ? .notSecret : .undecided
    }
}
