// SPDX-License-Identifier: Apache-2.0

import Benchmark
import RepriseFixtures

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
    }
}

private func fixture(_ number: Int) -> Fixture {
    let body = Array(#"{"id":"\#(number)","name":"A small reply, as static fixtures give it","ok":true}"#.utf8)
    let exchange = Exchange(
        request: RecordedRequest(method: "GET", url: "https://api.example.com/api/v1/items/\(number)"),
        outcome: .response(RecordedResponse(status: 200, reason: "OK", content: .body(RecordedBody(.bytes(body)))))
    )
    return Fixture(
        source: Fixture.Source(file: "items.cassette.json"),
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
        parts = RequestParts(method: 0..<3, path: 4..<4 + path.utf8.count, host: end - host.utf8.count..<end)
    }
}
