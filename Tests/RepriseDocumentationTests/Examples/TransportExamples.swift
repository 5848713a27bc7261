// SPDX-License-Identifier: Apache-2.0

import Foundation
import Reprise

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

struct Timing: Transport {
    let base: any Transport

    func send(
        _ request: HTTPRequest,
        body: Body?,
        options: RequestOptions
    ) async throws(TransportError) -> Response {
        let start = ContinuousClock.now
        defer { print(request.method, request.path ?? "", start.duration(to: .now)) }
        return try await base.send(request, body: body, options: options)
    }
}

func loadProfile() async throws {}

func injectStub(stub: any Transport) async throws {
    try await Ambient.$transport.withValue(stub) {
        try await loadProfile()  // its Client(…) talks to the stub
    }
}

#if os(Linux)
    func trustStagingCertificates(authorities: [UInt8]) async throws -> HTTPResponse {
        let staging = SocketTransport(.init(trust: .system(adding: authorities)))
        let request = HTTPRequest(method: .get, scheme: "https", authority: "staging.example.com", path: "/")
        let response = try await staging.send(request)
        return response.head
    }

    func trustStagingCertificatesInClient(authorities: [UInt8]) -> Client {
        let staging = SocketTransport(.init(trust: .system(adding: authorities)))
        let api = Client("https://staging.example.com", live: staging)
        return api
    }
#endif

func cacheStagingResponses(staging: any Transport) -> Client {
    let api = Client("https://api.example.com", transport: CachingTransport(), live: staging)
    return api
}

func disallowCellularAccess() -> Client {
    let configuration = URLSessionTransport.defaultConfiguration
    configuration.allowsCellularAccess = false
    let api = Client("https://api.example.com", live: URLSessionTransport(configuration: configuration))
    return api
}

func createStub() -> StubTransport {
    let stub = StubTransport {
        $0.get("/books/{id}") { request in .json(Book(id: request["id"], title: "The Lighthouse Atlas")) }
        $0.post("/books", .status(503), .json(#"{"id": "b-7", "title": "Tides"}"#, status: .created))
        $0.get("/news", .events("data: a\n\n", .pause(.seconds(1)), "data: b\n\n", ending: .reset))
        $0.delete("/books/{id}", .failure(.connectionRefused))
    }
    return stub
}
