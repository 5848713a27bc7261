// SPDX-License-Identifier: Apache-2.0

extension RandomValue {
    /// The number of characters in tokens that are noise.
    struct Noise {
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
        /// Whether it has no other letters than those in dates, durations, and sizes: `20240115T103000Z`, `P3DT12H`,
        /// `64x64`.
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

    /// Returns how rare the pair of letters is in words.
    private static func cost(_ first: UInt8, _ second: UInt8) -> Int {
        Int(costs[Int((first | 0x20) - 0x61) * 26 + Int((second | 0x20) - 0x61)] - 0x30)
    }

    /// How rare each pair of letters is in the words of English documentation. There is a row for each first letter,
    /// with a digit for each second letter: the negative binary logarithm of its probability, minus one.
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
