// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import RepriseMatching
@testable import RepriseText

@Suite struct ContentSelectionTests {
    private typealias Recorded = (url: String, headers: [String], status: Int)
    private static let (range, etag) = ("Range: bytes=0-9", "If-None-Match: \"a\"")

    private func index(_ recorded: [Recorded], _ options: MatchingOptions = MatchingOptions()) -> FixtureIndex {
        let entries = recorded.map { url, headers, status in
            FixtureIndex.Entry.recorded("GET", url, headers: headers).answered(status)
        }
        return FixtureIndex(entries, options: options)
    }

    private func request(_ headers: [String], _ url: String = "/v", method: String = "GET") -> OwnedRequest {
        OwnedRequest(method: method, url: url, headers: headers.compactMap { HeaderLine($0) })
    }

    @Test(arguments: [
        ("Range: bytes=0-9", 0), ("range: bytes=10-19", 1), ("Range: bytes=90-", 2), ("Range: bytes=0-10", nil),
        ("Accept: */*", nil),
    ])
    func answersRecordedRange(header: String, fixture: Int?) {
        let parts: [Recorded] = [
            ("/v", ["Range: bytes=0-9"], 206), ("/v", ["Range: bytes=10-19"], 206), ("/v", ["Range: bytes=90-"], 416),
        ]
        #expect(index(parts).fixture(for: request([header])) == fixture)
        #expect(index(parts + [("/v", [], 200)]).fixture(for: request([header])) == fixture ?? 3)
    }

    @Test func answersConditionalRequestsWithoutContent() {
        let index = index([("/v", [], 200), ("/v", [Self.etag], 304), ("/v", [Self.etag], 200), ("/v", [], 200)])
        #expect(index.fixtures(for: request([]), count: 3) == [0, 3, 3])
        #expect(index.fixtures(for: request([Self.etag]), count: 3) == [1, 2, 2])
        // The value may be a time of the client.
        #expect(index.fixture(for: request(["If-Modified-Since: Tue, 02 Jan 2024 00:00:00 GMT"])) == 1)
    }

    @Test func ignoresConditionsThatNoAnswerDependsOn() {
        let index = index([("/v", [Self.etag], 200), ("/v", [Self.range], 200), ("/v", [], 304)])
        #expect(index.fixtures(for: request([]), count: 3) == [0, 1, 2])
        #expect(index.fixtures(for: request(["Range: bytes=5-"]), count: 3) == [0, 1, 2])
    }

    @Test func keepsDirectLookupOfOtherRequests() {
        let mixed = FixtureIndex([
            .recorded("GET", "/a"),
            FixtureIndex.Entry.recorded("GET", "/b", headers: ["Range: bytes=0-"]).answered(206),
        ])
        #expect(mixed.tables.sites.map(\.plain) == [0, -1])
        #expect(mixed.fixture(for: .get("/a")) == 0)
    }

    @Test func playsAnswersToEqualRequestsInOrder() {
        let both = index([
            ("/v", [Self.etag, Self.range], 206), ("/v", [Self.etag, Self.range], 304),
            ("/v", [Self.etag, Self.range], 200), ("/v", [], 200),
        ])
        #expect(both.fixtures(for: request([Self.range, Self.etag]), count: 4) == [0, 1, 2, 2])
        #expect(both.fixture(for: request([])) == 3)
        // Neither of them alone was recorded, so the answers that require no more.
        #expect(both.fixtures(for: request([Self.range]), count: 3) == [0, 2, 2])
        #expect(both.fixtures(for: request([Self.etag]), count: 3) == [1, 2, 2])
        let either = index([("/v", [Self.etag, Self.range], 206), ("/v", [Self.etag], 304)])
        #expect(either.fixture(for: request([Self.range])) == 0)
        let alone = index([("/v", [Self.range], 206), ("/v", [Self.etag], 304)])
        #expect(alone.fixture(for: request([Self.range, Self.etag])) == 1)
        #expect(alone.fixture(for: request([Self.range, "If-None-Match: x"])) == 1)
        #expect(alone.fixture(for: request([Self.range])) == 0)
    }

    /// What was recorded with a range or condition, but does not require it, also answers other requests, unless there
    /// are answers to requests without.
    @Test func answersWithWhatRequiresNothing() {
        let index = index([("/v", [Self.range], 206), ("/v", [Self.range], 200), ("/v", [Self.etag], 200)])
        #expect(index.fixtures(for: request([Self.range]), count: 3) == [0, 1, 1])
        #expect(index.fixtures(for: request([]), count: 3) == [2, 2, 2])
        #expect(index.disjointSequences.map(\.fixtures) == [[0, 1], [2]])
    }

    @Test(
        arguments: [
            ("a.example", range, 0), ("b.example", range, 1), ("b.example", "Accept: */*", 1),
            ("a.example", "Accept: */*", nil), ("127.0.0.1", range, nil), ("127.0.0.1", "Accept: */*", nil),
        ] as [(String, String, Int?)]
    )
    func hostDecidesFirst(host: String, header: String, fixture: Int?) {
        let recorded: [Recorded] = [
            ("http://a.example/v", [Self.range], 206), ("http://b.example/v", [Self.range], 200),
        ]
        let sent = request(["Host: \(host)", header])
        #expect(index(recorded).fixture(for: sent) == fixture)
        let required = index(recorded, MatchingOptions(requiresHost: true))
        #expect(required.fixture(for: sent) == fixture)
    }

    @Test func comparedHeadersAndQueriesDecideFirst() {
        let (json, html) = ("Accept: a/json", "Accept: text/html")
        let headers = index(
            [("/v", [json, Self.range], 206), ("/v", [html, Self.range], 200)],
            MatchingOptions(headerNames: ["Accept"])
        )
        #expect(headers.fixture(for: request([html])) == 1)
        #expect(headers.fixture(for: request([html, Self.range])) == 1)
        #expect(headers.fixture(for: request([json])) == nil)
        #expect(headers.fixture(for: request([json, Self.range])) == 0)
        let queries = index(
            [("/v?t=1", [Self.range], 206), ("/v?t=2", [Self.range], 200)],
            MatchingOptions(fields: .all.subtracting(.query))
        )
        #expect(queries.fixtures(for: request([Self.range], "/v?t=3"), count: 2) == [0, 1])
    }

    @Test(arguments: ["/v?key=%5Bredacted%5D", "/v/%5Bredacted%5D"])
    func masksStandForTextBesideRanges(url: String) {
        let parts = (0..<40).map { (url: url, headers: ["Range: bytes=\($0)0-\($0)9"], status: 206) }
        let index = index(parts + [(url: url, headers: [], status: 200)])
        let sent = url.replacing("%5Bredacted%5D", with: "secret")
        for part in [0, 17, 39] { #expect(index.fixture(for: request(parts[part].headers, sent)) == part) }
        #expect(index.fixture(for: request(["Range: bytes=5-"], sent)) == 40)
        #expect(index.fixture(for: request([], sent)) == 40)
    }

    @Test func headGetsHeadOfGet() {
        let index = index([("/v", [Self.range], 206), ("/v", [], 200)])
        #expect(index.fixture(for: request([Self.range], method: "HEAD")) == 0)
        #expect(index.fixture(for: request([], method: "HEAD")) == 1)
    }

    @Test func usersHaveTheirOwnRangesAndConditions() {
        func line(_ user: String, _ header: String) -> String { "GET /v?key=\(user) \(header)" }
        let replay = StandInReplay(
            ["[redacted~1]", "[redacted~2]"],
            [Self.range, Self.etag].flatMap { [line("%5Bredacted~1%5D", $0), line("%5Bredacted~2%5D", $0)] },
            statuses: [206, 206, 304, 304]
        )
        let sent = [("a", Self.range), ("b", Self.etag), ("a", Self.etag), ("b", Self.range), ("a", Self.range)]
        #expect(sent.map { replay(line($0.0, $0.1)) } == [0, 3, 2, 1, 0])
        #expect(replay(line("a", "Range: bytes=5-")) == nil)
    }

    @Test func exhaustedPartIsNotItsOwnNearMiss() {
        let index = index([("/v", [], 200), ("/v", [Self.etag], 304)], MatchingOptions(afterLast: .miss))
        let misses = index.nearMisses(request([]).view)
        #expect(misses.exhausted?.fixtures == [0])
        #expect(misses.nearest.map(\.fixture) == [1])
    }

    @Test func routeAnswersOtherRanges() throws {
        let index = FixtureIndex([
            FixtureIndex.Entry.recorded("GET", "/v", headers: [Self.range]).answered(206), try .route("GET", "/v"),
        ])
        #expect(index.fixture(for: request([])) == 1)
        #expect(index.fixture(for: request([Self.range])) == 0)
        #expect(index.candidates(request([Self.range]).view).count == 2)
        #expect(index.candidates(request([]).view).count == 1)
    }

    @Test(arguments: [
        (range, 206, "Range: bytes=5-", "header.Range: expected bytes=0-9, found bytes=5-"),
        (range, 206, "Accept: */*", "header.Range: expected bytes=0-9, found nothing"),
        (etag, 304, "Range: 0-", "header.If-None-Match or If-Modified-Since: expected any value, found nothing"),
    ])
    func missNamesRangeAndCondition(recorded: String, status: Int, header: String, difference: String) throws {
        let index = index([("/v", [recorded], status)])
        let differences = index.nearMisses(request([header]).view).nearest.flatMap(\.verdicts).filter { !$0.isEqual }
        #expect(differences.map(\.description) == [difference])
    }

    @Test func missComparesEveryPart() {
        let index = index([("/v", [Self.etag], 304), ("/v", ["Range: bytes=1-2"], 206), ("/v", [Self.range], 206)])
        let nearest = index.nearMisses(request(["Range: bytes=5-"]).view).nearest
        #expect(nearest.map(\.fixture) == [0, 1, 2])
    }

    @Test(arguments: ["Range", "If-None-Match"]) func comparedFieldHasOneVerdict(name: String) {
        let recorded: [Recorded] = [("/v", [Self.range], 206), ("/v", [Self.etag], 304)]
        let index = index(recorded, MatchingOptions(headerNames: [name]))
        let sent = request([Self.range, "If-None-Match: \"b\""])
        for candidate in Explanation(index, sent).candidates {
            #expect(candidate.verdicts.filter { $0.description.contains("header.\(name)") }.count == 1)
        }
    }

    @Test func explanationNamesSelection() {
        let index = index([("/v", [], 200), ("/v", [Self.etag], 304)])
        let explanation = Explanation(index, request([Self.etag]))
        let standings = explanation.candidates.map { [$0.fixture: $0.standing] }
        #expect(standings == [[1: .inSequence(place: 1)], [0: .hidden(behind: 1, .selectionFirst)]])
        let hosts = self.index([("http://a.example/v", [Self.range], 206), ("http://b.example/v", [Self.range], 206)])
        let ofHost = Explanation(hosts, request([Self.range, "Host: b.example"]))
        #expect(ofHost.candidates.map(\.standing) == [.inSequence(place: 1), .different])
    }
}

extension FixtureIndex.Entry {
    fileprivate func answered(_ status: Int) -> FixtureIndex.Entry {
        FixtureIndex.Entry(pattern.answered(status), source: source)
    }
}
