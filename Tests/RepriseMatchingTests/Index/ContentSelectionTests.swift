// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import RepriseMatching
@testable import RepriseText

@Suite struct ContentSelectionTests {
    /// An index of GET requests with a header line, each with the status of its answer.
    private func index(
        _ recorded: [(header: String, status: Int)],
        url: String = "/video",
        options: MatchingOptions = MatchingOptions()
    ) -> FixtureIndex {
        let entries = recorded.map { header, status in
            FixtureIndex.Entry.recorded("GET", url, headers: [header]).answered(status)
        }
        return FixtureIndex(entries, options: options)
    }

    private func request(_ header: String, _ url: String = "/video") -> OwnedRequest {
        OwnedRequest(method: "GET", url: url, headers: [HeaderLine(header)].compactMap(\.self))
    }

    @Test(arguments: [
        ("Range: bytes=0-9", 0), ("range: bytes=10-19", 1), ("Range: bytes=90-", 2), ("Range: bytes=0-10", nil),
        ("Accept: */*", nil),
    ])
    func answersRecordedRange(header: String, fixture: Int?) {
        let parts = index([("Range: bytes=0-9", 206), ("Range: bytes=10-19", 206), ("Range: bytes=90-", 416)])
        #expect(parts.fixture(for: request(header)) == fixture)
        let withWhole = index([
            ("Range: bytes=0-9", 206), ("Range: bytes=10-19", 206), ("Range: bytes=90-", 416), ("Accept: */*", 200),
        ])
        #expect(withWhole.fixture(for: request(header)) == fixture ?? 3)
    }

    @Test func answersConditionalRequestsWithoutContent() {
        let index = index([
            ("Accept: */*", 200), ("If-None-Match: \"a\"", 304), ("If-None-Match: \"a\"", 200), ("Accept: */*", 200),
        ])
        #expect(index.fixtures(for: request("Accept: */*"), count: 3) == [0, 3, 3])
        #expect(index.fixtures(for: request("If-None-Match: \"a\""), count: 3) == [1, 2, 2])
        // The value may be a time of the client.
        #expect(index.fixture(for: request("If-Modified-Since: Tue, 02 Jan 2024 00:00:00 GMT")) == 1)
    }

    @Test func ignoresConditionsThatNoAnswerDependsOn() {
        let index = index([("If-None-Match: \"a\"", 200), ("Range: bytes=0-9", 200), ("Accept: */*", 304)])
        #expect(index.fixtures(for: request("Accept: */*"), count: 3) == [0, 1, 2])
        #expect(index.fixtures(for: request("Range: bytes=5-"), count: 3) == [0, 1, 2])
    }

    @Test func keepsDirectLookupOfOtherRequests() {
        let mixed = FixtureIndex([
            .recorded("GET", "/a"),
            FixtureIndex.Entry.recorded("GET", "/b", headers: ["Range: bytes=0-"]).answered(206),
        ])
        #expect(mixed.tables.sites.map(\.plain) == [0, -1])
        #expect(mixed.fixture(for: .get("/a")) == 0)
    }

    @Test func comparesRangesBesideMasksAndHeaders() {
        let url = "/video?key=%5Bredacted%5D"
        let masked = index([("Range: bytes=0-9", 206), ("Accept: */*", 200), ("Range: bytes=10-", 206)], url: url)
        for (header, fixture) in [("Range: bytes=10-", 2), ("Range: bytes=0-9", 0), ("Range: bytes=5-", 1)] {
            #expect(masked.fixture(for: request(header, "/video?key=secret")) == fixture)
        }
        let compared = index(
            [("Range: bytes=0-9", 206), ("Accept: */*", 200)],
            options: MatchingOptions(headerNames: ["Accept"])
        )
        #expect(compared.fixture(for: request("Range: bytes=0-9")) == 0)
        #expect(compared.fixture(for: request("Range: bytes=1-9")) == nil)
    }

    @Test func missNamesRangeAndCondition() throws {
        let index = index([("Range: bytes=0-9", 206), ("If-None-Match: \"a\"", 304)])
        let misses = index.nearMisses(request("Range: bytes=5-").view)
        let differences = misses.nearest.flatMap(\.verdicts).filter { !$0.isEqual }.map(\.description)
        #expect(
            differences == [
                "header.Range: expected bytes=0-9, found bytes=5-",
                "header.If-None-Match: expected \"a\", found nothing",
            ]
        )
        #expect(misses.volatile == nil)
    }

    @Test func explanationNamesSelection() {
        let index = index([("Accept: */*", 200), ("If-None-Match: \"a\"", 304)])
        let explanation = Explanation(index, request("If-None-Match: \"a\""))
        let standings = explanation.candidates.map { [$0.fixture: $0.standing] }
        #expect(standings == [[1: .inSequence(place: 1)], [0: .hidden(behind: 1, .selectionFirst)]])
    }
}

extension FixtureIndex.Entry {
    fileprivate func answered(_ status: Int) -> FixtureIndex.Entry {
        FixtureIndex.Entry(pattern.answered(status), source: source)
    }
}
