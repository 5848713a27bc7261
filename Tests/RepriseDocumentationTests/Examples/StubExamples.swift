// SPDX-License-Identifier: Apache-2.0

import Foundation
import Reprise
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The examples in the documentation of transports.
@Suite struct StubExamples {
    @Test func answersFromRoutes() async throws {
        let stub = StubTransport {
            $0.get("/users/42", .json(#"{"id": 42}"#))
            $0.get("/users/{id}") { request in .json(User(id: request["id"])) }
            $0.post("/users", .status(503), .json(#"{"id": 43}"#, status: .created))  // fails once, then succeeds
            $0.get("/chat", .events("data: a\n\n", .pause(.seconds(1)), "data: b\n\n"))
        }
        let client = Client("https://api.example.com", transport: stub)
        #expect(try await client.get("/users/a").value(as: User.self).id == "a")
        #expect(try await client.get("/users/42").send().text == #"{"id": 42}"#)
        #expect(try await client.post("/users").validate(.none).send().status == .serviceUnavailable)
        #expect(try await client.post("/users").send().status == .created)
    }

    @Test func createsAnswers() {
        let user: StubTransport.Answer =
            .json(User(id: "42")).header("ETag", "\"1\"").delayed(.milliseconds(200))
        let stream: StubTransport.Answer =
            .stream("{\"n\":1}\n", .pause(.seconds(1)), "{\"n\":2}\n", contentType: "application/x-ndjson")
        let stub = StubTransport { $0.get("/", user, stream) }
        #expect(stub.requests.isEmpty)
    }

    #if canImport(Darwin)
        @Test func configuresURLSession() {
            let configuration = URLSessionTransport.defaultConfiguration
            configuration.allowsCellularAccess = false
            let transport = URLSessionTransport(configuration: configuration)
            #expect(transport.enforcesTimeout)
        }
    #endif
}
