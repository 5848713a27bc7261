// SPDX-License-Identifier: Apache-2.0

internal import RepriseDocuments
internal import RepriseText

// Reads scalars, and converts them as WireMock's reader does.
extension StubParser {
    /// Returns the text of a string, number, or boolean.
    mutating func text(_ node: StubNode?, _ name: String) -> String? {
        guard let node else { return nil }
        switch node.value {
        case .scalar(.string(let string)): return string
        case .scalar(.number(let number)): return number.spelling
        case .scalar(.bool(let value)): return value ? "true" : "false"
        default:
            reject(node, "a string for \"\(name)\"")
            return nil
        }
    }

    /// Returns a string. Numbers and booleans are mistakes.
    mutating func string(_ node: StubNode?, _ name: String) -> String? {
        guard let node else { return nil }
        switch node.value {
        case .scalar(.string(let string)): return string
        case .scalar(.number), .scalar(.bool):
            reject(node, "a string for \"\(name)\"", "; write it in quotation marks")
        default:
            reject(node, "a string for \"\(name)\"")
        }
        return nil
    }

    /// Returns an integer. Strings are converted, and a fraction is dropped, as in WireMock.
    mutating func integer(_ node: StubNode?, _ name: String, in range: ClosedRange<Int>, _ what: String) -> Int? {
        guard let node else { return nil }
        var value: Int?
        switch node.value {
        case .scalar(.number(let number)) where abs(number.double) < 1e15: value = Int(number.double)
        case .scalar(.string(let string)): value = Int(Self.trimmed(string))
        default: break
        }
        guard let value, range.contains(value) else {
            reject(node, "\(what) for \"\(name)\"")
            return nil
        }
        return value
    }

    mutating func number(_ node: StubNode?, _ name: String) -> JSONNumber? {
        guard let node else { return nil }
        switch node.value {
        case .scalar(.number(let number)): return number
        case .scalar(.string(let string)):
            if let number = JSONNumber(Self.trimmed(string)) { return number }
        default: break
        }
        reject(node, "a number for \"\(name)\"")
        return nil
    }

    /// Returns a boolean. `"true"`, `"false"`, and integers are converted, as in WireMock. `""` is no value.
    mutating func boolean(_ node: StubNode?, _ name: String) -> Bool? {
        guard let node else { return nil }
        switch node.value {
        case .scalar(.bool(let value)): return value
        case .scalar(.number(let number)): return number.double != 0
        case .scalar(.string("true")), .scalar(.string("True")), .scalar(.string("TRUE")): return true
        case .scalar(.string("false")), .scalar(.string("False")), .scalar(.string("FALSE")): return false
        case .scalar(.string("")): return nil
        default:
            reject(node, "true or false for \"\(name)\"")
            return nil
        }
    }

    /// Returns a time in milliseconds, rounded to the microsecond. A negative time means no delay, as in WireMock.
    mutating func milliseconds(_ node: StubNode?, _ name: String) -> Duration? {
        guard let node else { return nil }
        var value: Double?
        switch node.value {
        case .scalar(.number(let number)): value = number.double
        case .scalar(.string("")): return nil
        case .scalar(.string(let string)): value = JSONNumber(Self.trimmed(string))?.double
        default: break
        }
        if let value, value < 0 {
            tolerating("it counts as none") { $0.reject(node, "milliseconds from 0 to 31 days for \"\(name)\"") }
            return nil
        }
        guard let value, value <= Self.longestMilliseconds else {
            reject(node, "milliseconds from 0 to 31 days for \"\(name)\"")
            return nil
        }
        return .microseconds(Int64((value * 1000).rounded()))
    }

    private static let longestMilliseconds = 31.0 * 24 * 60 * 60 * 1000

    /// Returns one of the given words.
    mutating func word<Word: RawRepresentable<String>>(
        _ node: StubNode?,
        _ name: String,
        among words: [Word],
        countsPlaces: Bool = false
    ) -> Word? {
        word(node, name, among: words.map(\.rawValue), countsPlaces: countsPlaces).flatMap { Word(rawValue: $0) }
    }

    /// Returns one of the given words. With `ignoringCase`, in the spelling of the list, and an underscore is a space.
    /// With `countsPlaces`, a number is the word at its place in the list, and spaces around a word don't count, as in
    /// WireMock.
    mutating func word(
        _ node: StubNode?,
        _ name: String,
        among words: [String],
        ignoringCase: Bool = false,
        countsPlaces: Bool = false
    ) -> String? {
        guard let node else { return nil }
        let expectation =
            "\(words.count == 1 ? "" : "one of ")\(words.map { "\"\($0)\"" }.joined(separator: ", ")) for \"\(name)\""
        let text: String
        switch node.value {
        case .scalar(.string(let string)): text = string
        case .scalar(.number(let number)) where countsPlaces: text = number.spelling
        default:
            reject(node, expectation)
            return nil
        }
        if words.contains(text) { return text }
        let folded = String(text.lowercased().map { $0 == "_" ? " " : $0 })
        if ignoringCase, let word = words.first(where: { $0.lowercased() == folded }) { return word }
        let bare = Self.trimmed(text)
        let place = words.firstIndex { $0 == bare } ?? Int(bare) ?? -1
        if countsPlaces, words.indices.contains(place) {
            tolerating("it counts as \"\(words[place])\"") { $0.reject(node, expectation) }
            return words[place]
        }
        reject(node, expectation, nearest(to: text, among: words).map { "; did you mean \"\($0)\"?" } ?? "")
        return nil
    }

    /// Returns the bytes of a Base64 string.
    mutating func base64(_ node: StubNode?, _ name: String) -> [UInt8]? {
        guard let node, let text = string(node, name) else { return nil }
        guard let bytes = Base64.decodeLeniently(Array(text.utf8)[...]) else {
            reject(node, "Base64 for \"\(name)\"")
            return nil
        }
        return bytes
    }

    static func trimmed(_ text: String) -> String {
        var text = Substring(text)
        while let first = text.first, first.isWhitespace { text.removeFirst() }
        while let last = text.last, last.isWhitespace { text.removeLast() }
        return String(text)
    }
}
