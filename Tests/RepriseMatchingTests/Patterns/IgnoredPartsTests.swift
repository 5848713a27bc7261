// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import RepriseMatching
@testable import RepriseText

/// Matching that ignores parts of queries and JSON bodies.
@Suite struct IgnoredPartsTests {
    private func options(queries: [String] = [], pointers: [String] = []) -> MatchingOptions {
        var options = MatchingOptions()
        for name in queries { options.ignored.add(queryName: name) }
        for pointer in pointers {
            let isValid = options.ignored.add(pointer: pointer)
            #expect(isValid)
        }
        return options
    }

    @Test(arguments: [
        ("/a?page=1&ts=5", "/a?ts=6&page=1", true),
        ("/a?ts=5", "/a", true),
        ("/a", "/a?ts=5&ts=6&ts", true),
        ("/a?page=1", "/a?page=1&t%73=9", true),
        ("/a?page=1", "/a?page=1&ts=9", true),
        ("/a?page=1&ts=5", "/a?page=2&ts=5", false),
        ("/a?tsx=1", "/a?tsx=2", false),
        ("/a?my+key%26=1", "/a?my%20key%26=2", true),
        ("/a?k%3Dv=1", "/a?k%3Dv=2", true),
    ])
    func ignoresQueryPairs(recorded: String, sent: String, isHit: Bool) {
        let options = options(queries: ["ts", "my key&", "k=v"])
        let entry = FixtureIndex.Entry.recorded("GET", recorded)
        let request = OwnedRequest.get(sent)
        #expect((FixtureIndex([entry], options: options).fixture(for: request) == 0) == isHit)
        #expect(entry.pattern.matches(request, options: options) == isHit)
        #expect(entry.pattern.verdicts(on: request, options: options).allSatisfy(\.isEqual) == isHit)
    }

    @Test(arguments: [
        (#"{"id":1,"q":"x"}"#, #"{"q":"x","id":2}"#, true),
        (#"{"q":"x"}"#, #"{ "id": {"deep": [1, "}"]}, "q": "x" }"#, true),
        (#"{"id":"a\"}"}"#, "{}", true),
        (#"{"id":1,"q":"x"}"#, #"{"id":1,"q":"y"}"#, false),
        (#"{"m":[{"id":1,"t":"a"},{"id":2,"t":"b"}]}"#, #"{"m":[{"id":3,"t":"a"},{"t":"b"}]}"#, true),
        (#"{"m":[{"id":1,"t":"a"}]}"#, #"{"m":[{"id":1,"t":"a"},{"id":1,"t":"a"}]}"#, false),
        (#"{"list":[1,2,3]}"#, #"{"list":[1,9,3]}"#, true),
        (#"{"list":[1,2,3]}"#, #"{"list":[1,2,4]}"#, false),
        (#"{"a/b":{"~":1}}"#, #"{"a/b":{"~":2}}"#, true),
        (#"{"q\"uote":1}"#, #"{"q\u0022uote":2}"#, true),
        (#"[{"id":1}]"#, #"[{"id":2}]"#, false),
        (#""id""#, #""ie""#, false),
    ])
    func ignoresPartsOfJSON(recorded: String, sent: String, isHit: Bool) {
        let options = options(pointers: ["/id", "/m/*/id", "/list/1", "/a~1b/~0", "/q\"uote"])
        let entry = FixtureIndex.Entry.recorded("POST", "/", body: recorded)
        let request = OwnedRequest.post("/", sent)
        #expect((FixtureIndex([entry], options: options).fixture(for: request) == 0) == isHit)
        #expect(entry.pattern.matches(request, options: options) == isHit)
    }

    @Test func combinesStepsWithAnyStep() {
        let options = options(pointers: ["/*/a", "/x/b"])
        let entry = FixtureIndex.Entry.recorded(
            "POST",
            "/",
            body: #"{"x":{"a":1,"b":2,"c":3},"y":{"a":1,"b":2}}"#
        )
        let index = FixtureIndex([entry], options: options)
        #expect(index.fixture(for: .post("/", #"{"x":{"c":3},"y":{"b":2}}"#)) == 0)
        #expect(index.fixture(for: .post("/", #"{"x":{"c":3},"y":{}}"#)) == nil)
    }

    @Test func requestsThatDifferOnlyInIgnoredPartsFormSequence() {
        let fixtures = [1, 2, 3].map { FixtureIndex.Entry.recorded("GET", "/a?q=1&ts=\($0)") }
        let index = FixtureIndex(fixtures, options: options(queries: ["ts"]))
        #expect(index.fixtures(for: .get("/a?ts=9&q=1"), count: 4) == [0, 1, 2, 2])
    }

    @Test(arguments: ["", "id", "/a~2", "/~", "a/b"])
    func rejectsInvalidPointer(pointer: String) {
        var parts = IgnoredParts()
        let isValid = parts.add(pointer: pointer)
        #expect(!isValid)
        #expect(parts.isEmpty)
    }

    /// Whatever the document, removing a part leaves a canonical document.
    @Test func leavesCanonicalDocument() {
        let options = options(pointers: ["/a", "/b/*/c", "/*/0", "/d/e/f"])
        let values = [
            "1", #""\"""#, "{}", "[]", "[1,2]", #"{"c":1}"#, #"[{"c":[]},{}]"#,
            #"{"e":{"f":null,"g":1}}"#,
        ]
        for first in values {
            for second in values {
                let text = "{\"a\":\(first),\"b\":\(second),\"d\":\(first),\"z\":\(second)}"
                guard let json = CanonicalJSON.canonical(Array(text.utf8).span) else {
                    Issue.record("expected a document: \(text)")
                    continue
                }
                let kept = options.ignored.removed(fromBody: json, .json)
                #expect(CanonicalJSON.canonical(kept.span) == kept)
            }
        }
    }
}
