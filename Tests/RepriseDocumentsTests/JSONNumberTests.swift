// SPDX-License-Identifier: Apache-2.0

import RepriseDocuments
import RepriseText
import Testing

@Suite struct JSONNumberTests {
    private func number(_ text: String) throws -> JSONNumber { try #require(JSONNumber(text)) }

    @Test(arguments: [
        ("1", "1.0"), ("-0", "0.0e5"), ("100", "1e2"), ("0.001", "1E-3"), ("12300e-2", "123"),
        ("123456789012345678901234567890", "1.2345678901234567890123456789e29"), ("1e999999999", "10e999999998"),
        ("0.1e1000000000000000000", "1e999999999999999999"), ("10e999999999999999999", "1e1000000000000000000"),
        ("0e99999999999999999999", "-0"),
    ])
    func numbersWithSameValueAreEqual(left: String, right: String) throws {
        #expect(try number(left).isEqual(to: number(right)))
        #expect(try !number(left).isLess(than: number(right)))
    }

    @Test(arguments: [
        ("1", "2"), ("-2", "-1"), ("-1", "0"), ("0", "1e-999"), ("-1e-999", "0"), ("0.1", "0.10000000000000000001"),
        ("9007199254740992", "9007199254740993"), ("-9007199254740993", "-9007199254740992"), ("1e400", "1e401"),
        ("-1e401", "-1e400"), ("99999999999999999999", "100000000000000000000"), ("1e2000000000000", "1e3000000000000"),
        ("1e99999999999999999", "1e100000000000000000000"), ("-1e-99999999999999999", "-1e-100000000000000000000"),
    ])
    func orderIsExact(left: String, right: String) throws {
        #expect(try number(left).isLess(than: number(right)))
        #expect(try !number(right).isLess(than: number(left)))
        #expect(try !number(left).isEqual(to: number(right)))
    }

    @Test(arguments: [
        ("1e100000000000000000000000", "1e100000000000000000000001"),
        ("1e100000000000000000000000", "1e-100000000000000000000000"),
    ])
    func numbersWithHugeExponentsDiffer(left: String, right: String) throws {
        #expect(try !number(left).isEqual(to: number(right)))
    }

    @Test(arguments: [
        ("0.3", "0.1", true), ("19.99", "0.01", true), ("4", "2.0", true), ("5", "2", false), ("0", "3", true),
        ("1e400", "7", false), ("7e400", "7", true), ("0.0075", "0.0001", true), ("0.00751", "0.0001", false),
        ("1", "0", nil), ("123456789123456789", "123456789", true), ("123456789123456780", "123456789", false),
        ("-6", "3", true), ("1e999999999999", "0.5", true),
    ])
    func multiplesAreExact(value: String, divisor: String, expected: Bool?) throws {
        #expect(try number(value).isMultiple(of: number(divisor)) == expected)
    }

    @Test(arguments: [("1", true), ("1.0", true), ("1.5", false), ("15e-1", false), ("150e-1", true), ("1e3", true)])
    func integersMayHaveFractions(text: String, expected: Bool) throws {
        #expect(try number(text).isInteger == expected)
    }
}
