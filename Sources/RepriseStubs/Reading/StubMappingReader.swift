// SPDX-License-Identifier: Apache-2.0

package import RepriseDocuments
package import RepriseText

/// Reads stub mappings from JSON.
///
/// The syntax is that of WireMock's reader: JSON with `//` and `/* */` comments and with strings in single quotation
/// marks. Text after the value is ignored. A field with the value `null` counts as missing.
public enum StubMappingReader {
    /// Reads one stub mapping.
    ///
    /// - Throws: ``StubProblems`` with all mistakes.
    public static func read(mapping bytes: [UInt8]) throws(StubProblems) -> StubMapping {
        try value(of: bytes) { parser, node in parser.mapping(node) }
    }

    /// Reads the requests that a stub answers, the value of `request` in a mapping.
    package static func read(request bytes: [UInt8]) throws(StubProblems) -> StubRequest {
        try value(of: bytes) { parser, node in parser.request(node) }
    }

    /// Reads a condition on one value, such as `{"equalTo": "a"}`.
    package static func read(matcher bytes: [UInt8]) throws(StubProblems) -> ValueMatcher {
        try value(of: bytes) { parser, node in parser.matcher(node, of: "the value") }
    }

    /// Reads one stub mapping that is a part of a larger value.
    ///
    /// - Throws: The first mistake.
    package static func mapping(_ node: JSONNode) throws(JSONMistake) -> StubMapping {
        try value(of: node) { parser, node in parser.mapping(node) }
    }

    /// Reads the requests that a stub answers.
    package static func request(_ node: JSONNode) throws(JSONMistake) -> StubRequest {
        try value(of: node) { parser, node in parser.request(node) }
    }

    /// Reads a time with a distribution, the value of `delayDistribution` in a response.
    package static func delay(_ node: JSONNode) throws(JSONMistake) -> StubDelay {
        try value(of: node) { parser, node in parser.distribution(node, "delayDistribution") }
    }

    /// Reads one mapping, or several in `{"mappings": […]}`.
    ///
    /// - Returns: The mappings, the position of each, and notes about parts that have no effect, with what WireMock reads
    ///   although it is wrong.
    package static func read(
        all bytes: [UInt8]
    ) throws(StubProblems) -> Reading<StubProblem> {
        var places = TextPlaces(bytes)
        let text = LenientJSON(bytes)
        let (root, rest) = try Self.root(of: text, &places)
        var parser = StubParser(text.strict)
        let found = parser.mappings(root)
        if let rest {
            parser.tolerate(at: rest, "expected one value, found more after it, which is ignored")
        }
        guard parser.problems.isEmpty else { throw problems(parser.problems, root, &places) }
        return Reading(
            mappings: found.map(\.mapping),
            locations: found.map { places.position(of: $0.offset) },
            notes: parser.notes.map { problem($0, root, &places) }.inOrder,
            tolerated: parser.tolerated.map { problem($0, root, &places) }.inOrder
        )
    }

    /// Reads a mapping file: one mapping, or several in `{"mappings": […]}`.
    ///
    /// - Parameters:
    ///   - bytes: The content of the file.
    ///   - file: The path of the file, for messages.
    package static func read(_ bytes: [UInt8], file: String) throws(FixtureProblems) -> Reading<FixtureProblem> {
        do throws(StubProblems) {
            let read = try read(all: bytes)
            return Reading(
                mappings: read.mappings,
                locations: read.locations,
                notes: read.notes.map { $0.problem(in: file) },
                tolerated: read.tolerated.map { $0.problem(in: file) }
            )
        } catch {
            throw FixtureProblems(error.problems.map { $0.problem(in: file) })
        }
    }

    /// What a file of mappings contains.
    package struct Reading<Problem> {
        package let mappings: [StubMapping]
        /// The position of each mapping.
        package let locations: [FilePosition]
        /// Notes about parts that have no effect.
        package let notes: [Problem]
        /// What WireMock reads although it is wrong, with how it is read.
        package let tolerated: [Problem]
    }

    // MARK: Steps

    private static func value<Value>(
        of bytes: [UInt8],
        _ read: (inout StubParser, JSONNode) -> Value?
    ) throws(StubProblems) -> Value {
        var places = TextPlaces(bytes)
        let text = LenientJSON(bytes)
        let root = try Self.root(of: text, &places).node
        let (found, mistakes) = Self.value(of: root, in: text.strict, read)
        guard let value = found, mistakes.isEmpty else { throw problems(mistakes, root, &places) }
        return value
    }

    private static func value<Value>(
        of node: JSONNode,
        _ read: (inout StubParser, JSONNode) -> Value?
    ) throws(JSONMistake) -> Value {
        let (found, mistakes) = Self.value(of: node, in: [], read)
        guard let value = found, mistakes.isEmpty else { throw mistakes.sorted { $0.offset < $1.offset }[0] }
        return value
    }

    /// Returns the value of a node, and all mistakes in it, at least one if there is no value.
    private static func value<Value>(
        of node: JSONNode,
        in text: [UInt8],
        _ read: (inout StubParser, JSONNode) -> Value?
    ) -> (value: Value?, mistakes: [JSONMistake]) {
        var parser = StubParser(text)
        if let value = read(&parser, node) { return (value, parser.problems) }
        // A mistake that costs a stub no more than a part of it can leave nothing of a single value.
        parser = StubParser(text, isStrict: true)
        _ = read(&parser, node)
        if parser.problems.isEmpty { parser.report(node, "expected a value, found none") }
        return (nil, parser.problems)
    }

    private static func root(
        of text: LenientJSON,
        _ places: inout TextPlaces
    ) throws(StubProblems) -> (node: JSONNode, rest: Int?) {
        do throws(JSONError) { return try text.root() } catch {
            let location = places.position(of: error.offset)
            throw StubProblems([StubProblem(pointer: "", location: location, message: error.message)])
        }
    }

    private static func problems(
        _ mistakes: [JSONMistake],
        _ root: JSONNode,
        _ places: inout TextPlaces
    ) -> StubProblems {
        var problems = mistakes.map { problem($0, root, &places) }.inOrder
        if problems.count > FixtureProblems.limitOfFile {
            problems[FixtureProblems.limitOfFile].message = FixtureProblems.andMore
        }
        return StubProblems(problems)
    }

    private static func problem(
        _ mistake: JSONMistake,
        _ root: JSONNode,
        _ places: inout TextPlaces
    ) -> StubProblem {
        StubProblem(
            pointer: root.pointer(to: mistake),
            location: places.position(of: mistake.offset),
            message: mistake.message
        )
    }
}

extension [StubProblem] {
    /// The problems in the order of the text.
    fileprivate var inOrder: [StubProblem] { sorted { $0.location < $1.location } }
}
