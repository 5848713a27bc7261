// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// One pair of a Cookie or Set-Cookie line (RFC 6265 section 4).
///
/// A recorder removes all cookies, because it cannot know which of them are secret. The check of a fixture is a
/// message to its author, so it does not report settings such as `theme=dark`.
struct CookiePair {
    let bytes: ArraySlice<UInt8>

    /// The lengths up to which a value is only a setting: `dark`, `en-US`, `true`, `42`.
    private static let longestWord = 11
    private static let longestNumber = 3

    /// Returns the pairs of a line, with the attributes of a Set-Cookie line as a last part that is not a pair.
    static func pairs(of line: HeaderLine) -> (pairs: [CookiePair], attributes: ArraySlice<UInt8>) {
        let value = line.valueBytes
        let semicolon = UInt8(ascii: ";")
        guard line.hasName("Set-Cookie") else {
            return (value.split(separator: semicolon).map { CookiePair(bytes: $0) }, [])
        }
        let end = value.firstIndex(of: semicolon) ?? value.endIndex
        return ([CookiePair(bytes: value[..<end])], value[end...])
    }

    /// Whether the value cannot be a secret: it is a short word or number, and the name is not that of a secret.
    var isHarmless: Bool {
        guard let equals = bytes.firstIndex(of: UInt8(ascii: "=")) else { return false }
        let name = String(decoding: bytes[..<equals], as: UTF8.self).lowercased().filter { $0 != " " }
        guard !SecretNames.shown.isSecret(name, in: .header), !name.hasSuffix("id"), !name.contains("sess") else {
            return false
        }
        let value = bytes[(equals + 1)...]
        if value.count <= Self.longestNumber, value.allSatisfy(isDigit) { return true }
        return value.count <= Self.longestWord
            && value.allSatisfy { ($0 | 0x20) &- 0x61 < 26 || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") }
    }
}
