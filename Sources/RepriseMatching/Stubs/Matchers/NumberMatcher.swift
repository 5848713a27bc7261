// SPDX-License-Identifier: Apache-2.0

import RepriseDocuments
import RepriseStubs
import RepriseText

/// `equalToNumber`, `greaterThanNumber`, and so on: the value is a number that compares in this way.
struct NumberMatcher: Sendable {
    let comparison: ValueMatcher.NumberComparison
    let expected: JSONNumber

    func matches(_ value: ArraySlice<UInt8>) -> Bool {
        // More digits than any number needs would only cost time.
        guard value.count <= 64, let number = JSONNumber(String(decoding: value, as: UTF8.self)) else { return false }
        return switch comparison {
        case .equal: number.isEqual(to: expected)
        case .greater: expected.isLess(than: number)
        case .greaterOrEqual: !number.isLess(than: expected)
        case .less: number.isLess(than: expected)
        case .lessOrEqual: !expected.isLess(than: number)
        }
    }
}
