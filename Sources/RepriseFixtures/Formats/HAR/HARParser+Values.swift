// SPDX-License-Identifier: Apache-2.0

internal import RepriseDocuments
internal import RepriseText

// Reads the values of a HAR file. A value that a tool leaves out or writes with another type counts as missing,
// unless the response needs it.
extension HARParser {
    /// Reads the opening brace of `name`. Anything else is reported and skipped.
    mutating func open(_ name: String) throws(JSONError) -> Bool {
        let token = try reader.next()
        if token == .beginObject { return true }
        report(at: reader.tokenPlace, "expected an object for \(name), found \(reader.description(of: token))")
        try reader.skipRest(of: token)
        return false
    }

    /// Reads the opening bracket of an object or array. Anything else is skipped.
    mutating func open(if bracket: JSONToken) throws(JSONError) -> Bool {
        let token = try reader.next()
        if token == bracket { return true }
        try reader.skipRest(of: token)
        return false
    }

    /// Reads the opening brace of the next object in an array and skips anything else. Returns `false` at the end of
    /// the array.
    mutating func nextObject() throws(JSONError) -> Bool {
        while true {
            let token = try reader.next()
            if token == .beginObject { return true }
            if token == .endArray { return false }
            try reader.skipRest(of: token)
        }
    }

    /// Returns the next key that matters, or `nil` at the end of the object.
    mutating func nextKey() throws(JSONError) -> HARKey? {
        while case .key(let range) = try reader.next() {
            if let key = HARKey.table.key(at: range, in: reader) { return key }
            _ = try reader.skipValue()
        }
        return nil
    }

    /// Reads a string. Returns `nil` for anything else.
    mutating func string() throws(JSONError) -> Range<Int>? {
        let token = try reader.next()
        if case .string(let range) = token { return range }
        try reader.skipRest(of: token)
        return nil
    }

    /// Reads the value of a pair, or its values from an array.
    mutating func readValue(of pair: inout HAREntry.Pair) throws(JSONError) {
        let token = try reader.next()
        guard token == .beginArray else {
            pair.value = try word(token)
            return
        }
        while case let token = try reader.next(), token != .endArray {
            guard let range = try word(token) else { continue }
            if pair.value == nil { pair.value = range } else { pair.more.append(range) }
        }
    }

    /// Returns a string or another single-token value as text. Returns `nil` for `null` and anything else.
    private mutating func word(_ token: JSONToken) throws(JSONError) -> Range<Int>? {
        switch token {
        case .string(let range), .number(let range):
            return range
        case .true, .false:
            return try reader.skipRest(of: token)
        default:
            try reader.skipRest(of: token)
            return nil
        }
    }

    /// Reads why something failed: a text, an object, or `true`.
    mutating func failure() throws(JSONError) -> Range<Int>? {
        let token = try reader.next()
        let range = try reader.skipRest(of: token)
        switch token {
        case .string(let text): return text.isEmpty ? nil : text
        case .beginObject, .true: return range
        default: return nil
        }
    }

    /// Reads any value and returns whether it is a nonempty array.
    mutating func isArrayWithElements() throws(JSONError) -> Bool {
        guard try open(if: .beginArray) else { return false }
        let token = try reader.next()
        if token == .endArray { return false }
        try reader.skipRest(of: token)
        while try nextObject() { try reader.skipRest(of: .beginObject) }
        return true
    }

    /// Reads a number, which some tools write as a string. Returns `nil` for anything else.
    mutating func number() throws(JSONError) -> Double? {
        let token = try reader.next()
        switch token {
        case .number(let range), .string(let range):
            return Double(reader.spelling(of: range)).flatMap { $0.isFinite ? $0 : nil }
        default:
            try reader.skipRest(of: token)
            return nil
        }
    }

    /// The text in `range`, or an empty string if `range` is `nil`.
    func text(_ range: Range<Int>?) -> String {
        range.map { String(decoding: reader.repairedUTF8(of: $0), as: UTF8.self) } ?? ""
    }
}
