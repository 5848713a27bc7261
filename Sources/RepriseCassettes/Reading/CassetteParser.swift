// SPDX-License-Identifier: Apache-2.0

package import RepriseDocuments
package import RepriseText

/// Parses a cassette. This file contains what all objects of the format share: iterating over keys, expecting values
/// of one kind, and reporting mistakes.
///
/// A function that reads a value returns `nil` after it has reported a mistake in the value, and still consumes the
/// whole value. It throws only if the text is not JSON.
package struct CassetteParser {
    /// An object whose members are being read.
    struct Object {
        /// The object's name in messages.
        var name: String
        /// The place of its opening brace.
        var place: TextPlace
        /// The keys that the object can have.
        var known: CassetteKey.Group
        /// The keys that were found.
        var seen: CassetteKey.Group = []
        /// The keys that were found misspelled. Each of them counts as one mistake, not as an unknown key and a
        /// missing one.
        var misspelled: CassetteKey.Group = []
    }

    package var reader: JSONReader
    let bodies: CassetteBodies
    var headerLineCache = HeaderLineCache()
    package private(set) var problems: [FixtureProblem] = []
    /// The only problem to report if the file has a newer format, because that explains all the others.
    var newerFormat: FixtureProblem?
    /// The place and name of everything that only format 2 can contain.
    var newFeatures: [(place: TextPlace, name: String)] = []
    /// The place of each stand-in that has been read.
    var standInLocations: [FilePosition] = []
    /// The names of body files that have been read.
    var bodyNames: [String] = []
    /// The place of each exchange that has been read.
    var locations: [FilePosition] = []
    private let file: String
    private let table = CassetteKey.table
    private var cursor = LocationCursor()
    private var hasMore = false

    package init(_ bytes: [UInt8], file: String, bodies: CassetteBodies) {
        reader = JSONReader(bytes)
        self.file = file
        self.bodies = bodies
    }

    // MARK: Mistakes

    /// Reports a mistake at the last token.
    mutating func report(_ message: String) {
        report(at: reader.tokenPlace, message)
    }

    /// Reports a mistake at `place`.
    mutating func report(at place: TextPlace, _ message: String) {
        if problems.count < FixtureProblems.limitOfFile {
            problems.append(problem(at: location(of: place), message))
        } else {
            hasMore = true
        }
    }

    /// Stops reading once there are more mistakes than the limit.
    func stopIfThereAreMore() throws(JSONError) {
        guard !hasMore else { throw JSONError(offset: reader.tokenPlace.offset, message: FixtureProblems.andMore) }
    }

    /// Reports that the last token, a string, is invalid.
    mutating func report(_ error: JSONError) {
        var place = reader.tokenPlace
        place.offset = error.offset
        report(at: place, error.message)
    }

    /// Reports why reading stopped early: the text is not JSON, or it has too many mistakes.
    mutating func reportEnd(_ error: JSONError) {
        problems.append(problem(at: error.location(in: reader.bytes), error.message))
    }

    func problem(at location: FilePosition, _ message: String) -> FixtureProblem {
        FixtureProblem(file: file, location: location, message: message)
    }

    mutating func location(of place: TextPlace) -> FilePosition {
        cursor.location(of: place, in: reader.bytes)
    }

    // MARK: Objects

    /// Reads the opening brace of `name`. Returns `nil` if anything else was found.
    mutating func open(_ name: String, _ known: CassetteKey.Group) throws(JSONError) -> Object? {
        let token = try reader.next()
        guard token == .beginObject else {
            try reject(token, "expected an object for \(name)")
            return nil
        }
        return Object(name: name, place: reader.tokenPlace, known: known)
    }

    /// Reads the opening bracket of an array. Returns `false` if anything else was found.
    mutating func openArray(_ expectation: String) throws(JSONError) -> Bool {
        let token = try reader.next()
        if token == .beginArray { return true }
        try reject(token, expectation)
        return false
    }

    /// Reads the opening brace of the next object in an array of such objects, and returns `nil` at the end of the array.
    /// Anything else is reported and skipped.
    mutating func nextObject(_ name: String, _ known: CassetteKey.Group) throws(JSONError) -> Object? {
        while case let token = try reader.next(), token != .endArray {
            try stopIfThereAreMore()
            if token == .beginObject { return Object(name: name, place: reader.tokenPlace, known: known) }
            try reject(token, "expected an object for \(name)")
        }
        return nil
    }

    /// Returns the next known key of `object`, or `nil` at its end. Unknown keys are reported and skipped.
    mutating func nextKey(of object: inout Object) throws(JSONError) -> CassetteKey? {
        while case .key(let range) = try reader.next() {
            try stopIfThereAreMore()
            guard let key = table.key(at: range, in: reader), object.known.contains(key.group) else {
                reportUnknownKey(range, of: &object)
                _ = try reader.skipValue()
                continue
            }
            guard !object.seen.contains(key.group) else {
                report("expected \"\(key.name)\" once in \(object.name), found it again")
                _ = try reader.skipValue()
                continue
            }
            object.seen.insert(key.group)
            return key
        }
        return nil
    }

    private mutating func reportUnknownKey(_ range: Range<Int>, of object: inout Object) {
        let name = (try? reader.string(of: range)) ?? reader.spelling(of: range)
        let unknown = CassetteKey.unknown(name, known: object.known)
        report(unknown.message)
        if let meant = unknown.meant { object.misspelled.insert(meant.group) }
    }

    /// Reports each of `keys` that `object` lacks.
    mutating func require(_ keys: CassetteKey..., in object: Object) {
        for key in keys where !object.seen.union(object.misspelled).contains(key.group) {
            report(at: object.place, "expected \"\(key.name)\" in \(object.name), found none")
        }
    }

    // MARK: Values

    /// Reports that the last token, `token`, is not what was expected, and skips its value.
    mutating func reject(_ token: JSONToken, _ expectation: @autoclosure () -> String) throws(JSONError) {
        report("\(expectation()), found \(reader.description(of: token))")
        try stopIfThereAreMore()
        try reader.skipRest(of: token)
    }

    /// Reads a string and returns the range of its token.
    mutating func stringToken(_ expectation: @autoclosure () -> String) throws(JSONError) -> Range<Int>? {
        let token = try reader.next()
        guard case .string(let range) = token else {
            try reject(token, expectation())
            return nil
        }
        return range
    }

    /// Reads a string and returns its UTF-8.
    mutating func utf8(_ expectation: @autoclosure () -> String) throws(JSONError) -> [UInt8]? {
        guard let range = try stringToken(expectation()) else { return nil }
        do {
            return try reader.utf8(of: range)
        } catch {
            report(error)
            return nil
        }
    }

    /// Reads a string.
    package mutating func string(_ expectation: @autoclosure () -> String) throws(JSONError) -> String? {
        guard let range = try stringToken(expectation()) else { return nil }
        do {
            return try reader.string(of: range)
        } catch {
            report(error)
            return nil
        }
    }

    /// Reads a string that must not have a fault.
    mutating func string(_ expectation: String, _ fault: (String) -> String?) throws(JSONError) -> String? {
        guard let text = try string(expectation) else { return nil }
        guard let fault = fault(text) else { return text }
        report(fault)
        return nil
    }

    /// Reads a note.
    mutating func note() throws(JSONError) -> String? {
        try string("expected a string for \"note\"")
    }

    /// Reads a Base64 string.
    mutating func base64() throws(JSONError) -> [UInt8]? {
        guard let text = try utf8("expected a base64 string") else { return nil }
        guard let bytes = Base64.decode(text[...]) else {
            report(
                "expected base64 with padding, found \"\(clipped(String(decoding: text.prefix(100), as: UTF8.self), to: 20))\""
            )
            return nil
        }
        return bytes
    }

    /// Reads a time in milliseconds.
    mutating func milliseconds() throws(JSONError) -> Duration? {
        let token = try reader.next()
        guard case .number(let range) = token else {
            try reject(token, "expected a number of milliseconds")
            return nil
        }
        if let duration = Duration(milliseconds: reader.slice[range]) { return duration }
        let spelling = clipped(reader.spelling(of: range), to: 30)
        report("expected milliseconds from 0 to 31 days, found \(spelling)")
        return nil
    }

    /// Reads a string that is one of the cases of `Word`.
    mutating func word<Word: CaseIterable & RawRepresentable<String>>(
        _ type: Word.Type,
        for key: CassetteKey
    ) throws(JSONError) -> Word? {
        try word(among: Array(Word.allCases), for: key)
    }

    /// Reads one of the given words.
    mutating func word<Word: RawRepresentable<String>>(
        among words: [Word],
        for key: CassetteKey
    ) throws(JSONError) -> Word? {
        let spellings = words.map(\.rawValue)
        func expectation() -> String {
            "expected \(spellings.count == 1 ? "" : "one of ")\(quotedList(spellings)) for \"\(key.name)\""
        }
        guard let text = try string(expectation()) else { return nil }
        if let index = spellings.firstIndex(of: text) { return words[index] }
        let hint = nearest(to: text, among: spellings).map { "; did you mean \"\($0)\"?" } ?? ""
        report("\(expectation()), found \"\(clipped(text))\"\(hint)")
        return nil
    }
}
