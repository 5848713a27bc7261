// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// `contains`: the value contains this text.
struct ContainsMatcher: Sendable {
    let expected: [UInt8]

    init(_ expected: String) { self.expected = Array(expected.utf8) }

    func matches(_ value: ArraySlice<UInt8>) -> Bool { ByteSearch.firstIndex(of: expected, in: value) != nil }
}
