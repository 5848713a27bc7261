// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// What a secret looks like: a fixed start, and then bytes of some kind, so and so many.
///
/// It is spelled as a small part of what regular expressions are: characters for themselves, `[A-Z0-9_-]` and `\w` and `\d`
/// for one of several, `{20}`, `{20,}`, `{20,40}`, `*`, `+` and `?` behind these, and a backslash before what is meant
/// itself. At least the first three characters are fixed. Each part takes all it can get and gives nothing back, so that a
/// body is matched as it passes.
///
/// A secret starts where no letter or digit stands before it, and ends so too if the number of its last characters is
/// limited.
struct SecretPattern: Sendable, Hashable {
    /// One of several bytes, so many times.
    struct Element: Sendable, Hashable {
        var bytes: ByteSet
        var minimum: Int
        /// `.max` for any number.
        var maximum: Int
    }

    /// What it starts with.
    var prefix: [UInt8]
    /// What follows.
    var elements: [Element]
    /// How many bytes of the prefix are no secret and stay.
    var kept = 0
    /// Whether there is a digit among what follows.
    var needsDigit = false
    /// Bytes that may not stand before it, besides letters and digits.
    var notAfter = ByteSet()
    /// Within so many bytes it shows whether it is one.
    var limit = Self.standardLimit
    /// Which marker comes in its place, of ``RedactionRules/markers``.
    var marker = 0

    static let standardLimit = 256

    /// What the bytes from some place on are.
    enum Outcome: Equatable {
        case none
        /// Nobody can tell before there are more bytes.
        case undecided
        /// A secret that ends before the index.
        case secret(Int)
        /// A secret for sure, which did not end before the index: the bytes or the limit did.
        case open(Progress, at: Int)
    }

    /// How far a secret was followed that is known to be one.
    struct Progress: Sendable, Hashable {
        var element: Int
        var count: Int
    }

    /// What the bytes from `start` on are, of which those before `end` are there.
    ///
    /// - Parameter isLast: whether nothing follows at `end`.
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
        // Whoever does not show itself within the limit is none.
        return outcome == .undecided && (isClipped || end - start == limit) ? .none : outcome
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
                let isSure = hasDigit && count >= element.minimum && isOpen && isOptional(after: number)
                return isSure ? .open(Progress(element: number, count: count), at: index) : .undecided
            }
            guard count >= element.minimum else { return .none }
        }
        guard hasDigit else { return .none }
        if isOpen { return .secret(index) }
        // With a limited end, no letter or digit may follow.
        guard index < end else { return isLast ? .secret(index) : .undecided }
        return isAlphanumeric(bytes[index]) ? .none : .secret(index)
    }

    /// Whether it goes on as long as its last part finds bytes.
    private var isOpen: Bool { elements.last?.maximum == .max }

    private func isOptional(after number: Int) -> Bool {
        elements[(number + 1)...].allSatisfy { $0.minimum == 0 }
    }

    /// Follows a secret from `start` on: where it ends, or that it has not ended before `end`.
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

    /// Whether a secret may start at `index`: where no letter or digit stands before it, or one that belongs to an escape:
    /// `%3D`, `\n`, `\u0022`.
    @inline(__always)
    static func isAtStart(_ index: Int, in bytes: Span<UInt8>) -> Bool {
        guard index > 0, isAlphanumeric(bytes[index - 1]) else { return true }
        return isBehindEscape(index, in: bytes)
    }

    private static func isBehindEscape(_ index: Int, in bytes: Span<UInt8>) -> Bool {
        let before = bytes[index - 1]
        if index >= 3, bytes[index - 3] == UInt8(ascii: "%"), hexadecimalValue(bytes[index - 2]) != nil,
            hexadecimalValue(before) != nil
        {
            return true
        }
        if index >= 2, bytes[index - 2] == UInt8(ascii: "\\") { return before != UInt8(ascii: "u") }
        return index >= 6 && bytes[index - 6] == UInt8(ascii: "\\") && bytes[index - 5] == UInt8(ascii: "u")
    }

    /// How many bytes before it ``isAtStart(_:in:)`` looks at.
    static let lookBehind = 6
}

@inline(__always)
func isAlphanumeric(_ byte: UInt8) -> Bool {
    isDigit(byte) || (byte | 0x20) &- 0x61 < 26
}
