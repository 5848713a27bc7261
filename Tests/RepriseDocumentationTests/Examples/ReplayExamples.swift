// SPDX-License-Identifier: Apache-2.0

import Foundation
import Reprise
import RepriseReplay
import RepriseStubs
import RepriseTesting
import Testing

/// The examples about recording and replaying. They are only compiled: RepriseReplayTests tests what they do.
enum ReplayExamples {
    private struct Order: Codable {}

    private struct NewOrder: Codable {
        var item: String
    }

    static func recordsOnce() async throws -> User {
        let session = try CassetteSession("Tests/Fixtures/users.cassette.json", mode: .record(.once))
        let api = Client("https://staging.example.com", transport: session.transport)
        let user: User = try await api.get("/users/42").value()
        try session.finish()
        return user
    }

    static func recordsOnRequest(_ staging: any Transport) async throws {
        let session = try CassetteSession("Tests/Fixtures/orders.cassette.json", over: staging)
        let api = Client("https://staging.example.com", transport: session.transport)
        let order: Order = try await api.post("/orders").json(NewOrder(item: "b-7")).value()
        try session.finish()
        _ = order
    }

    #if os(Linux)
        static func records() async throws -> User {
            let recording = try RecordingTransport(over: SocketTransport.shared, to: "Fixtures/users.cassette.json")
            let api = Client("https://staging.example.com", transport: recording)
            let user: User = try await api.get("/users/42").value()
            try recording.finish()
            return user
        }
    #endif

    static func replays() async throws -> User {
        let transport = try ReplayingTransport("Fixtures/users.cassette.json")
        let api = Client("https://staging.example.com", transport: transport)
        let user: User = try await api.get("/users/42").value()
        try transport.finish()
        return user
    }

    static func matchesHeaders() throws -> ReplayingTransport {
        let matching = [Matcher].standard + [.headers(["Accept-Language"])]
        let transport = try ReplayingTransport("Fixtures/search.cassette.json", matching: matching)
        return transport
    }

    static func usesCustomMatcher() throws -> ReplayingTransport {
        let transport = try ReplayingTransport(
            "Fixtures/search.cassette.json",
            matching: [
                .method, .path, .headers(["Accept-Language"]),
                .custom("user") { recorded, incoming in
                    recorded.headers.firstValue(named: "X-User") == incoming.headers.firstValue(named: "X-User")
                },
            ]
        )
        return transport
    }

    static func playsInVirtualTime() throws -> Client {
        let clock = VirtualClock()
        let transport = try ReplayingTransport(paths: ["Fixtures"], configuration: .init(pace: .virtual, clock: clock))
        let api = Client("https://api.example.com", transport: transport, configuration: .init(clock: clock))
        return api
    }

    static func triesEveryChunking() async throws -> [String] {
        let events = try await withEveryChunking(of: "Fixtures/chat.cassette.json") { transport in
            let api = Client("https://api.example.com", transport: transport)
            var events: [String] = []
            for try await event in try await api.get("/chat").events() { events.append(event.data) }
            return events
        }
        return events
    }

    static func answersFromFixturesAndRoutes() throws -> StubTransport {
        let stub = try StubTransport(fixtures: "Fixtures") {
            $0.get("/users/42", .status(503))  // takes precedence over the folder
        }
        return stub
    }

    static func answersWithStubMappings() throws -> StubTransport {
        let stub = try StubTransport(stubs: [
            StubMapping(.get("/users/{id}"), .json(["id": "42"])),
            StubMapping(.post("/users").body(.matchesJSONPath("$.name")), .status(201)),
        ])
        return stub
    }
}
