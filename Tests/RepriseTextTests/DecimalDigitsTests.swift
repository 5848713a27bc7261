// SPDX-License-Identifier: Apache-2.0

import RepriseTestSupport
import Testing

@testable import RepriseText

@Suite struct DecimalDigitsTests {
    private static func digits(_ number: UInt64, width: Int = 1) -> String {
        var text = Array("x".utf8)
        text.append(decimal: number, width: width)
        return String(decoding: text.dropFirst(), as: UTF8.self)
    }

    /// Eight digits are written at a time.
    @Test(arguments: [0, 9, 10, 99_999_999, 100_000_000, 100_000_001, 10_000_000_000_000_000, UInt64.max])
    func writesNumberLikeDescription(number: UInt64) {
        #expect(Self.digits(number) == String(number))
    }

    @Test(arguments: 0..<64 as Range<UInt64>)
    func writesRandomNumberLikeDescription(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let number = UInt64.random(in: .min ... .max, using: &random) >> seed
        #expect(Self.digits(number) == String(number))
    }

    @Test(arguments: [
        (7, 0, "7"), (7, 3, "007"), (0, 2, "00"), (1234, 2, "1234"), (123_456_789, 12, "000123456789"),
        (5, 18, "000000000000000005"),
    ])
    func padsWithZeros(number: UInt64, width: Int, expected: String) {
        #expect(Self.digits(number, width: width) == expected)
    }
}
