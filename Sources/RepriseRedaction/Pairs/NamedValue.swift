// SPDX-License-Identifier: Apache-2.0

package import RepriseText

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

    /// The number of bytes at the start of a value that are judged.
    static let judgedLength = max(RandomValue.judgedLength, MessageText.judgedLength)

    /// Decides on the value at `start`, whose bytes up to `end` are available.
    ///
    /// - Parameters:
    ///   - isLast: Whether the bytes before `end` are the last ones.
    ///   - isText: Whether the value can describe a secret instead of being one, see ``MessageText``.
    ///   - isEnd: Returns whether a byte ends the value.
    static func judge(
        _ bytes: Span<UInt8>,
        at start: Int,
        before end: Int,
        isLast: Bool,
        verdict: SecretNames.Verdict,
        isText: Bool = false,
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
        if !isText, verdict.kind == .sure || verdict.kind == .group { return .secret }
        var stop = start
        while stop < end, stop - start < judgedLength, !isEnd(bytes[stop]) { stop += 1 }
        let isWhole = stop < end ? isEnd(bytes[stop]) : isLast
        return judge(bytes.extracting(start..<stop), isWhole: isWhole, verdict, isText: isText)
    }

    /// Decides on a value that is not a marker, given whole or with its first ``judgedLength`` bytes.
    private static func judge(
        _ value: Span<UInt8>,
        isWhole: Bool,
        _ verdict: SecretNames.Verdict,
        isText: Bool
    ) -> NamedValue {
        let isEnough = isWhole || value.count >= judgedLength
        switch verdict.kind {
        case .sure, .group, .sureUnlessDigit:
            if verdict.kind == .sureUnlessDigit, value.count == 1, isDigit(value[0]) {
                return isWhole ? .notSecret : .undecided
            }
            guard isText else { return .secret }
            if verdict.kind == .sureUnlessDigit, value.count <= ResultWord.maximumLength {
                guard isWhole else { return isEnough ? .secret : .undecided }
                if ResultWord.isResult(value) { return .notSecret }
            }
            switch MessageText.judge(value, isWhole: isWhole) {
            case .message: return .notSecret
            case .value: return .secret
            case .undecided: return isEnough ? .secret : .undecided
            }
        case .link where isURL(value): return isEnough ? .notSecret : .undecided
        case .likely, .likelyGroup, .connection, .link:
            return isEnough ? RandomValue.looksRandom(value) ? .secret : .notSecret : .undecided
        case .cardCode: return isEnough ? isWhole && CodeValue.isCardCode(value) ? .secret : .notSecret : .undecided
        case .long(let minimum):
            let isLong = value.count >= minimum && !RandomValue.isUUID(value)
            return isEnough ? isLong && RandomValue.looksRandom(value) ? .secret : .notSecret : .undecided
        case .credential:
            let isCredential = PasswordForm.isDemanded(value) || RandomValue.looksRandom(value, isCredential: true)
            return isEnough ? isCredential ? .secret : .notSecret : .undecided
        case .likelyCode:
            let isCode = isWhole && CodeValue.isNumericCode(value)
            return isEnough ? isCode || RandomValue.looksRandom(value) ? .secret : .notSecret : .undecided
        case .code: return isEnough ? CodeValue.isCode(value) ? .secret : .notSecret : .undecided
        case .card: return isEnough ? isWhole && CodeValue.isCard(value) ? .secret : .notSecret : .undecided
        }
    }

    /// Decides on a value whose name is certain or only hints.
    static func judge(
        _ bytes: Span<UInt8>,
        at start: Int,
        before end: Int,
        isLast: Bool,
        isLikely: Bool,
        isEnd: (UInt8) -> Bool
    ) -> NamedValue {
        judge(bytes, at: start, before: end, isLast: isLast, verdict: .init(isLikely: isLikely), isEnd: isEnd)
    }

    /// Returns whether to redact a value, given either completely or with enough of its start to decide.
    package static func isSecret(_ value: Span<UInt8>, _ verdict: SecretNames.Verdict, isText: Bool = false) -> Bool {
        guard !isMarkers(value) else { return false }
        let isWhole = value.count <= judgedLength
        let start = value.extracting(0..<min(value.count, judgedLength))
        return judge(start, isWhole: isWhole, verdict, isText: isText) == .secret
    }

    /// Returns whether to redact a value whose name is certain or only hints.
    package static func isSecret(_ value: Span<UInt8>, isLikely: Bool) -> Bool {
        isSecret(value, SecretNames.Verdict(isLikely: isLikely))
    }

    /// Whether a value starts with a scheme and a colon, which can be percent-encoded.
    private static func isURL(_ value: Span<UInt8>) -> Bool {
        var index = 0
        while index < value.count, isAlphanumeric(value[index]) || "+-.".utf8.contains(value[index]) { index += 1 }
        guard index > 0, index < value.count else { return false }
        return value[index] == UInt8(ascii: ":") || PercentEscape.byte(at: index, in: value) == UInt8(ascii: ":")
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
}
