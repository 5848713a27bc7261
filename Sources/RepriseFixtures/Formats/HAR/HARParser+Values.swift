// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

// Values of a capture. What a tool leaves out or writes in another type is absent, unless nothing can be answered
// without it.
extension HARParser {
    /// Reads the brace that opens `name`; reports anything else, and reads over it.
    mutating func open(_ name: String) throws(JSONError) -> Bool {
        let token = try reader.next()
        if token == .beginObject { return true }
        report(at: reader.tokenPlace, "expected an object for \(name), found \(reader.description(of: token))")
        try reader.skipRest(of: token)
        return false
    }

    /// Reads the brace that opens an object; reads over anything else.
    mutating func openIfObject() throws(JSONError) -> Bool {
        let token = try reader.next()
        if token == .beginObject { return true }
        try reader.skipRest(of: token)
        return false
    }

    /// Reads the bracket that opens an array; reads over anything else.
    mutating func openIfArray() throws(JSONError) -> Bool {
        let token = try reader.next()
        if token == .beginArray { return true }
        try reader.skipRest(of: token)
        return false
    }

    /// Reads the brace that opens the next object of an array, over anything else; `false` at the array's end.
    mutating func nextObject() throws(JSONError) -> Bool {
        while true {
            let token = try reader.next()
            if token == .beginObject { return true }
            if token == .endArray { return false }
            try reader.skipRest(of: token)
        }
    }

    /// The next key of the object that matters; `nil` at its end.
    mutating func nextKey() throws(JSONError) -> HARKey? {
        while case .key(let range) = try reader.next() {
            if let key = HARKey.table.key(at: range, in: reader) { return key }
            _ = try reader.skipValue()
        }
        return nil
    }

    /// Reads a string; `nil` for anything else.
    mutating func string() throws(JSONError) -> Range<Int>? {
        let token = try reader.next()
        if case .string(let range) = token { return range }
        try reader.skipRest(of: token)
        return nil
    }

    /// Reads a string, or another value of one token, which stands for itself; `nil` for `null` and anything else.
    mutating func word() throws(JSONError) -> Range<Int>? {
        let token = try reader.next()
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

    /// Reads whatever is there, and says whether it is an array that is not empty.
    mutating func isArrayWithElements() throws(JSONError) -> Bool {
        guard try openIfArray() else { return false }
        let token = try reader.next()
        if token == .endArray { return false }
        try reader.skipRest(of: token)
        while try nextObject() { try reader.skipRest(of: .beginObject) }
        return true
    }

    /// Reads a number, which some tools write as a string; `nil` for anything else.
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

    /// The text at `range`; empty where there is none.
    func text(_ range: Range<Int>?) -> String {
        range.map { String(decoding: reader.repairedUTF8(of: $0), as: UTF8.self) } ?? ""
    }
}
