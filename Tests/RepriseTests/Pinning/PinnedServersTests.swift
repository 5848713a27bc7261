// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import Testing

@testable import Reprise

@Suite struct PinnedServersTests {
    /// Each test has a pin of its own, because the whole process remembers verified servers.
    private let servers = PinnedServers(.pin(Pin(.publicKey, sha256: (0..<32).map { _ in .random(in: 0...255) })))

    private func request(_ authority: String?, scheme: String? = "https") -> HTTPRequest {
        HTTPRequest(method: .get, scheme: scheme, authority: authority, path: "/")
    }

    @Test(arguments: ["api.example.com", "api.example.com:8443", "[::1]:443"])
    func rejectsUnverifiedServer(authority: String) {
        #expect(!servers.mayAnswer(request(authority)))
    }

    @Test func rejectsRequestWithoutAuthority() {
        servers.add(serverOf: request("api.example.com"))
        #expect(!servers.mayAnswer(request(nil)))
    }

    @Test(arguments: ["api.example.com", "API.example.com", "api.example.com:443"])
    func acceptsVerifiedServer(authority: String) {
        servers.add(serverOf: request("api.example.com"))
        #expect(servers.mayAnswer(request(authority)))
        #expect(servers.mayAnswer(request(authority, scheme: "HTTPS")))
    }

    @Test(arguments: ["cdn.example.com", "api.example.com:8443", "api.example.com.", "example.com"])
    func rejectsOtherServers(authority: String) {
        servers.add(serverOf: request("api.example.com"))
        #expect(!servers.mayAnswer(request(authority)))
    }

    @Test func remembersServersPerPinSet() {
        servers.add(serverOf: request("api.example.com"))
        #expect(PinnedServers(servers.pinning).mayAnswer(request("api.example.com")))
        #expect(
            !PinnedServers(Pinning(servers.pinning.pins + [Pin(.publicKey, sha256: [])])).mayAnswer(
                request("api.example.com")
            )
        )
    }

    @Test func acceptsServerWithoutTLS() {
        #expect(servers.mayAnswer(request("api.example.com", scheme: "http")))
        servers.add(serverOf: request("api.example.com", scheme: "http"))
        #expect(!servers.mayAnswer(request("api.example.com")))
    }
}
