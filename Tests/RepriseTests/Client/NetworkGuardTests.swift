// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Reprise

@Suite struct NetworkGuardTests {
    @Test(arguments: [
        "localhost", "LOCALHOST:8080", "localhost.", "api.localhost:80", "127.0.0.1", "127.1.2.3:8080", "[::1]",
        "[::1]:8080", "0.0.0.0:80", "nowhere.invalid",
    ])
    func allowsThisMachine(authority: String) {
        #expect(HTTPRequest(method: .get, scheme: "http", authority: authority, path: "/").staysOnThisMachine)
    }

    @Test(arguments: [
        "example.com", "localhost.example.com", "127.example.com", "127.0.0.1.example.com", "127.0.0", "127.0.0.256",
        "128.0.0.1", "192.168.0.1:8080", "[2001:db8::1]", "localhost@example.com", "notlocalhost",
    ])
    func refusesOtherMachines(authority: String) {
        #expect(!HTTPRequest(method: .get, scheme: "http", authority: authority, path: "/").staysOnThisMachine)
    }

    @Test(arguments: [(nil, false), ("", false), ("0", false), ("false", false), ("1", true), ("true", true)])
    func readsBooleanVariables(value: String?, expected: Bool) {
        #expect(NetworkGuard.isForbidden(in: value.map { ["CI": $0] } ?? [:]) == expected)
        let allowed = ["CI": "1", NetworkGuard.variable: value ?? ""]
        #expect(NetworkGuard.isForbidden(in: allowed) != expected)
    }

    /// Tests may be loaded into an app that has already sent requests.
    @Test func searchesAgainUntilTestsAreFound() {
        var search = TestProcessSearch()
        let start = ContinuousClock.now
        var searches = 0
        func answer(after seconds: Int, finding isFound: Bool) -> Bool {
            search.isTestProcess(at: start + .seconds(seconds)) {
                searches += 1
                return isFound
            }
        }
        #expect(!answer(after: 0, finding: false))
        #expect(!answer(after: 0, finding: true))
        #expect(searches == 1)
        #expect(answer(after: 1, finding: true))
        #expect(answer(after: 2, finding: false))
        #expect(searches == 2)
    }

    @Test func decoratorWithoutBaseUsesAmbientThenLiveTransportOfClient() async throws {
        let live = StubTransport.answering { _ in .text("live") }
        let ambient = StubTransport.answering { _ in .text("ambient") }
        let clients = [
            Client("https://api.example.com", transport: AmbientTransport(), live: live),
            Client("https://api.example.com", live: live),
        ]
        func texts() async throws -> [String] {
            var texts: [String] = []
            for client in clients { texts.append(try await client.get("/").send().text) }
            return texts
        }
        #expect(try await texts() == ["live", "live"])
        let replaced = try await Ambient.$transport.withValue(ambient) { try await texts() }
        #expect(replaced == ["ambient", "ambient"])
        // A decorator that is itself the ambient transport ends at the live transport.
        let decorated = try await Ambient.$transport.withValue(CachingTransport()) { try await texts() }
        #expect(decorated == ["live", "live"])
    }

    @Test func liveDecoratorWithoutBaseEndsAtPlatformsTransport() {
        let ends = Ambient.Ends(live: AmbientTransport())
        let transport = EndedTransport(base: AmbientTransport(), ends: ends)
        #expect(transport.enforcesTimeout == LiveTransport.shared.enforcesTimeout)
        let decorated = EndedTransport(base: CachingTransport(), ends: Ambient.Ends(live: CachingTransport()))
        #expect(decorated.enforcesTimeout == CachingTransport(LiveTransport.shared).enforcesTimeout)
    }
}
