// SPDX-License-Identifier: Apache-2.0

import RepriseTestSupport
import Testing

@testable import RepriseMatching
@testable import RepriseText

/// Random requests, redacted at random places.
@Suite struct WildcardPropertyTests {
    @Test(arguments: 0..<150)
    func matchesOnlyRequestsThatDifferAtMarkers(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<20 {
            let original = SampleRequest(using: &random)
            let redacted = original.redacted(using: &random)
            let pattern = redacted.pattern
            let text = "\(redacted.text) from \(original.text)"
            let index = FixtureIndex([FixtureIndex.Entry(pattern)], options: SampleRequest.options)
            let matching = [original, redacted].map { pattern.matches($0.owned, options: SampleRequest.options) }
            #expect(matching == [true, true], "\(text)")
            #expect(index.fixture(for: original.owned) == 0, "\(text)")
            #expect(index.fixture(for: redacted.owned) == 0, "\(text)")
            guard let changed = original.changed(where: redacted, using: &random) else { continue }
            let isMatching = pattern.matches(changed.owned, options: SampleRequest.options)
            #expect(!isMatching, "\(changed.text) and \(text)")
            #expect(index.fixture(for: changed.owned) == nil, "\(changed.text) and \(text)")
        }
    }

    @Test(arguments: 0..<60)
    func agreesWithLinearScan(seed: UInt64) {
        var random = SeededGenerator(seed: seed &+ 1000)
        let originals = (0..<Int.random(in: 1...8, using: &random)).map { _ in
            SampleRequest(using: &random, repeatsNames: seed % 2 == 0)
        }
        let patterns = (0..<Int.random(in: 1...60, using: &random)).map { _ in
            let original = originals.randomElement(using: &random) ?? originals[0]
            return (Bool.random(using: &random) ? original.redacted(using: &random) : original).pattern
        }
        let options = SampleRequest.options
        let index = FixtureIndex(patterns.map { FixtureIndex.Entry($0) }, options: options)
        for _ in 0..<60 {
            var request = originals.randomElement(using: &random) ?? originals[0]
            if Bool.random(using: &random) { request = request.redacted(using: &random) }
            if Bool.random(using: &random) { request = request.changed(where: request, using: &random) ?? request }
            let found = index.fixture(for: request.owned)
            #expect(found == Self.scan(patterns, for: request.owned, options), "\(request.text)")
        }
    }

    /// A reference implementation of the matching rules, which compares all patterns.
    private static func scan(
        _ patterns: [RequestPattern],
        for request: OwnedRequest,
        _ options: MatchingOptions
    ) -> Int? {
        let same = RequestPattern(recorded: request).keepingHeaders(options.headerNames)
        let matching = patterns.indices.filter { patterns[$0].matches(request, options: options) }
        func rank(_ number: Int) -> (Int, Int) {
            let pattern = patterns[number].keepingHeaders(options.headerNames)
            let isPath = pattern.path == same.path
            let isExact =
                pattern.query == same.query && pattern.isBodyEqual(request)
                && HeaderKey.key(of: pattern, names: options.headerNames)
                    == HeaderKey.key(of: same, names: options.headerNames)
            return (isPath ? 0 : 1, isExact && isPath ? 0 : 1)
        }
        return matching.min { (rank($0).0, rank($0).1, $0) < (rank($1).0, rank($1).1, $1) }
    }
}

extension RequestPattern {
    fileprivate init(recorded request: OwnedRequest) {
        let query = request.ranges.query.map { "?" + String(decoding: request.head[$0], as: UTF8.self) } ?? ""
        let url = String(decoding: request.head[request.ranges.path], as: UTF8.self) + query
        self.init(recorded: "POST", url, headers: request.headers)
    }

    /// Whether the body has the same canonical form as the request's.
    fileprivate func isBodyEqual(_ request: OwnedRequest) -> Bool {
        let type = request.headers.firstValue(named: "Content-Type").map { Array($0.utf8) }
        return body == BodyPattern(recorded: request.content, contentType: type)
    }
}

extension FixtureIndex.Entry {
    fileprivate init(_ pattern: RequestPattern) {
        self.init(pattern, source: FixtureSource(file: "test.cassette.json"))
    }
}

/// A request as a list of values, so that a test can redact or change any of them.
private struct SampleRequest {
    static let options = MatchingOptions(headerNames: ["Authorization"])

    private enum Shape: CaseIterable { case none, json, form, text, multipart }
    private static let words = ["a", "b", "key", "sk-12", "x y", "é", "", "a/b", "\"", "%", "a&b", "1", "n\n"]

    private var segments: [String]
    private var query: [String]
    private var shape: Shape
    private var values: [String]
    private var header: String
    /// Whether all pairs have the same name.
    private let repeatsNames: Bool

    init(using random: inout SeededGenerator, repeatsNames: Bool = false) {
        self.repeatsNames = repeatsNames
        func word() -> String { Self.words.randomElement(using: &random) ?? "" }
        segments = (0..<Int.random(in: 1...3, using: &random)).map { _ in
            ["a", "b", "c-d"].randomElement(using: &random)!
        }
        query = (0..<Int.random(in: 0...2, using: &random)).map { _ in word() }
        shape = Shape.allCases.randomElement(using: &random)!
        values = shape == .none ? [] : (0..<Int.random(in: 1...3, using: &random)).map { _ in word() }
        header = "v" + ["a", "b"].randomElement(using: &random)!
    }

    /// All values in one list.
    private var all: [String] {
        get { segments + query + values + [header] }
        set {
            var rest = newValue[...]
            func take(_ count: Int) -> [String] {
                defer { rest = rest.dropFirst(count) }
                return Array(rest.prefix(count))
            }
            segments = take(segments.count)
            query = take(query.count)
            values = take(values.count)
            header = take(1)[0]
        }
    }

    /// The same request with markers at one to three places, replacing the whole value or a part of it.
    func redacted(using random: inout SeededGenerator) -> SampleRequest {
        var copy = self
        for _ in 0..<Int.random(in: 1...3, using: &random) {
            let place = Int.random(in: all.indices, using: &random)
            guard !Self.isRedacted(copy.all[place]) else { continue }
            let marker = ["[redacted]", "[redacted]", "[redacted:ann]", "%5Bredacted%5D"].randomElement(using: &random)!
            let value = Array(all[place])
            let start = Int.random(in: 0...value.count, using: &random)
            let end = Int.random(in: start...value.count, using: &random)
            let isWhole = Bool.random(using: &random)
            copy.all[place] = isWhole ? marker : String(value[..<start]) + marker + String(value[end...])
        }
        return copy
    }

    /// The request with another value at one place that has no marker in `redacted`.
    func changed(where redacted: SampleRequest, using random: inout SeededGenerator) -> SampleRequest? {
        let places = all.indices.filter { !Self.isRedacted(redacted.all[$0]) }
        guard let place = places.randomElement(using: &random) else { return nil }
        var copy = self
        copy.all[place] += "z"
        return copy
    }

    private static func isRedacted(_ value: String) -> Bool { value.contains("redacted") }

    var pattern: RequestPattern {
        RequestPattern(recorded: "POST", url, headers: headers, body: body)
    }

    var owned: OwnedRequest { OwnedRequest(method: "POST", url: url, headers: headers, body: body) }
    var text: String { "\(url) \(header) \(String(decoding: body, as: UTF8.self))" }

    private var url: String {
        let path = segments.map { "/" + escaped($0) }.joined()
        let pairs = query.enumerated().map { "q\(repeatsNames ? 0 : $0)=\(escaped($1))" }.joined(separator: "&")
        return query.isEmpty ? path : "\(path)?\(pairs)"
    }

    private var headers: [HeaderLine] {
        let type =
            switch shape {
            case .none, .text: "text/plain"
            case .json: "application/json"
            case .form: "application/x-www-form-urlencoded"
            case .multipart: "multipart/form-data; boundary=b"
            }
        return [HeaderLine(name: "Content-Type", value: type), HeaderLine(name: "Authorization", value: header)]
    }

    private var body: [UInt8] {
        let text: String
        switch shape {
        case .none: text = ""
        case .text: text = "<" + values.joined(separator: "><") + ">"
        case .form: text = values.enumerated().map { "f\(repeatsNames ? 0 : $0)=\(escaped($1))" }.joined(separator: "&")
        case .json:
            let members = values.enumerated().map { #""m\#($0)":{"n":[1,"\#(json($1))"]}"# }
            text = "{" + members.joined(separator: ",") + "}"
        case .multipart:
            let parts = values.enumerated().map {
                "--b\r\nContent-Disposition: form-data; name=p\($0)\r\n\r\n\($1)\r\n"
            }
            text = parts.joined() + "--b--\r\n"
        }
        return Array(text.utf8)
    }

    private func json(_ value: String) -> String {
        value.unicodeScalars.map { scalar in
            switch scalar {
            case "\"": #"\""#
            case "\n": #"\n"#
            default: String(scalar)
            }
        }.joined()
    }

    private func escaped(_ value: String) -> String {
        let bytes = Array(value.utf8)
        var escaped: [UInt8] = []
        var index = 0
        while index < bytes.count {
            if let end = RedactionMarker.end(at: index, in: bytes.span) {
                escaped += bytes[index..<end]
                index = end
                continue
            }
            if ByteSet.unreserved.contains(bytes[index]) {
                escaped.append(bytes[index])
            } else {
                PercentEscape.append(bytes[index], to: &escaped)
            }
            index += 1
        }
        return String(decoding: escaped, as: UTF8.self)
    }
}
