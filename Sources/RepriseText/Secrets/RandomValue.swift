// SPDX-License-Identifier: Apache-2.0

/// Decides whether a value looks random, like a generated key or token, rather than written or counted.
///
/// The value is divided into tokens at every character other than a letter or a digit. A token is noise unless it is
/// a number, a date, or words, including words in camel case and a word with a number: `getUserById`, `utf8`,
/// `INV0012345`. Whether letters form a word is estimated from the frequency of letter pairs in English. A value looks
/// random if it has at least ``minimumNoise`` characters of noise and they are not just a small part of it.
///
/// Dates, URLs, host names, email addresses, file paths, prose, placeholders, and masked values such as `****1234` do
/// not look random. UUIDs do, so the name of a field decides about them.
package enum RandomValue {
    /// The number of bytes at the start of a value that are judged.
    package static var judgedLength: Int { 64 }

    /// The minimum number of characters in tokens that are neither words nor numbers.
    private static let minimumNoise = 8

    /// The minimum of values that are more likely to be secret: credentials after their scheme, the values of certain
    /// header fields, and those with the form of a password.
    private static let minimumNoiseOfCredentials = 4

    /// Whether the value looks random. Only its first ``judgedLength`` bytes count.
    ///
    /// - Parameter isCredential: Whether the value is secret unless it consists of words, numbers, or a well-known
    ///   structure. The default is `false`.
    package static func looksRandom(_ value: Span<UInt8>, isCredential: Bool = false) -> Bool {
        let value = value.extracting(0..<min(value.count, judgedLength))
        guard let start = startOfCredentials(value), value.count - start >= 6 else { return false }
        let text = value.extracting(start..<value.count)
        if isUUID(text) || (text.count > 36 && isUUID(text.extracting((text.count - 36)..<text.count))) {
            return !text.has("urn:", at: 0) && !isAddress(text)
        }
        guard !isStructured(text) else { return false }
        if isInGroups(text) { return true }
        let isLikely = isCredential || start > 0 || PasswordForm.isDemanded(text)
        var noise = Noise(minimum: isLikely ? minimumNoiseOfCredentials : minimumNoise)
        noise.add(text)
        return noise.isRandom
    }

    /// Whether the value is a version 1 to 8 UUID in its usual spelling (RFC 9562 section 4).
    package static func isUUID(_ value: Span<UInt8>) -> Bool {
        guard UUIDText.isUUID(value) else { return false }
        return value.indices.contains { value[$0] != UInt8(ascii: "0") && value[$0] != UInt8(ascii: "-") }
    }

    /// Whether the text consists of three or more groups of the same length, of which at least two mix letters and
    /// digits, as in license keys: `3DH62-WBCB3-LOP2D`.
    private static func isInGroups(_ text: Span<UInt8>) -> Bool {
        var (groups, length) = (0, 0)
        var mixedGroups = 0
        var (hasLetter, hasDigit) = (false, false)
        for index in 0...text.count {
            if index < text.count, isDigit(text[index]) {
                hasDigit = true
            } else if index < text.count, text[index] &- 0x41 < 26 {
                hasLetter = true
            } else if index == text.count || text[index] == UInt8(ascii: "-") {
                if groups == 0 { length = index }
                groups += 1
                guard 5...8 ~= length, index == groups * (length + 1) - 1 else { return false }
                if hasLetter && hasDigit { mixedGroups += 1 }
                (hasLetter, hasDigit) = (false, false)
            } else {
                return false
            }
        }
        return groups >= 3 && mixedGroups >= 2
    }

    /// Returns the index after an authentication scheme (`Bearer abc`), 0 if the value has no space, or `nil` if it has
    /// several words.
    private static func startOfCredentials(_ value: Span<UInt8>) -> Int? {
        var start = 0
        for index in value.indices {
            let byte = value[index]
            guard byte > 0x1F, byte < 0x7F else { return nil }
            guard byte == 0x20 else { continue }
            guard start == 0, 2...20 ~= index else { return nil }
            for letter in 0..<index where !isLetter(value[letter]) && value[letter] != UInt8(ascii: "-") { return nil }
            start = index + 1
        }
        return start
    }

    // MARK: Known structures

    /// Whether the text has a well-known structure that can contain noise without being secret.
    private static func isStructured(_ text: Span<UInt8>) -> Bool {
        switch text[0] {
        case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "<"), UInt8(ascii: "#"): return true
        case UInt8(ascii: "$") where text[1] == UInt8(ascii: "{"): return true
        case UInt8(ascii: "%") where text[1] == UInt8(ascii: "("): return true
        // Public keys of Stripe, age, and OpenSSH.
        case UInt8(ascii: "p") where text.has("pk_live_", at: 0) || text.has("pk_test_", at: 0): return true
        case UInt8(ascii: "a") where text.has("age1", at: 0) && text.count == 62: return true
        case UInt8(ascii: "A") where PublicKeyText.isKey(text): return true
        case UInt8(ascii: "L") where isEncodedPath(text): return true
        default: break
        }
        return isAddress(text) || isHostName(text) || isColonSeparated(text) || isResourceName(text) || isList(text)
    }

    /// Whether the text is Base64 of a path of words, as the keys of etcd are: `/config/database`.
    private static func isEncodedPath(_ text: Span<UInt8>) -> Bool {
        guard let path = Base64.decodeLeniently(Array(bytes: text)[...]) else { return false }
        return path.count > 6 && path[0] == UInt8(ascii: "/")
            && path.allSatisfy { isLetter($0) || "/-_.".utf8.contains($0) }
    }

    /// Whether the text consists of names and values: `HostName=a;DeviceId=b`.
    private static func isList(_ text: Span<UInt8>) -> Bool {
        var (signs, separators) = (0, 0)
        for index in text.indices {
            if text[index] == UInt8(ascii: ";") { separators += 1 }
            // Not the padding of Base64.
            if text[index] == UInt8(ascii: "="), index > 0, isLetter(text[index - 1]), index + 1 < text.count,
                text[index + 1] != UInt8(ascii: "="), text[index + 1] != UInt8(ascii: ";")
            {
                signs += 1
            }
        }
        return signs > 1 && separators > 0
    }

    /// Whether the text is a URL, an email address, a file path with an extension, or is masked.
    private static func isAddress(_ text: Span<UInt8>) -> Bool {
        var at: Int?
        var slash: Int?
        for index in text.indices {
            switch text[index] {
            case UInt8(ascii: ":") where text.has("//", at: index + 1): return true
            case UInt8(ascii: "*") where text.has("**", at: index + 1): return true
            case UInt8(ascii: ".") where text.has("..", at: index + 1): return true
            case UInt8(ascii: "@"): at = index
            case UInt8(ascii: "/"): slash = index
            case UInt8(ascii: ".") where at != nil || (slash != nil && isExtension(text, from: index + 1)): return true
            default: break
            }
        }
        return text.has("data:", at: 0)
    }

    private static func isExtension(_ text: Span<UInt8>, from start: Int) -> Bool {
        guard 2...5 ~= text.count - start else { return false }
        for index in start..<text.count where !isLowercase(text[index]) && !isDigit(text[index]) { return false }
        return true
    }

    private static let topLevels: Set<[UInt8]> = Set(
        ["com", "net", "org", "io", "dev", "app", "cloud", "local", "internal", "test", "example", "localhost"].map {
            Array($0.utf8)
        }
    )

    /// Whether the text is a host name in lower case with a common top-level domain, optionally with a port.
    private static func isHostName(_ text: Span<UInt8>) -> Bool {
        var last: [UInt8] = []
        var dots = 0
        for index in text.indices {
            let byte = text[index]
            if byte == UInt8(ascii: "."), index > 0 {
                dots += 1
                last = []
            } else if byte == UInt8(ascii: ":") {
                break
            } else if isLowercase(byte) || isDigit(byte) || byte == UInt8(ascii: "-") {
                last.append(byte)
            } else {
                return false
            }
        }
        return dots > 0 && topLevels.contains(last)
    }

    /// Whether the text consists of short hexadecimal groups between colons: an IPv6 or MAC address, or a fingerprint.
    private static func isColonSeparated(_ text: Span<UInt8>) -> Bool {
        var (colons, length) = (0, 0)
        for index in text.indices {
            if text[index] == UInt8(ascii: ":") {
                (colons, length) = (colons + 1, 0)
            } else {
                length += 1
                guard length <= 4, hexadecimalValue(text[index]) != nil else { return false }
            }
        }
        return colons >= 2
    }

    /// Whether the text is two uppercase letters and 32 hexadecimal digits, like the identifiers (SID) of Twilio, or
    /// the public identifier of an app of WeChat.
    private static func isResourceName(_ text: Span<UInt8>) -> Bool {
        if text.count == 18, text.has("wx", at: 0) { return (2..<18).allSatisfy { hexadecimalValue(text[$0]) != nil } }
        guard text.count == 34, text[0] &- 0x41 < 26, text[1] &- 0x41 < 26 else { return false }
        for index in 2..<34 where hexadecimalValue(text[index]) == nil { return false }
        return true
    }

    static func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- 0x61 < 26 }
    static func isLowercase(_ byte: UInt8) -> Bool { byte &- 0x61 < 26 }
}

extension Span<UInt8> {
    fileprivate func has(_ text: StaticString, at index: Int) -> Bool {
        let count = text.utf8CodeUnitCount
        guard index + count <= self.count else { return false }
        var offset = index
        for byte in text.description.utf8 {
            guard self[offset] == byte else { return false }
            offset += 1
        }
        return true
    }
}
