// SPDX-License-Identifier: Apache-2.0

extension BidirectionalCollection<UInt8> where SubSequence == Self {
    /// The bytes without spaces and tabs at the start and the end (RFC 9110 section 5.6.3).
    package var trimmingBlanks: Self {
        var text = self
        while let first = text.first, first == 0x20 || first == 0x09 { text.removeFirst() }
        while let last = text.last, last == 0x20 || last == 0x09 { text.removeLast() }
        return text
    }
}

extension Collection<UInt8> {
    /// Whether there are only ASCII digits, and at least one.
    package var isDigits: Bool { !isEmpty && allSatisfy(isDigit) }
}

extension Int {
    /// Creates a number from ASCII digits. Returns `nil` if the number of digits is not in `counts`, if there is any
    /// other character, including a sign, or if the number is too large.
    package init?(digits: some Collection<UInt8>, _ counts: ClosedRange<Int> = 1...(.max)) {
        guard counts ~= digits.count, digits.isDigits else { return nil }
        self.init(String(decoding: digits, as: UTF8.self))
    }
}
