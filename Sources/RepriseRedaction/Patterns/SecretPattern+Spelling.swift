// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

extension SecretPattern {
    /// The reason the spelling of a pattern is invalid.
    struct SpellingError: Error, Hashable, CustomStringConvertible {
        /// The column of the character, counted from 1.
        var column: Int
        /// What was expected and what was found.
        var description: String
    }

    init(_ spelling: String) throws(SpellingError) {
        var parser = Parser(spelling)
        let elements = try parser.elements()
        let fixed = elements.prefix { $0.minimum == 1 && $0.maximum == 1 && $0.bytes.only != nil }
        guard fixed.count >= 3 else {
            throw SpellingError(
                column: 1,
                description: "expected a pattern whose first three characters are fixed, found \"\(clipped(spelling))\""
            )
        }
        self.init(prefix: fixed.compactMap(\.bytes.only), elements: Array(elements[fixed.count...]))
    }

    /// Creates a pattern that matches exactly `text`, which must have at least three bytes.
    init(text: String) throws(SpellingError) {
        guard text.utf8.count >= 3 else {
            throw SpellingError(column: 1, description: "expected at least three characters, found \"\(text)\"")
        }
        self.init(prefix: Array(text.utf8), elements: [])
        limit = max(limit, text.utf8.count + 1)
    }

    private struct Parser {
        private let text: [UInt8]
        private var index = 0

        init(_ text: String) {
            self.text = Array(text.utf8)
        }

        mutating func elements() throws(SpellingError) -> [Element] {
            var elements: [Element] = []
            while index < text.count {
                let bytes = try byteSet()
                let (minimum, maximum) = try repetition()
                elements.append(Element(bytes: bytes, minimum: minimum, maximum: maximum))
            }
            return elements
        }

        private mutating func byteSet() throws(SpellingError) -> ByteSet {
            let byte = text[index]
            switch byte {
            case UInt8(ascii: "["): return try bracketExpression()
            case UInt8(ascii: "\\"): return try escaped()
            case _ where ".*+?{}]()|^$".utf8.contains(byte):
                throw error(
                    "expected '\\\(Character(Unicode.Scalar(byte)))', as '\(Character(Unicode.Scalar(byte)))' "
                        + "alone is not allowed here"
                )
            default:
                index += 1
                return ByteSet(byte)
            }
        }

        private mutating func escaped() throws(SpellingError) -> ByteSet {
            guard index + 1 < text.count else { throw error("expected a character after '\\'") }
            let byte = text[index + 1]
            switch byte {
            case UInt8(ascii: "w"):
                index += 2
                return .word
            case UInt8(ascii: "d"):
                index += 2
                return .digits
            case _ where isAlphanumeric(byte):
                throw error("expected \\w, \\d or a sign after '\\', found '\(Character(Unicode.Scalar(byte)))'")
            default:
                index += 2
                return ByteSet(byte)
            }
        }

        private mutating func bracketExpression() throws(SpellingError) -> ByteSet {
            let open = index
            var set = ByteSet()
            index += 1
            while index < text.count, text[index] != UInt8(ascii: "]") {
                let first = try member()
                set = set.union(first)
                guard let low = first.only, index + 1 < text.count, text[index] == UInt8(ascii: "-"),
                    text[index + 1] != UInt8(ascii: "]")
                else { continue }
                guard text[index + 1] >= low else { throw error("expected a range such as a-z") }
                for byte in low...text[index + 1] { set.insert(byte) }
                index += 2
            }
            guard index < text.count, index > open + 1 else {
                index = open
                throw error("expected characters and a ']' after '['")
            }
            index += 1
            return set
        }

        private mutating func member() throws(SpellingError) -> ByteSet {
            if text[index] == UInt8(ascii: "\\") { return try escaped() }
            index += 1
            return ByteSet(text[index - 1])
        }

        private mutating func repetition() throws(SpellingError) -> (Int, Int) {
            guard index < text.count else { return (1, 1) }
            switch text[index] {
            case UInt8(ascii: "*"): index += 1; return (0, .max)
            case UInt8(ascii: "+"): index += 1; return (1, .max)
            case UInt8(ascii: "?"): index += 1; return (0, 1)
            case UInt8(ascii: "{"): return try numbers()
            default: return (1, 1)
            }
        }

        private mutating func numbers() throws(SpellingError) -> (Int, Int) {
            let open = index
            guard let close = text[index...].firstIndex(of: UInt8(ascii: "}")) else {
                throw error("expected a '}' after '{'")
            }
            let parts = text[index + 1..<close].split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
            let numbers = parts.map { Int(String(decoding: $0, as: UTF8.self)) }
            index = close + 1
            switch (parts.count, numbers.first ?? nil, numbers.last ?? nil) {
            case (1, let count?, _) where 1...1000 ~= count: return (count, count)
            case (2, let minimum?, nil) where parts[1].isEmpty && 0...1000 ~= minimum: return (minimum, .max)
            case (2, let minimum?, let maximum?) where minimum >= 0 && minimum <= maximum && 1...1000 ~= maximum:
                return (minimum, maximum)
            default:
                index = open
                throw error("expected {20}, {20,} or {20,40} with numbers up to 1000")
            }
        }

        private func error(_ description: String) -> SpellingError {
            SpellingError(
                column: String(decoding: text[..<index], as: UTF8.self).unicodeScalars.count + 1,
                description: description
            )
        }
    }
}

extension ByteSet {
    init(_ byte: UInt8) {
        self.init()
        insert(byte)
    }

    /// The byte, if the set has exactly one.
    var only: UInt8? {
        var found: UInt8?
        for byte in UInt8.min...UInt8.max where contains(byte) {
            if found != nil { return nil }
            found = byte
        }
        return found
    }
}
