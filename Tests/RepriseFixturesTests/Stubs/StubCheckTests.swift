// SPDX-License-Identifier: Apache-2.0

import RepriseStubs
import RepriseText
import Testing

@testable import RepriseCassettes
@testable import RepriseFixtures
@testable import RepriseStubAnswers

@Suite struct StubCheckTests {
    /// Returns the notes on the mappings in a file, one mapping a line, with the line of each.
    private func notes(_ lines: [String], fixtures: [Fixture] = []) throws -> [String] {
        let text = "{\"mappings\": [\n\(lines.joined(separator: ",\n"))\n]}"
        let read = try StubMappingReader.read(Array(text.utf8), file: "m.json")
        let stubs = try zip(read.mappings, read.locations).map { mapping, location in
            try StubFixture(mapping, source: FixtureSource(file: "m.json", location: location))
        }
        return StubCheck.notes(FixtureSet(fixtures: fixtures, stubs: stubs)).map(\.description)
    }

    private static let other = #""response": {"body": "other"}}"#

    @Test(
        arguments: [
            // The same request.
            (
                [#"{"request": {"url": "/a"}}"#, #"{"name": "b", "request": {"url": "/a"}, \#(other)"#],
                [2: "never answers, because 'b' at m.json:3 has the same conditions and is newer; "]
            ),
            (
                [
                    #"{"priority": 1, "request": {"url": "/a", "headers": {"A": {"contains": "1"}}}}"#,
                    #"{"request": {"url": "/a", "headers": {"A": {"contains": "1"}}}, \#(other)"#,
                ],
                [
                    3:
                        "never answers, because the stub at m.json:2 has the same conditions and has priority 1, before 5; "
                ]
            ),
            (
                [#"{"request": {"url": "/a"}}"#, #"{"request": {"url": "/a"}}"#],
                [2: "is a duplicate of the stub at m.json:3"]
            ),
            // Weaker conditions.
            (
                [#"{"request": {"method": "GET", "url": "/a?b=1"}}"#, #"{"request": {"urlPath": "/a"}, \#(other)"#],
                [2: "never answers, because the stub at m.json:3 answers every request that it matches and is newer; "]
            ),
            (
                [
                    #"{"request": {"method": "GET", "urlPath": "/a", "cookies": {"c": {"absent": true}}}}"#,
                    #"{"request": {"method": {"noneOf": ["POST"]}, "urlPath": "/a"}, \#(other)"#,
                ],
                [2: "never answers, because the stub at m.json:3 answers"]
            ),
            (
                [
                    #"{"request": {"urlPattern": "/a/.*"}}"#,
                    #"{"priority": 1, "request": {"urlPattern": ".*"}, \#(other)"#,
                ],
                [
                    2:
                        "never answers, because the stub at m.json:3 answers every request that it matches and has priority 1, "
                ]
            ),
            // Stubs that can answer.
            ([#"{"request": {"method": "POST", "url": "/a"}}"#, #"{"request": {"method": "GET", "url": "/a"}}"#], [:]),
            (
                [
                    #"{"request": {"urlPath": "/a"}}"#,
                    #"{"request": {"urlPath": "/a", "headers": {"A": {"contains": "1"}}}}"#,
                ],
                [:]
            ),
            ([#"{"request": {"url": "/a"}}"#, #"{"request": {"url": "/a"}, "response": {"times": 1}}"#], [:]),
            ([#"{"request": {"url": "/a?b=1"}}"#, #"{"priority": 6, "request": {"urlPath": "/a"}, \#(other)"#], [:]),
            (
                [
                    #"{"request": {"url": "/a"}}"#,
                    #"{"scenarioName": "s", "requiredScenarioState": "Started", "request": {"url": "/a"}, \#(other)"#,
                ],
                [:]
            ),
            // Conditions that no request satisfies.
            ([#"{"request": {"url": "/a b"}}"#], [2: "/request/url: expected percent-encoding as in a request"]),
            ([#"{"request": {"urlPath": "/a?b=1"}}"#], [2: "/request/urlPath: expected a path without a query"]),
            ([#"{"request": {"url": "a"}}"#], [2: "/request/url: expected a path that begins with a slash, found 'a'"]),
            ([#"{"request": {"url": "/a#b"}}"#], [2: "/request/url: expected no fragment"]),
            ([#"{"request": {"method": "get", "url": "/a"}}"#], [2: "expected the method GET, found 'get'"]),
            ([#"{"request": {"method": "purge", "url": "/a?b=%20"}}"#], [:]),
            (
                [
                    #"{"request": {"method": {"noneOf": ["POST"]}, "url": "/a"}}"#,
                    #"{"request": {"method": {"noneOf": ["POST", "PUT"]}, "url": "/a"}, \#(other)"#,
                ],
                [:]
            ),
            (
                [
                    #"{"request": {"method": {"noneOf": ["POST", "PUT"]}, "url": "/a"}}"#,
                    #"{"request": {"method": {"noneOf": ["POST"]}, "url": "/a"}, \#(other)"#,
                ],
                [2: "never answers, because the stub at m.json:3 answers every request"]
            ),
            ([#"{"request": {"url": "/a"}}"#, #"{"request": {"method": "GET", "url": "/a"}, \#(other)"#], [:]),
            (
                [
                    #"{"request": {"method": "GET", "url": "/a"}}"#,
                    #"{"request": {"method": {"oneOf": ["GET", "PUT"]}, "url": "/a"}, \#(other)"#,
                ],
                [2: "never answers, because the stub at m.json:3 answers every request"]
            ),
            ([#"{"request": {"url": "/a"}}"#, #"{"request": {"urlPath": "/ab"}, \#(other)"#], [:]),
            (
                [#"{"request": {"urlPattern": "/a"}}"#, #"{"request": {"urlPattern": "/.*"}, \#(other)"#],
                [2: "never answers"]
            ),
            ([#"{"request": {"url": "/a\u007fb"}}"#], [2: "/request/url: expected percent-encoding"]),
            ([#"{"request": {"url": "/a~!b"}}"#, #"{"request": {"url": "*"}}"#], [:]),
            (
                [#"{"request": {"method": "GETS", "url": "/a"}}"#, #"{"request": {"method": "Delete", "url": "/b"}}"#],
                [3: "expected the method DELETE, found 'Delete'"]
            ),
            ([#"{"scenarioName": "s", "requiredScenarioState": "Started", "request": {"url": "/a"}}"#], [:]),
            // Scenarios.
            (
                [
                    #"{"scenarioName": "s", "newScenarioState": "Paid", "request": {"url": "/a"}}"#,
                    #"{"scenarioName": "s", "requiredScenarioState": "paid", "request": {"url": "/b"}}"#,
                ],
                [3: "requires state 'paid' of scenario 's', which no stub sets; did you mean 'Paid'?"]
            ),
        ] as [([String], [Int: String])]
    )
    func namesStubsThatNeverAnswer(lines: [String], expected: [Int: String]) throws {
        let notes = try notes(lines)
        #expect(notes.count == expected.count, "\(notes)")
        for (line, text) in expected {
            #expect(notes.contains { $0.hasPrefix("m.json:\(line):") && $0.contains(": \(text)") }, "\(notes)")
        }
    }

    @Test func namesStubsThatSilenceRecordings() throws {
        let recorded = RecordedRequest(method: "GET", url: "/a")
        let fixture = [Fixture(Exchange(request: recorded, outcome: .failure(.dns)))]
        let any = #"{"request": {"urlPattern": ".*"}, \#(Self.other)"#
        let note =
            "m.json:2:1: answers every request before recordings and routes, because its priority is 5; give it a "
            + "priority above 5 to answer only what they do not"
        #expect(try notes([any], fixtures: fixture) == [note])
        #expect(try notes([any]) == [])
        #expect(try notes([#"{"priority": 6, "request": {"urlPattern": ".*"}}"#], fixtures: fixture) == [])
        #expect(try notes([#"{"request": {"method": "POST"}}"#], fixtures: fixture) == [])
    }

    /// With more than 16 stubs of a URL, the later ones are not compared.
    @Test(arguments: [(15, 1), (16, 0)]) func comparesWithFirstStubsOfURL(others: Int, count: Int) throws {
        var stubs = (0..<others).map { #"{"priority": 1, "request": {"method": "A\#($0)", "url": "/a"}}"# }
        stubs.append(#"{"priority": 2, "request": {"method": "GET", "url": "/a"}}"#)
        let request = #"{"method": "GET", "url": "/a", "headers": {"A": {"absent": true}}}"#
        stubs.append(#"{"priority": 3, "request": \#(request), \#(Self.other)"#)
        #expect(try notes(stubs).count == count)
    }

    @Test func takesTimeInProportionToStubs() throws {
        let stubs = try (0..<5000).map { number in
            var request = StubRequest(url: .path("/a"))
            request.query = [NamedMatcher("n", .equalTo("\(number)"))]
            return try StubFixture(StubMapping(request), source: FixtureSource(file: "\(number)"))
        }
        #expect(StubCheck.notes(FixtureSet(stubs: stubs)).isEmpty)
    }
}
