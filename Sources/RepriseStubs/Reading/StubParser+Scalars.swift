// SPDX-License-Identifier: Apache-2.0

internal import RepriseDocuments
internal import RepriseText

// Reads scalars, and converts them as WireMock's reader does.
extension StubParser {
    /// Returns what `read` makes of a value, and reports a value of which it makes nothing.
    mutating func value<Value>(
        _ node: JSONNode?,
        _ name: String,
        _ expectation: String,
        _ advice: String = "",
        read: (JSONNode) -> Value?
    ) -> Value? {
        guard let node else { return nil }
        if let value = read(node) { return value }
        reject(node, "\(expectation) for \"\(name)\"", advice)
        return nil
    }

    /// Returns the text of a string, number, or boolean.
    mutating func text(_ node: JSONNode?, _ name: String) -> String? {
        value(node, name, "a string") { $0.string ?? $0.number?.spelling ?? $0.boolean?.description }
    }

    /// Returns a string. Numbers and booleans are mistakes.
    mutating func string(_ node: JSONNode?, _ name: String) -> String? {
        let isScalar = node?.number != nil || node?.boolean != nil
        return value(node, name, "a string", isScalar ? "; write it in quotation marks" : "") { $0.string }
    }

    /// Returns an integer. Strings are converted, and a fraction is dropped, as in WireMock.
    mutating func integer(_ node: JSONNode?, _ name: String, in range: ClosedRange<Int>, _ what: String) -> Int? {
        value(node, name, what) { node in
            let number = node.number.flatMap { abs($0.double) < 1e15 ? Int($0.double) : nil }
            guard let value = number ?? node.string.flatMap({ Int(Self.trimmed($0)) }) else { return nil }
            return range.contains(value) ? value : nil
        }
    }

    mutating func number(_ node: JSONNode?, _ name: String) -> JSONNumber? {
        value(node, name, "a number") { $0.number ?? $0.string.flatMap { JSONNumber(Self.trimmed($0)) } }
    }

    /// Returns a boolean. `"true"`, `"false"`, and integers are converted, as in WireMock. `""` is no value.
    mutating func boolean(_ node: JSONNode?, _ name: String) -> Bool? {
        if node?.string == "" { return nil }
        return value(node, name, "true or false") { node in
            switch node.string {
            case "true", "True", "TRUE": true
            case "false", "False", "FALSE": false
            default: node.boolean ?? node.number.map { $0.double != 0 }
            }
        }
    }

    /// Returns a time in milliseconds, rounded to the microsecond. A negative time means no delay, as in WireMock.
    mutating func milliseconds(_ node: JSONNode?, _ name: String) -> Duration? {
        guard let node, node.string != "" else { return nil }
        let value = node.number?.double ?? node.string.flatMap { JSONNumber(Self.trimmed($0))?.double }
        if let value, value < 0 {
            tolerating("it counts as none") { $0.reject(node, "milliseconds from 0 to 31 days for \"\(name)\"") }
            return nil
        }
        if let duration = value.flatMap(Duration.init(milliseconds:)) { return duration }
        reject(node, "milliseconds from 0 to 31 days for \"\(name)\"")
        return nil
    }

    /// Returns one of the given words.
    mutating func word<Word: RawRepresentable<String>>(
        _ node: JSONNode?,
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
        _ node: JSONNode?,
        _ name: String,
        among words: [String],
        ignoringCase: Bool = false,
        countsPlaces: Bool = false
    ) -> String? {
        guard let node else { return nil }
        let expectation = "\(words.count == 1 ? "" : "one of ")\(quotedList(words)) for \"\(name)\""
        guard let text = node.string ?? (countsPlaces ? node.number?.spelling : nil) else {
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
    mutating func base64(_ node: JSONNode?, _ name: String) -> [UInt8]? {
        guard let text = string(node, name) else { return nil }
        return value(node, name, "Base64") { _ in Base64.decodeLeniently(Array(text.utf8)[...]) }
    }

    static func trimmed(_ text: String) -> String {
        var text = Substring(text)
        while let first = text.first, first.isWhitespace { text.removeFirst() }
        while let last = text.last, last.isWhitespace { text.removeLast() }
        return String(text)
    }
}
