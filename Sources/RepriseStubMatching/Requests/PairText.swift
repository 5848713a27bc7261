// SPDX-License-Identifier: Apache-2.0

private import RepriseText

/// Splits queries and forms into names and values.
enum PairText {
    /// Returns the pairs of `text`, decoded. A plus sign is a space. A name without `=` has an empty value.
    static func pairs(_ text: ArraySlice<UInt8>) -> NamedValues {
        var values = NamedValues()
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

/// Splits Cookie fields (RFC 6265 section 5.4) into names and values.
enum CookieText {
    /// Returns the cookies of all Cookie fields. Quotes around a value are removed.
    static func cookies(_ headers: NamedValues) -> NamedValues {
        var cookies = NamedValues()
        for line in headers.values(named: Array("cookie".utf8)) {
            for pair in line.split(separator: UInt8(ascii: ";")) {
                guard let equals = pair.firstIndex(of: UInt8(ascii: "=")) else { continue }
                var value = trimmed(pair[(equals + 1)...])
                if value.count >= 2, value.first == UInt8(ascii: "\""), value.last == UInt8(ascii: "\"") {
                    value = value.dropFirst().dropLast()
                }
                cookies.entries.append(.init(name: trimmed(pair[..<equals]), value: value))
            }
        }
        return cookies
    }

    private static func trimmed(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var text = text
        while let first = text.first, first == 0x20 || first == 0x09 { text.removeFirst() }
        while let last = text.last, last == 0x20 || last == 0x09 { text.removeLast() }
        return text
    }
}
