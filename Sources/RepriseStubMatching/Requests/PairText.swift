// SPDX-License-Identifier: Apache-2.0

private import RepriseText

/// Splits queries and forms into names and values.
enum PairText {
    /// Returns the pairs of `text`, decoded. A plus sign is a space. A name without `=` has an empty value.
    static func pairs(_ text: ArraySlice<UInt8>) -> RequestPairs {
        var values = RequestPairs()
        for pair in text.split(separator: UInt8(ascii: "&")) {
            let equals = pair.firstIndex(of: UInt8(ascii: "="))
            let name = pair[..<(equals ?? pair.endIndex)]
            let value = equals.map { pair[($0 + 1)...] } ?? pair[pair.endIndex...]
            values.entries.append(.init(name: decoded(name), value: decoded(value)))
        }
        return values
    }

    private static func decoded(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        guard text.contains(where: { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "+") }) else { return text }
        return FormText.decoded(text.span)[...]
    }
}
