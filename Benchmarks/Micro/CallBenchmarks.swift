// SPDX-License-Identifier: Apache-2.0

import Benchmark
import Reprise

/// The overhead of a call over its transport, which answers from memory. Each sample makes a thousand calls.
func callBenchmarks() {
    let transport = MemoryTransport()
    let api = Client("https://api.example.com", transport: transport)
    let configured = Client(
        "https://api.example.com/v1",
        transport: transport,
        configuration: .init(headers: [.accept: "application/json", .userAgent: "App/1"])
    )
    Benchmark("Transport, create and send a request") { benchmark in
        for _ in benchmark.scaledIterations {
            let request = HTTPRequest(method: .get, scheme: "https", authority: "api.example.com", path: "/x")
            blackHole(try await transport.send(request))
        }
    }
    Benchmark("Call, GET /x, send()") { benchmark in
        for _ in benchmark.scaledIterations { blackHole(try await api.get("/x").send()) }
    }
    Benchmark("Call, GET /x, stream()") { benchmark in
        for _ in benchmark.scaledIterations { blackHole(try await api.get("/x").stream()) }
    }
    Benchmark("Call, with headers, a query and a long path, send()") { benchmark in
        for _ in benchmark.scaledIterations {
            let call = configured.get("/users/1234567890/profile/picture").query("size", 20)
            blackHole(try await call.header(.ifNoneMatch, "abcdef").send())
        }
    }
}

/// Answers without a copy and without waiting.
private struct MemoryTransport: Transport {
    private let response = Response(
        HTTPResponse(status: .ok, headerFields: [.contentType: "application/json"]),
        body: #"{"name": "A small reply"}"#
    )

    var enforcesTimeout: Bool { true }

    func send(
        _ request: HTTPRequest,
        body: Body?,
        options: RequestOptions
    ) async throws(TransportError) -> Response {
        response
    }
}
