// SPDX-License-Identifier: Apache-2.0

private import Foundation
import RepriseStubs
import RepriseText

/// `equalToNumber`, `greaterThanNumber`, and so on: the value is a number that compares in this way.
struct NumberMatcher: Sendable {
    let comparison: ValueMatcher.NumberComparison
    let expected: JSONNumber

    func matches(_ value: ArraySlice<UInt8>) -> Bool {
        // More digits than any number needs would only cost time.
        guard value.count <= 64, let number = JSONNumber(String(decoding: value, as: UTF8.self)) else { return false }
        let order = Self.compare(number, expected)
        return switch comparison {
        case .equal: order == 0
        case .greater: order > 0
        case .greaterOrEqual: order >= 0
        case .less: order < 0
        case .lessOrEqual: order <= 0
        }
    }

    /// Compares by value, exactly if both numbers have at most 38 digits.
    private static func compare(_ left: JSONNumber, _ right: JSONNumber) -> Int {
        if let left = Decimal(string: left.spelling), let right = Decimal(string: right.spelling), !left.isNaN,
            !right.isNaN
        {
            return left < right ? -1 : left > right ? 1 : 0
        }
        return left.double < right.double ? -1 : left.double > right.double ? 1 : 0
    }
}
