// SPDX-License-Identifier: Apache-2.0

/// A cookie of a Cookie field (RFC 6265 section 4.2).
package struct RequestCookie {
    /// The name.
    package let name: ArraySlice<UInt8>
    /// The value as written, without the quotation marks around it.
    package let written: ArraySlice<UInt8>
    private let isQuoted: Bool

    /// The value. In a quoted value, a backslash stands before a character of the value, as in WireMock.
    package var value: ArraySlice<UInt8> {
        guard isQuoted, written.contains(UInt8(ascii: "\\")) else { return written }
        var value: [UInt8] = []
        var rest = written
        while let byte = rest.popFirst() {
            value.append(byte == UInt8(ascii: "\\") ? rest.popFirst() ?? byte : byte)
        }
        return value[...]
    }

    /// Returns the cookies in the value of a field. Parts without a name or an equals sign are left out, and so are
    /// names that begin with a dollar sign, which are attributes (RFC 2965 section 3.3.4).
    package static func cookies(in field: ArraySlice<UInt8>) -> [RequestCookie] {
        var cookies: [RequestCookie] = []
        var rest = field
        while let mark = rest.firstIndex(where: { $0 == UInt8(ascii: "=") || $0 == UInt8(ascii: ";") }) {
            let name = rest[..<mark].trimmingBlanks
            let hasValue = rest[mark] == UInt8(ascii: "=")
            rest = rest[(mark + 1)...]
            guard hasValue else { continue }
            let quoted = quoted(rest)
            let end = quoted?.end ?? rest.firstIndex(of: UInt8(ascii: ";")) ?? rest.endIndex
            let written = quoted?.text ?? rest[..<end].trimmingBlanks
            rest = rest[end...].dropFirst()
            guard let first = name.first, first != UInt8(ascii: "$") else { continue }
            cookies.append(RequestCookie(name: name, written: written, isQuoted: quoted != nil))
        }
        return cookies
    }

    /// Returns the text between quotation marks that are the whole value, and where the value ends.
    private static func quoted(_ text: ArraySlice<UInt8>) -> (text: ArraySlice<UInt8>, end: Int)? {
        let text = text.trimmingBlanks
        guard text.first == UInt8(ascii: "\"") else { return nil }
        let start = text.startIndex + 1
        var index = start
        while index < text.endIndex, text[index] != UInt8(ascii: "\"") {
            index += text[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        guard index < text.endIndex else { return nil }
        let after = text[(index + 1)...].trimmingBlanks
        guard after.isEmpty || after.first == UInt8(ascii: ";") else { return nil }
        return (text[start..<index], after.startIndex)
    }
}
