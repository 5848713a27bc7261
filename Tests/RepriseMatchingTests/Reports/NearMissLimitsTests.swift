// SPDX-License-Identifier: Apache-2.0

import RepriseTestSupport
import Testing

@testable import RepriseMatching
@testable import RepriseText

/// How many fixtures are compared with a request that none answers.
@Suite struct NearMissLimitsTests {
    private static func queries(_ method: String, _ count: Int) -> [String] {
        (0..<count).map { "\(method) /a?p=\($0)" }
    }

    @Test(
        arguments: [
            // All fixtures of the path and the method, if they are few; otherwise the nearest.
            (queries("GET", 40), 40), (queries("GET", 41), 16),
            // Some of each other method.
            (queries("POST", 8), 8), (queries("POST", 9), 8), (queries("POST", 41), 8),
            (queries("GET", 2) + queries("POST", 9) + queries("PUT", 9), 18),
            (queries("GET", 40) + queries("POST", 9) + queries("PUT", 9), 48),
            (queries("GET", 39) + queries("POST", 9) + queries("PUT", 9), 55),
            // Similar paths, if there are few of the same path.
            (queries("GET", 7) + ["GET /ab"], 8), (queries("GET", 8) + ["GET /ab"], 8),
            ((10...24).map { "GET /b\($0)" } + ["GET /c/a", "GET /c/a/b"], 16), ((10...26).map { "GET /b\($0)" }, 4),
            // One of a similar path, besides the one with the same query.
            (["GET /ab?p=1", "GET /ab?p=2", "GET /ab?p=x"], 2), (["GET /ab?p=1", "GET /ab?p=2"], 1),
            (["GET /ab?p=x", "GET /ab?p=2"], 1),
            ([], 0),
        ] as [([String], Int)]
    )
    func numberOfComparedFixtures(recorded: [String], count: Int) {
        let index = FixtureIndex(recorded: recorded)
        #expect(index.nearMisses(for: .get("/a?p=x"), limit: 1000).nearest.count == count)
        let request = OwnedRequest.get("/a?p=x")
        #expect(index.nearMisses(request.view).nearest.count == min(3, count))
    }

    @Test func fourMethodsOfTemplateAreCompared() throws {
        let methods = ["GET", "PUT", "POST", "DELETE", "OPTIONS"]
        for count in 1...methods.count {
            let index = FixtureIndex(try methods.prefix(count).map { try .route($0, "/t/{id}") })
            let request = OwnedRequest(method: "PATCH", url: "/t/1")
            #expect(index.nearMisses(request.view, limit: 100).nearest.count == min(4, count))
        }
    }

    @Test(arguments: [(5, 32), (6, 64), (7, 64)]) func atMost64TemplatesAreCompared(segments: Int, count: Int) throws {
        let index = FixtureIndex(
            try (0..<1 << segments).map { number in
                let parts = (0..<segments).map { number >> $0 & 1 == 0 ? "/a" : "/{p\($0)}" }
                return try .route("GET", parts.joined() + "/{last}")
            }
        )
        let request = OwnedRequest(method: "PATCH", url: String(repeating: "/a", count: segments + 1))
        #expect(index.nearMisses(request.view, limit: 100).nearest.count == count)
    }

    @Test(arguments: 4...7) func fiveDifferencesOfQueryAreShown(count: Int) {
        let query = (0..<count).map { "k\($0)=1" }.joined(separator: "&")
        let differences = FixtureIndex(recorded: ["GET /a?\(query)"]).differences(for: .get("/a"))
        #expect(differences.map(\.count) == [min(5, count)])
    }

    /// Candidates with equal distance stay in the order in which they were found.
    @Test func nearestAreSorted() {
        var nearest = NearestCandidates(limit: 3)
        #expect(nearest.bound == .max)
        for (fixture, distance) in [(0, 5), (1, 3), (2, 5), (1, 1), (3, 5), (4, 4), (5, 3), (6, 3)] {
            nearest.add(fixture, distance: distance)
        }
        #expect(nearest.nearest.map(\.fixture) == [1, 5, 6])
        #expect(nearest.nearest.map(\.distance) == [3, 3, 3])
        #expect(nearest.bound == 3)
        var none = NearestCandidates(limit: 0)
        none.add(0, distance: 0)
        #expect(none.bound == 0 && none.nearest.isEmpty)
    }
}
