// SPDX-License-Identifier: Apache-2.0

import Benchmark
import RepriseAnswers
import RepriseCassettes
import RepriseFixtures
import RepriseMatching
import RepriseText

/// From a request to its fixture, a thousand look-ups in each sample: the number of fixtures must not show.
func indexBenchmarks() {
    let noBody: [UInt8] = []
    for count in [10, 100_000] {
        let fixtures = (0..<count).map(fixture)
        Benchmark("FixtureIndex, \(count) fixtures, build", configuration: .init(scalingFactor: .one)) { benchmark in
            for _ in benchmark.scaledIterations { blackHole(FixtureIndex(fixtures)) }
        }
        // In strides, so that no look-up finds warm what the one before it read.
        let hits = (0..<512).map { Lookup("/api/v1/items/\($0 * 7919 % count)") }
        let misses = (0..<512).map { Lookup("/api/v1/items/none-\($0)") }
        for (name, lookups) in [("hit", hits), ("miss", misses)] {
            Benchmark("FixtureIndex, \(count) fixtures, \(name)") { benchmark, index in
                for iteration in benchmark.scaledIterations {
                    let lookup = lookups[iteration & 511]
                    blackHole(index.match(lookup.head.span, lookup.parts, body: noBody.span))
                }
            } setup: {
                FixtureIndex(fixtures)
            }
        }
        redactedBenchmarks(count)
    }
}

/// The same where a value of each fixture was redacted.
private func redactedBenchmarks(_ count: Int) {
    let noBody: [UInt8] = []
    let fixtures = (0..<count).map { fixture(target: "/api/v1/items?key=%5Bredacted%5D&page=\($0)") }
    let hits = (0..<512).map { Lookup("/api/v1/items?page=\($0 * 7919 % count)&key=secret-\($0)") }
    let misses = (0..<512).map { Lookup("/api/v1/items?page=none-\($0)&key=secret-\($0)") }
    for (name, lookups) in [("hit", hits), ("miss", misses)] {
        Benchmark("FixtureIndex, \(count) redacted fixtures, \(name)") { benchmark, index in
            for iteration in benchmark.scaledIterations {
                let lookup = lookups[iteration & 511]
                blackHole(index.match(lookup.head.span, lookup.parts, body: noBody.span))
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

/// A request's head, and where its parts are.
private struct Lookup {
    let head: [UInt8]
    let parts: RequestParts

    init(_ path: String) {
        let host = "127.0.0.1:8080"
        head = Array("GET \(path) HTTP/1.1\r\nHost: \(host)\r\n\r\n".utf8)
        let end = head.count - 4
        let pathEnd =
            4 + (path.utf8.firstIndex(of: UInt8(ascii: "?")).map { path[..<$0].utf8.count } ?? path.utf8.count)
        parts = RequestParts(
            method: 0..<3,
            path: 4..<pathEnd,
            query: pathEnd < 4 + path.utf8.count ? pathEnd + 1..<4 + path.utf8.count : nil,
            host: end - host.utf8.count..<end
        )
    }
}
