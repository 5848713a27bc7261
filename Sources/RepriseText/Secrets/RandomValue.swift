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
        guard value.count == 36 else { return false }
        var isNil = true
        for index in value.indices {
            switch index {
            case 8, 13, 18, 23: guard value[index] == UInt8(ascii: "-") else { return false }
            default:
                guard hexadecimalValue(value[index]) != nil else { return false }
                if value[index] != UInt8(ascii: "0") { isNil = false }
            }
        }
        return !isNil
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

    // MARK: Noise

    /// The number of characters in tokens that are noise.
    private struct Noise {
        let minimum: Int
        private var noise = 0
        private var total = 0
        /// The characters of all tokens, to recognize placeholders such as `xxxxxxxx`.
        private var distinct: UInt64 = 0
        private var longest = Token()

        init(minimum: Int) {
            self.minimum = minimum
        }

        mutating func add(_ text: Span<UInt8>) {
            var token = Token()
            var index = 0
            while index < text.count {
                let byte = text[index]
                if isDigit(byte) || RandomValue.isLetter(byte) {
                    token.add(byte)
                    distinct |= 1 << UInt64((byte | 0x20) & 63)
                    index += 1
                } else {
                    end(&token)
                    index += Self.length(of: byte, at: index, in: text)
                }
            }
            end(&token)
        }

        /// The length of a separator, including the rest of an escape.
        private static func length(of byte: UInt8, at index: Int, in text: Span<UInt8>) -> Int {
            if byte == UInt8(ascii: "%"), PercentEscape.byte(at: index, in: text) != nil { return 3 }
            guard byte == UInt8(ascii: "\\"), index + 1 < text.count else { return 1 }
            return text[index + 1] == UInt8(ascii: "u") ? 6 : 2
        }

        private mutating func end(_ token: inout Token) {
            token.end()
            total += token.count
            if token.isNoise {
                noise += token.count
                if token.count > longest.count { longest = token }
            }
            token = Token()
        }

        var isRandom: Bool {
            guard distinct.nonzeroBitCount >= 4 else { return false }
            if noise >= minimum { return noise >= 16 || noise * 4 >= total }
            // With less noise, a token must mix lowercase letters, uppercase letters, and digits.
            return longest.count >= 6 && longest.count * 2 >= total && longest.isMixed
        }
    }

    /// A run of letters and digits.
    private struct Token {
        private(set) var count = 0
        private var letters = 0
        /// The letters in words.
        private var plain = 0
        private var digits = 0
        private var groups = 0
        private var capitals = 0
        private var last: UInt8 = 0
        private var words = 0
        private var isHexadecimal = true
        /// Whether all letters are those of dates and durations (`20240115T103000Z`, `P3DT12H`) or sizes (`64x64`).
        private var hasOnlySigns = true

        /// The current word: its length, its cost, and the number of uppercase letters at its start.
        private var word = 0
        private var cost = 0
        private var capitalsOfWord = 0

        mutating func add(_ byte: UInt8) {
            count += 1
            defer { last = byte }
            if isDigit(byte) {
                digits += 1
                if last == 0 || !isDigit(last) { groups += 1 }
                endWord()
                return
            }
            letters += 1
            if byte | 0x20 > UInt8(ascii: "f") { isHexadecimal = false }
            let isCapital = byte < 0x61
            if isCapital { capitals += 1 }
            if !Self.signs.contains(byte) { hasOnlySigns = false }
            if isCapital, word > 0, capitalsOfWord < word {
                endWord()
            } else if !isCapital, capitalsOfWord > 1, capitalsOfWord == word {
                // The last capital starts a word: `APIKey`.
                let letter = last
                cost -= lastCost
                word -= 1
                endWord()
                (word, capitalsOfWord) = (1, 1)
                last = letter
            }
            if word > 0 {
                lastCost = RandomValue.cost(last, byte)
                cost += lastCost
            }
            word += 1
            if isCapital { capitalsOfWord += 1 }
        }

        private var lastCost = 0

        private mutating func endWord() {
            if word > 0 { words += 1 }
            // The longer a word, the more certain is its mean cost, which is about 4.7 for random letters.
            if word >= 10 ? 4 * cost <= 15 * (word - 1) : word >= 4 ? cost <= 4 * (word - 1) : word == 3 && cost <= 8 {
                plain += word
            }
            (word, cost, capitalsOfWord) = (0, 0, 0)
        }

        private static let signs = ByteSet("DHMPSTWYZx")

        mutating func end() { endWord() }

        /// Whether the value has lowercase letters, uppercase letters, and digits, and not only digits after a word.
        var isMixed: Bool {
            digits > 0 && capitals > 0 && capitals < letters && (groups > 1 || !isDigit(last) || count == 3)
        }

        var isNoise: Bool {
            guard count >= 4 else { return count == 3 && isMixed }
            if letters == 0 { return count > 20 }
            if hasOnlySigns { return false }
            if isHexadecimal, count >= 12, digits > 1 { return true }
            let isScattered = groups >= 3 || (words >= 4 && letters < 3 * words)
            if isScattered ? plain * 5 >= count * 3 : plain * 2 >= letters { return false }
            // Letters and then a number, such as a reference or a version.
            if groups == 1, isDigit(last), letters <= 4, digits <= 12, capitals == 0 || capitals == letters {
                return false
            }
            return letters * 10 >= count
        }
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- 0x61 < 26 }
    private static func isLowercase(_ byte: UInt8) -> Bool { byte &- 0x61 < 26 }

    /// Returns how rare the pair of letters is in words.
    private static func cost(_ first: UInt8, _ second: UInt8) -> Int {
        Int(costs[Int((first | 0x20) - 0x61) * 26 + Int((second | 0x20) - 0x61)] - 0x30)
    }

    /// One row for each first letter and one digit for each second letter: the negative binary logarithm of the
    /// probability of the second letter in words of English documentation, minus one.
    private static let costs = Array(
        """
        84338647495232849232556658\
        25452666347255357335266647\
        27562782483357168352478968\
        35641577167456268435467658\
        36324458697342646223845369\
        37553267188365267344376758\
        36561643277353457335356776\
        17761777287455267453487867\
        45344448896331348433859595\
        25442545354445245435154555\
        36551456266454456525454656\
        26641577287266258744467838\
        14641778386546228645477867\
        37322427385565369632457868\
        54336557585331439233344788\
        27552675387267238243476849\
        45545454445354455445055555\
        26441648295544269433466849\
        47361663285566337531375858\
        27451682287556359334476748\
        44453447487332538222788788\
        16570667177656467655676777\
        26652562176563266335665677\
        35242465266446516541556456\
        34453546366432316522554555\
        35540454255444355444455544
        """.utf8
    )
}

extension Span<UInt8> {
    /// Whether `text` is at `index`.
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
