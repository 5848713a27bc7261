// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import RepriseAnswers
@testable import RepriseFixtures
@testable import RepriseMatching
@testable import RepriseText

/// The fixtures in `Fixtures/`, which the package's documentation shows.
@Suite struct ExampleFixturesTests {
    private static let folder = #filePath.split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" } + "/Fixtures"

    private static let modelCases = [
        "plain-text", "tool-without-arguments", "parallel-tools", "reasoning", "usage", "error-in-stream",
        "rate-limited", "overloaded",
    ]

    @Test func loadsAllFixtures() throws {
        let set = try FixtureLoader.load([Self.folder + "/"])
        #expect(set.notes.isEmpty)
        let summaries = set.fixtures.map(\.pattern.summary)
        #expect(
            summaries.filter { !$0.contains("/llm/") } == [
                "POST /v1/chat/completions",
                "POST /v1/chat/completions",
                "GET /v1/books?genre=travel&page=1",
                "GET /v1/books/b-17/cover",
                "POST /v1/orders",
                "GET /v1/orders/1001",
                "GET /v1/orders/1001",
                "GET /v1/orders/1001",
                "GET /v1/orders/1002",
                "GET /v1/recommendations",
                "GET /health",
                "GET /",
                "GET /about",
                "GET /assets/site.css",
                "GET /assets/dot.gif",
                "POST /v1/carts",
                "GET /v1/publishers/3",
                "GET /v1/publishers/{id}",
                "GET /v1/search",
                "GET /v1/stock",
            ]
        )
        let models = ["chat/completions", "messages"].flatMap { path in
            Self.modelCases.map { "POST /llm/\($0)/v1/\(path)" }
        }
        #expect(summaries.filter { $0.contains("/llm/") } == models)
        #expect(set.summary == "36 fixtures and 7 stubs from \(Self.folder)/")
    }

    @Test func keepsImageInMemory() throws {
        let set = try FixtureLoader.load(["\(Self.folder)/bookshop.cassette.json"])
        let cover = try #require(set.fixtures.first { $0.pattern.summary.hasSuffix("/cover") })
        guard case .bytes(.bytes(let bytes)) = cover.plan.steps[1] else {
            Issue.record("expected the body in memory")
            return
        }
        #expect(bytes.count == 8894)
    }

    @Test func streamsOfModelsEndAsTheirShapeSays() throws {
        for (name, last) in [("messages", "event: message_stop"), ("completions", "data: [DONE]")] {
            let set = try FixtureLoader.load(["\(Self.folder)/llm/\(name).cassette.json"])
            for fixture in set.fixtures {
                let text = fixture.plan.steps.reduce(into: "") { text, step in
                    if case .bytes(.bytes(let bytes)) = step { text += String(decoding: bytes, as: UTF8.self) }
                }
                let summary = fixture.pattern.summary
                let isWhole = fixture.plan.head?.status == 200 && !summary.contains("error-in-stream")
                #expect(text.contains(last) == isWhole, "\(summary)")
            }
        }
    }

    @Test func playsCompletionAtRecordedPace() throws {
        let set = try FixtureLoader.load(["\(Self.folder)/assistant.cassette.json"])
        let plan = try #require(set.fixtures.first).plan
        #expect(plan.framing == .chunked)
        #expect(plan.steps.first == .wait(.milliseconds(88)))
        #expect(set.fixtures.last?.plan.steps.last == .end(.reset))
    }
}
