// SPDX-License-Identifier: Apache-2.0

private import RepriseText

/// The digits that stand for digits.
///
/// As few digits as those of a PIN occur anywhere in the traffic, such as in a path. So the text in a cassette is
/// longer, and clients receive as many digits as the secret has.
package enum StandInDigits {
    /// The minimum length of a text that is very unlikely to occur in the traffic by accident.
    private static let uniqueCount = 12
    /// The start of a longer text. No text of the same length for longer secrets starts with it. The length of the
    /// secret is added to it, and the number of the stand-in follows: 18 digits in all, an integer of 64 bits.
    private static let start = 271_828_180
    private static let numberLimit = 1_000_000_000

    /// Returns the text in a cassette for a secret of `count` digits.
    package static func text(_ count: Int, number: Int) -> [UInt8] {
        guard count < uniqueCount else { return digits(count, number) }
        return Array("\((start + count - 3) * numberLimit + number % numberLimit)".utf8)
    }

    /// Returns the digits that a client receives for a text in a cassette.
    static func received(for text: String) -> [UInt8] {
        guard let value = Int(text), case let count = value / numberLimit - start, 0..<uniqueCount - 3 ~= count else {
            return Array(text.utf8)
        }
        return digits(count + 3, value % numberLimit)
    }

    /// Digits that look random, without a leading zero, so that they are also a valid number in JSON. They repeat if
    /// there are more numbers than texts of the length.
    private static func digits(_ count: Int, _ number: Int) -> [UInt8] {
        let tail = min(count - 1, 9)
        let limit = (0..<tail).reduce(1) { limit, _ in limit * 10 }
        let lead = integerLengths.contains(count) ? 1 : 9 - number / limit % 9
        // The factor has no divisor in common with a power of ten, so different numbers have different digits.
        let digits = zeroPadded((number * 387_420_489 + 123_456_789) % limit, tail)
        let middle = "2718281828459045235360287471352662497757".prefix(count - 1 - tail)
        return Array("\(lead)\(middle)\(digits)".utf8)
    }

    /// The lengths of the largest integers of 32 bits, of a double, and of 64 bits with and without a sign. A number of
    /// this length that starts with a one fits.
    private static let integerLengths = [10, 16, 19, 20]
}
