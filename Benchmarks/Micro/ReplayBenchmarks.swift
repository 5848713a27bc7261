// SPDX-License-Identifier: Apache-2.0

import Benchmark
import Reprise
import RepriseCassettes
import RepriseFixtures
import RepriseReplay
import RepriseText

/// The cost of replaying an exchange in the process. Each sample replays a thousand; at 200,000 per second, a sample
/// takes five milliseconds.
func replayBenchmarks() {
    let gets = (0..<10).map { Fixture.replayed("GET", "/users/\($0)") }
    let post = Fixture.replayed("POST", "/users", body: #"{"id": 7, "name": "A name", "tags": ["a", "b"]}"#)
    let transport = ReplayingTransport(fixtures: gets + [post], configuration: .init(afterLast: .repeat))
    Benchmark("Replay, GET") { benchmark in
        for _ in benchmark.scaledIterations {
            let response = try await transport.send(HTTPRequest(method: .get, "/users/7"))
            blackHole(try await response.body.collect())
        }
    }
    Benchmark("Replay, POST with JSON in another order") { benchmark in
        let body = Body(#"{"tags": ["a", "b"], "name": "A name", "id": 7}"#)
        for _ in benchmark.scaledIterations {
            var request = HTTPRequest(method: .post, "/users")
            request.headerFields[.contentType] = "application/json"
            blackHole(try await transport.send(request, body: body).body.collect())
        }
    }
    let client = Client("https://api.example.com", transport: transport)
    Benchmark("Replay, GET with a client") { benchmark in
        for _ in benchmark.scaledIterations { blackHole(try await client.get("/users/7").send()) }
    }
}

extension HTTPRequest {
    fileprivate init(method: Method, _ path: String) {
        self.init(method: method, scheme: "https", authority: "api.example.com", path: path)
    }
}

extension Fixture {
    fileprivate static func replayed(_ method: String, _ path: String, body: String? = nil) -> Fixture {
        let content = Array(#"{"name": "A small reply"}"#.utf8)
        let request = RecordedRequest(
            method: method,
            url: "https://api.example.com\(path)",
            headers: body == nil ? [] : [HeaderLine(name: "Content-Type", value: "application/json")],
            body: body.map { RecordedBody(.bytes(Array($0.utf8))) }
        )
        let response = RecordedResponse(
            status: 200,
            reason: "OK",
            headers: [
                HeaderLine(name: "Content-Type", value: "application/json"),
                HeaderLine(name: "Content-Length", value: "\(content.count)"),
            ],
            content: .body(RecordedBody(.bytes(content)))
        )
        return Fixture(Exchange(request: request, outcome: .response(response)))
    }
}
