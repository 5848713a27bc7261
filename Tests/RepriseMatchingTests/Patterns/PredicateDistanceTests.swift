// SPDX-License-Identifier: Apache-2.0

import RepriseTestSupport
import Testing

@testable import RepriseMatching
@testable import RepriseText

/// How much each difference counts when near misses are sorted.
@Suite struct PredicateDistanceTests {
    private func distance(
        _ fixture: FixtureIndex.Entry,
        _ request: OwnedRequest,
        _ options: MatchingOptions = MatchingOptions()
    ) -> Int? {
        FixtureIndex([fixture], options: options).nearMisses(request.view).nearest.first?.distance
    }

    @Test(arguments: [
        ("GET", "GET", 0), ("GET", "HEAD", 0), ("POST", "GET", 3), ("HEAD", "GET", 3), ("POST", "HEAD", 3),
    ])
    func methodCountsThree(recorded: String, sent: String, expected: Int) {
        // The query makes it a miss.
        let request = OwnedRequest(method: sent, url: "/a?x=1")
        #expect(distance(.recorded(recorded, "/a"), request) == expected + 3)
    }

    @Test(arguments: [
        ("/a", "/b", 5), ("/ab", "/a", 5), ("/abc", "/xyz", 7), ("/abcdefghijk", "/ABCDEFGHIJK", 15),
        ("/abcdefghijkl", "/ABCDEFGHIJKL", 16), ("/abcdefghijklm", "/ABCDEFGHIJKLM", 16),
    ])
    func pathCountsFourAndItsBytes(recorded: String, sent: String, expected: Int) {
        #expect(distance(.recorded("GET", recorded), .get(sent)) == expected)
    }

    @Test(arguments: [
        ("/pets/{id}", "/pet/1", 5), ("/pets/{id}", "/pets", 4), ("/pets/{id}", "/pets/", 4),
        ("/pets/{id}", "/pets/1/toys", 9), ("/a/{x}/b", "/c/1/d", 10), ("/a/{x}/b", "/a/1", 4),
        ("/a/{x}", "/a/1/abcdefghijklmn", 16),
    ])
    func templateCountsFourForEachSegment(route: String, sent: String, expected: Int) throws {
        #expect(try distance(.route("GET", route), .get(sent)) == expected)
    }

    @Test(arguments: [
        ("a=1", "a=2", 2), ("a=1", "", 3), ("", "a=1", 3), ("a=1&b=1", "a=2&b=2", 4), ("a=1&b=1", "a=2", 5),
        ("a=1&b=1&c=1", "a=2&b=2&c=2", 6), ("a=1&b=1&c=1&d=1", "", 12),
    ])
    func queryCountsTwoForValueAndThreeForPair(recorded: String, sent: String, expected: Int) {
        #expect(distance(.recorded("GET", "/x?" + recorded), .get("/x?" + sent)) == expected)
        guard !recorded.isEmpty, !sent.isEmpty else { return }
        let type = "application/x-www-form-urlencoded"
        let fixture = FixtureIndex.Entry.recorded("POST", "/x", headers: ["Content-Type: \(type)"], body: recorded)
        #expect(distance(fixture, .post("/x", sent, type: type)) == min(6, expected))
    }

    @Test(
        arguments: [
            (#"{"a":1,"b":1,"c":1,"d":1}"#, #"{"a":2,"b":1,"c":1,"d":1}"#, 2),
            (#"{"a":1,"b":1,"c":1,"d":1}"#, #"{"a":2,"b":2,"c":1,"d":1}"#, 4),
            (#"{"a":1,"b":1,"c":1,"d":1}"#, #"{"a":2,"b":2,"c":2,"d":1}"#, 6),
            (#"{"a":1,"b":1,"c":1,"d":1}"#, #"{"a":2,"b":2,"c":2,"d":2}"#, 6),
            (#"{"a":1}"#, "x", 6), (#"{"a":1}"#, nil, 6), (nil, "x", 6), ("one", nil, 6),
            ("one", "two", 2), ("abcdefg", "ABCDEFG", 2), ("abcdefgh", "ABCDEFGH", 3),
            (String(repeating: "a", count: 23), String(repeating: "b", count: 23), 4),
            (String(repeating: "a", count: 24), String(repeating: "b", count: 24), 5),
            (String(repeating: "a", count: 99), String(repeating: "b", count: 99), 5),
            // Only the start of a long body is compared.
            (String(repeating: "a", count: 4096) + "b", String(repeating: "a", count: 4096) + "bbbbbbbbbbbbbbbbb", 2),
        ] as [(String?, String?, Int)]
    )
    func bodyCountsAtMostSix(recorded: String?, sent: String?, expected: Int) {
        let request = sent.map { OwnedRequest.post("/x", $0) } ?? OwnedRequest(method: "POST", url: "/x")
        #expect(distance(.recorded("POST", "/x", body: recorded), request) == expected)
    }

    @Test(arguments: [
        (["A: 1"], ["A: 2"], 2), (["A: 1"], [], 2), ([], ["A: 1"], 2), (["A: 1", "B: 1"], ["A: 2", "B: 2"], 4),
        (["A: 1", "B: 1"], ["A: 1", "B: 2"], 2),
    ])
    func headerFieldCountsTwo(recorded: [String], sent: [String], expected: Int) {
        let request = OwnedRequest(method: "GET", url: "/x", headers: sent.compactMap { HeaderLine($0) })
        let options = MatchingOptions(headerNames: ["A", "B"])
        #expect(distance(.recorded("GET", "/x", headers: recorded), request, options) == expected)
    }

    @Test(arguments: [("b.example", true, 2), ("b.example", false, nil), ("a.example", true, nil)])
    func hostCountsTwoIfItIsRequired(host: String, isRequired: Bool, expected: Int?) {
        let fixture = FixtureIndex.Entry.recorded("GET", "https://a.example/x")
        let options = MatchingOptions(requiresHost: isRequired)
        // The path adds five.
        #expect(distance(fixture, .get("/y", host: host), options) == 5 + (expected ?? 0))
    }
}
