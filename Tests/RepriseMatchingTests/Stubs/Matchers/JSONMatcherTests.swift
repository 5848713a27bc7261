// SPDX-License-Identifier: Apache-2.0

import RepriseDocuments
import RepriseMatching
import RepriseQueries
import RepriseStubs
import RepriseText
import Testing

@Suite struct JSONMatcherTests {
    private static let body =
        "{\"a\": 1, \"l\": [{\"n\": \"x\"}, {\"n\": \"y\"}], \"e\": [], \"z\": null, \"f\": false, \"p\": \"a1\"}"

    @Test(arguments: [
        (ValueMatcher.matchesJSONPath("$.a"), true), (.matchesJSONPath("$.q"), false), (.matchesJSONPath("$.e"), false),
        (.matchesJSONPath("$.z"), false), (.matchesJSONPath("$.f"), true),
        (.matchesJSONPath("$.a", .equalTo("1")), true),
        (.matchesJSONPath("$.l[*].n", .equalTo("y")), true), (.matchesJSONPath("$.l[*].n", .equalTo("z")), false),
        (.matchesJSONPath("$.q", .absent), true), (.matchesJSONPath("$.a", .absent), false),
        (.matchesJSONPath("$.l", .equalToJSON([["n": "x"], ["n": "y"]])), true),
        (.matchesJSONPath("$.l[?(@.n =~ /X/i)]"), true), (.matchesJSONPath("$.["), false),
        (.matchesJSONPath("$.a", .number(.greater, JSONNumber(0))), true),
        (.equalToJSON(["a": 1]), false), (.equalToJSON(["a": 1], ignoresExtraElements: true), true),
        (.equalToJSON(["p": "${json-unit.regex}[a-z]\\d"], ignoresExtraElements: true), true),
        (.equalToJSON(["p": "${json-unit.regex}[a-z]"], ignoresExtraElements: true), false),
        (.matchesJSONSchema(["type": "object", "required": ["a"]]), true),
        (.matchesJSONSchema(["type": "array"]), false),
        (.matchesJSONSchema(["properties": ["p": ["pattern": "1$"]]]), true),
        (.matchesJSONSchema(["properties": ["p": ["pattern": "^1"]]]), false),
        (.matchesJSONSchema(["properties": ["p": ["pattern": "^a\\d$|^x"]]]), true),
    ])
    func comparesJSON(matcher: ValueMatcher, expected: Bool) throws {
        #expect(try accepts(matcher, body: Self.body) == expected)
        #expect(try accepts(matcher, Self.body) == expected)
        #expect(try accepts(matcher, body: "") == false)
    }

    /// As WireMock does, which takes most texts that are not JSON for strings.
    @Test(arguments: [
        ("x", true), ("a=1&b=2", true), ("5", true), ("{\"b\":", false), (" [1", false), (" <x/>", false),
        ("null", false), (" null ", false), ("{}", true), ("[null]", true),
    ])
    func contentThatIsNotJSONHasNothingAtPath(body: String, expected: Bool) throws {
        #expect(try accepts(.matchesJSONPath("$.a", .absent), body: body) == expected)
        #expect(try accepts(.matchesJSONPath("$.a", .absent), body) == expected)
        #expect(try accepts(.matchesJSONPath("$.a", .equalToJSON(.null)), body: body) == expected)
        #expect(try !accepts(.matchesJSONPath("$.a"), body: body))
        #expect(try !accepts(.matchesJSONPath("$.a", .anything), body: body))
    }

    @Test func contentThatIsNotJSONIsString() throws {
        #expect(try accepts(.matchesJSONPath("$"), body: "x"))
        #expect(try accepts(.matchesJSONPath("$", .equalTo("x y")), body: "x y"))
        #expect(facts("POST", "/", body: "x y").texts(of: .jsonPath("$")) == ["x y"])
        #expect(try !accepts(.matchesJSONPath("$"), body: "<x/>"))
        #expect(try !accepts(.equalToJSON("x"), body: "x"))
    }

    /// As in WireMock, a schema sees a text that is not JSON as a string, and another scalar in both ways.
    @Test(
        arguments: [
            (["type": "string"], "x y", true), (["type": "string", "pattern": "^x"], "x", true),
            (["type": "integer"], "x", false), (["type": "integer"], "5", true), (["type": "string"], "5", true),
            (["type": "string", "maxLength": 3], "1234", false), (["type": "string"], "true", true),
            (["type": "boolean"], "true", true), (["type": "string"], "null", true), (["type": "string"], "[1", true),
            (["type": "string"], "[1]", false), (["type": "string"], "{}", false),
            (["type": "string", "maxLength": 1], #""ab""#, false),
            (["type": "string", "minLength": 4], #""ab""#, false), (["type": "object"], "{", false),
            (["type": "string", "pattern": "^05$"], "05", true),
        ] as [(JSONTree, String, Bool)]
    )
    func schemaSeesTextAsString(schema: JSONTree, text: String, expected: Bool) throws {
        #expect(try accepts(.matchesJSONSchema(schema), text) == expected)
        #expect(try accepts(.matchesJSONSchema(schema), body: text) == expected)
    }

    /// As near misses measure it.
    @Test(
        arguments: [
            (ValueMatcher.matchesJSONPath("$.a", .equalTo("abcd")), #"{"a":"abxd"}"#, 0.25),
            (.matchesJSONPath("$.a", .equalTo("abcd")), #"{"a":["x","abxd","axxd"]}"#, 0.25),
            (.matchesJSONPath("$.a", .equalTo("abcd")), #"{"b":1}"#, 1), (.matchesJSONPath("$.a"), #"{"b":1}"#, 1),
            (.matchesJSONPath("$.a"), #"{"a":1}"#, 0), (.matchesJSONPath("$.a", .equalTo("1")), "{", 1),
            (.matchesJSONPath("$.a", .equalToJSON([1, 2])), #"{"a":[1,3]}"#, 1.0 / 3),
            (.equalToJSON(["a": 1]), #"{"a":2}"#, 0.5), (.equalToJSON(["a": 1]), "x", 1),
            // More values differ than there are.
            (.equalToJSON([1, 2, 3], ignoresArrayOrder: true), "[4,5,6]", 1),
            (.matchesJSONSchema(["type": "array"]), "{}", 1), (.matchesJSONSchema(["type": "array"]), "[]", 0),
        ] as [(ValueMatcher, String, Double)]
    )
    func distanceIsAtMostOne(matcher: ValueMatcher, body: String, distance: Double) throws {
        var request = StubRequest()
        request.body = [matcher]
        let verdicts = try CompiledStubRequest(request).verdicts(on: facts("POST", "/", body: body))
        #expect(verdicts.map(\.distance) == [distance])
    }

    /// A keyword of a later version has no meaning, and before 2019 a reference replaces what is beside it.
    @Test(
        arguments: [
            (["const": 2], .v4, true), (["const": 2], .v6, false), (["if": true, "then": false], .v6, true),
            (["if": true, "then": false], .v7, false),
            (["$ref": "#/definitions/a", "type": "string", "definitions": ["a": true]], .v7, true),
            (["$ref": "#/definitions/a", "type": "string", "definitions": ["a": true]], .v201909, false),
            (["prefixItems": [false]], .v201909, true), (["prefixItems": [false]], .v202012, false),
        ] as [(JSONTree, ValueMatcher.JSONSchemaVersion, Bool)]
    )
    func schemaIsReadInItsVersion(schema: JSONTree, version: ValueMatcher.JSONSchemaVersion, matches: Bool) throws {
        #expect(try accepts(.matchesJSONSchema(schema, version: version), body: "[1]") == matches)
    }

    @Test(arguments: ValueMatcher.JSONSchemaVersion.allCases)
    func schemaHasVersion(version: ValueMatcher.JSONSchemaVersion) throws {
        #expect(try accepts(.matchesJSONSchema(["type": "string"], version: version), "a"))
    }

    @Test func problemsAndWarningsPointIntoStub() throws {
        var request = StubRequest()
        request.body = [.matchesJSONPath("$.[")]
        #expect(try CompiledStubRequest(request).warnings.map(\.pointer) == ["/request/bodyPatterns/0/matchesJsonPath"])
        request.body = [.anything, .matchesJSONSchema(["type": "nope"])]
        #expect { try CompiledStubRequest(request) } throws: { error in
            (error as? StubMatcherProblem)?.pointer.hasPrefix("/request/bodyPatterns/1/matchesJsonSchema") == true
        }
        let schema = "/request/bodyPatterns/0/matchesJsonSchema"
        request.body = [.matchesJSONSchema(["pattern": "("])]
        #expect { try CompiledStubRequest(request) } throws: { ($0 as? StubMatcherProblem)?.pointer == schema }
        request.body = [.matchesJSONSchema(["pattern": "(?=a)[a-z&&[^b]]"])]
        #expect(try CompiledStubRequest(request).warnings.map(\.pointer) == [schema])
        request.body = [.equalToJSON("${json-unit.regex}(")]
        #expect(try CompiledStubRequest(request).warnings.map(\.pointer) == ["/request/bodyPatterns/0/equalToJson"])
    }

    @Test func valuesOfFieldsAreThoseThatEqualitiesCompare() throws {
        let facts = facts("POST", "/?q=1&q=2", headers: ["X-A: h", "Cookie: c=d"], body: Self.body)
        #expect(facts.texts(of: .query("q")) == ["1", "2"])
        #expect(facts.texts(of: .header("x-a")) == ["h"])
        #expect(facts.texts(of: .cookie("c")) == ["d"])
        #expect(facts.texts(of: .form("f")) == [])
        #expect(facts.texts(of: .jsonPath("$.l[*].n")) == ["x", "y"])
        #expect(facts.texts(of: .jsonPath("$.a")) == ["1"])
        #expect(facts.texts(of: .jsonPath("$.q")) == [])
        #expect(facts.texts(of: .jsonPath("$.[")) == [])
        #expect(facts.texts(of: .body) == [Self.body])
    }
}
