// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// The shape of a secret: a fixed prefix followed by bytes of certain kinds and counts.
///
/// The spelling is a small subset of regular expressions: literal characters, the classes `[A-Z0-9_-]`, `\w` and
/// `\d`, the quantifiers `{20}`, `{20,}`, `{20,40}`, `*`, `+` and `?`, and a backslash before a literal special
/// character. At least the first three characters are fixed. Quantifiers are greedy and never backtrack, so a body
/// can be matched as it arrives.
///
/// A secret does not start after a letter or a digit. If the number of its last characters is limited, it does not
/// end before one either.
struct SecretPattern: Sendable, Hashable {
    /// A class of bytes with a count.
    struct Element: Sendable, Hashable {
        var bytes: ByteSet
        var minimum: Int
        /// The maximum count, or `.max` if it is unlimited.
        var maximum: Int
    }

    /// The fixed prefix.
    var prefix: [UInt8]
    /// The elements after the prefix.
    var elements: [Element]
    /// The number of prefix bytes that are not secret and are kept.
    var kept = 0
    /// Whether everything up to the last slash is kept.
    var keepsPath = false
    /// Whether the elements must match at least one digit.
    var needsDigit = false
    /// The bytes that must not precede the secret, in addition to letters and digits.
    var notAfter = ByteSet()
    /// The number of bytes within which a secret must be identified.
    var limit = Self.standardLimit
    /// The marker that replaces the secret, as an index into ``RedactionRules/markers``.
    var marker = 0
    /// What the secret is, such as `a Slack token`; `nil` if other texts have this form too.
    var kind: String?

    static let standardLimit = 256

    /// The result of matching at an offset.
    enum Outcome: Equatable {
        case none
        /// More bytes are needed to decide.
        case undecided
        /// A secret that ends before this index.
        case secret(Int)
        /// A secret that has not ended before this index, where the bytes or the limit ended.
        case open(Progress, at: Int)
    }

    /// The progress of following an identified secret.
    struct Progress: Sendable, Hashable {
        var element: Int
        var count: Int
    }

    /// Matches the bytes starting at `start`. Those before `end` are available.
    ///
    /// - Parameter isLast: Whether the bytes before `end` are the last ones.
    func outcome(in bytes: Span<UInt8>, at start: Int, before end: Int, isLast: Bool) -> Outcome {
        let isClipped = end - start > limit
        let stop = isClipped ? start + limit : end
        var index = start
        for byte in prefix {
            guard index < stop else { return isLast || isClipped ? .none : .undecided }
            guard bytes[index] == byte else { return .none }
            index += 1
        }
        let outcome = rest(in: bytes, at: index, before: stop, isLast: isLast && !isClipped)
        // A secret must be identified within the limit.
        return outcome == .undecided && (isClipped || end - start == limit) ? .none : outcome
    }

    /// Returns the start of the secret in a match from `start` to `end`.
    func secretStart(in bytes: Span<UInt8>, from start: Int, before end: Int) -> Int {
        guard keepsPath else { return start + kept }
        var index = end
        while index > start, bytes[index - 1] != UInt8(ascii: "/") { index -= 1 }
        return index
    }

    private func rest(in bytes: Span<UInt8>, at start: Int, before end: Int, isLast: Bool) -> Outcome {
        var index = start
        var hasDigit = !needsDigit
        for (number, element) in elements.enumerated() {
            var count = 0
            while count < element.maximum, index < end, element.bytes.contains(bytes[index]) {
                if isDigit(bytes[index]) { hasDigit = true }
                index += 1
                count += 1
            }
            if index == end, count < element.maximum, !isLast {
                let isCertain = hasDigit && count >= element.minimum && isOpen && isOptional(after: number)
                return isCertain ? .open(Progress(element: number, count: count), at: index) : .undecided
            }
            guard count >= element.minimum else { return .none }
        }
        guard hasDigit else { return .none }
        if isOpen { return .secret(index) }
        // If the count at the end is limited, no letter or digit can follow.
        guard index < end else { return isLast ? .secret(index) : .undecided }
        return isAlphanumeric(bytes[index]) ? .none : .secret(index)
    }

    /// Whether the secret continues as long as its last element matches.
    private var isOpen: Bool { elements.last?.maximum == .max }

    private func isOptional(after number: Int) -> Bool {
        elements[(number + 1)...].allSatisfy { $0.minimum == 0 }
    }

    /// Follows a secret that continues at `start`. Returns its end, or that it has not ended before `end`.
    func end(
        of progress: inout Progress,
        in bytes: Span<UInt8>,
        from start: Int,
        before end: Int
    ) -> Int? {
        var index = start
        while progress.element < elements.count {
            let element = elements[progress.element]
            while progress.count < element.maximum, index < end, element.bytes.contains(bytes[index]) {
                index += 1
                progress.count += 1
            }
            if index == end, progress.count < element.maximum { return nil }
            progress = Progress(element: progress.element + 1, count: 0)
        }
        return index
    }

    /// Whether a secret can start at `index`: no letter or digit precedes it, except as part of an escape such as
    /// `%3D`, `\n` or `\u0022`.
    @inline(__always)
    static func isAtStart(_ index: Int, in bytes: Span<UInt8>) -> Bool {
        guard index > 0, isAlphanumeric(bytes[index - 1]) else { return true }
        return followsEscape(index, in: bytes)
    }

    private static func followsEscape(_ index: Int, in bytes: Span<UInt8>) -> Bool {
        let before = bytes[index - 1]
        if index >= 3, bytes[index - 3] == UInt8(ascii: "%"), hexadecimalValue(bytes[index - 2]) != nil,
            hexadecimalValue(before) != nil
        {
            return true
        }
        if index >= 2, bytes[index - 2] == UInt8(ascii: "\\") { return before != UInt8(ascii: "u") }
        return index >= 6 && bytes[index - 6] == UInt8(ascii: "\\") && bytes[index - 5] == UInt8(ascii: "u")
    }

    /// The number of bytes before an index that ``isAtStart(_:in:)`` reads.
    static let lookBehind = 6
}
