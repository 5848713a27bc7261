// SPDX-License-Identifier: Apache-2.0

import Benchmark
import RepriseAnswers
import RepriseCassettes
import RepriseFixtures
import RepriseMatching
import RepriseText

/// Finding the fixture of a request. Each sample makes a thousand lookups; the number of fixtures must not matter.
func indexBenchmarks() {
    for count in [10, 100_000] {
        let fixtures = (0..<count).map(fixture)
        Benchmark("FixtureIndex, \(count) fixtures, build", configuration: .init(scalingFactor: .one)) { benchmark in
            for _ in benchmark.scaledIterations { blackHole(FixtureIndex(fixtures)) }
        }
        // In strides, so that no lookup benefits from what the previous one left in the processor's caches.
        let hits = (0..<512).map { lookup("/api/v1/items/\($0 * 7919 % count)") }
        let misses = (0..<512).map { lookup("/api/v1/items/none-\($0)") }
        for (name, lookups) in [("hit", hits), ("miss", misses)] {
            Benchmark("FixtureIndex, \(count) fixtures, \(name)") { benchmark, index in
                for iteration in benchmark.scaledIterations {
                    blackHole(index.match(lookups[iteration & 511]))
                }
            } setup: {
                FixtureIndex(fixtures)
            }
        }
        redactedBenchmarks(count)
    }
}

/// The same with fixtures in which a value was redacted.
private func redactedBenchmarks(_ count: Int) {
    let fixtures = (0..<count).map { fixture(target: "/api/v1/items?key=%5Bredacted%5D&page=\($0)") }
    let hits = (0..<512).map { lookup("/api/v1/items?page=\($0 * 7919 % count)&key=secret-\($0)") }
    let misses = (0..<512).map { lookup("/api/v1/items?page=none-\($0)&key=secret-\($0)") }
    for (name, lookups) in [("hit", hits), ("miss", misses)] {
        Benchmark("FixtureIndex, \(count) redacted fixtures, \(name)") { benchmark, index in
            for iteration in benchmark.scaledIterations {
                blackHole(index.match(lookups[iteration & 511]))
            }
        } setup: {
            FixtureIndex(fixtures)
        }
    }
}

private func fixture(_ number: Int) -> Fixture {
    fixture(target: "/api/v1/items/\(number)")
}

private func fixture(target: String) -> Fixture {
    let body = Array(#"{"id":"\#(target)","name":"A small reply, as static fixtures give it","ok":true}"#.utf8)
    let exchange = Exchange(
        request: RecordedRequest(method: "GET", url: "https://api.example.com\(target)"),
        outcome: .response(RecordedResponse(status: 200, reason: "OK", content: .body(RecordedBody(.bytes(body)))))
    )
    return Fixture(
        source: FixtureSource(file: "items.cassette.json"),
        pattern: RequestPattern(recorded: exchange.request),
        plan: ResponsePlan(exchange)
    )
}

private func lookup(_ url: String) -> OwnedRequest {
    OwnedRequest(method: "GET", url: url, headers: [HeaderLine(name: "Host", value: "127.0.0.1:8080")])
}
