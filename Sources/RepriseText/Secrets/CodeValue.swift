// SPDX-License-Identifier: Apache-2.0

/// Recognizes short codes for people and numbers of payment cards.
package enum CodeValue {
    /// Whether the value could be a code such as `482913`, `WDJB-MJHT` or `3f9a-77c2`.
    package static func isCode(_ value: Span<UInt8>) -> Bool {
        guard 3...16 ~= value.count else { return RandomValue.looksRandom(value) }
        var digits = 0
        for index in value.indices {
            let byte = value[index]
            if isDigit(byte) { digits += 1 }
            guard isDigit(byte) || (byte | 0x20) &- 0x61 < 26 || byte == UInt8(ascii: "-") || byte == 0x20 else {
                return RandomValue.looksRandom(value)
            }
        }
        guard ValueMask(value, isWhole: true).judgment != .message else { return false }
        return digits >= 3 || isMixed(value) || isGrouped(value) || RandomValue.looksRandom(value)
    }

    /// Whether a digit stands between letters, as in `G7KQ2M`, and not just after a word.
    private static func isMixed(_ value: Span<UInt8>) -> Bool {
        guard value.count >= 5, let digit = value.indices.first(where: { isDigit(value[$0]) }), digit > 0 else {
            return false
        }
        return (digit..<value.count).contains { (value[$0] | 0x20) &- 0x61 < 26 }
            && value.indices.allSatisfy { isDigit(value[$0]) || (value[$0] | 0x20) &- 0x61 < 26 }
    }

    /// Whether the value consists of groups of the same length, in capitals or with a digit: `WDJB-MJHT`.
    private static func isGrouped(_ value: Span<UInt8>) -> Bool {
        var groups = [0]
        var (hasDigit, hasSmall) = (false, false)
        for index in value.indices {
            let byte = value[index]
            if byte == UInt8(ascii: "-") {
                groups.append(0)
                continue
            }
            guard byte != 0x20 else { return false }
            groups[groups.count - 1] += 1
            if isDigit(byte) { hasDigit = true } else if byte & 0x20 != 0 { hasSmall = true }
        }
        return groups.count > 1 && groups[0] >= 3 && groups.allSatisfy { $0 == groups[0] } && (hasDigit || !hasSmall)
    }

    /// Whether the value could be the code of a message: six to eight digits.
    package static func isNumericCode(_ value: Span<UInt8>) -> Bool {
        isNumber(value, 6...8)
    }

    /// Whether the value could be the security code of a payment card: three or four digits.
    package static func isCardCode(_ value: Span<UInt8>) -> Bool {
        isNumber(value, 3...4)
    }

    private static func isNumber(_ value: Span<UInt8>, _ counts: ClosedRange<Int>) -> Bool {
        guard counts ~= value.count else { return false }
        for index in value.indices where !isDigit(value[index]) { return false }
        return true
    }

    /// Whether the value is a number with 13 to 19 digits, possibly in groups, and a correct check digit (ISO/IEC
    /// 7812-1 annex B).
    package static func isCard(_ value: Span<UInt8>) -> Bool {
        guard 13...24 ~= value.count, 0x32...0x36 ~= value[0] else { return false }
        var (count, sum) = (0, 0)
        for index in value.indices.reversed() {
            let byte = value[index]
            if byte == 0x20 || byte == UInt8(ascii: "-") { continue }
            guard isDigit(byte) else { return false }
            let digit = Int(byte - 0x30) * (count % 2 + 1)
            sum += digit > 9 ? digit - 9 : digit
            count += 1
        }
        return 13...19 ~= count && sum % 10 == 0
    }
}

extension SecretNames.Verdict {
    /// The maximum number of digits of a secret number.
    package static var longestNumber: Int { 24 }

    /// Whether a number can be secret under the name.
    @inlinable package var coversNumbers: Bool {
        kind == .sure || kind == .sureUnlessDigit || kind == .code || kind == .cardCode || kind == .card
    }

    /// Whether a number with these digits is secret under the name. A short number counts something, unless the name is
    /// that of a code.
    package func covers(number digits: Span<UInt8>) -> Bool {
        switch kind {
        case .sure: 4...Self.longestNumber ~= digits.count
        case .code: 3...10 ~= digits.count
        case .cardCode: 3...4 ~= digits.count
        case .card: CodeValue.isCard(digits)
        // A number called `pass` is usually a count, and one called `pw` a power.
        case .sureUnlessDigit: false
        case .likely, .likelyGroup, .likelyCode, .credential, .connection, .link, .long, .group: false
        }
    }
}
