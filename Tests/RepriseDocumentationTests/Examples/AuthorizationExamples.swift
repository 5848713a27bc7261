// SPDX-License-Identifier: Apache-2.0

import Reprise
import Testing

struct Tokens: Codable, Sendable {
    var access: String
    var refresh: String
}

private let stub = StubTransport {
    $0.get("/users/me") { request in
        request.headers[.authorization] == "Bearer new" ? .json(#"{"id": "me"}"#) : .status(401)
    }
    $0.post("/token", .json(#"{"access": "new", "refresh": "next"}"#))
}

private let api = Client("https://api.example.com", transport: stub)

actor Session: TokenProvider {
    private var tokens: Tokens

    init(_ tokens: Tokens) { self.tokens = tokens }

    func token() -> String? { tokens.access }

    func refresh() async throws -> String? {
        tokens = try await api.post("/token").form(["refresh_token": tokens.refresh]).value()
        return tokens.access
    }
}

/// The examples about authorization, with a stub.
@Suite struct AuthorizationExamples {
    @Test func refreshesRejectedToken() async throws {
        let tokens = Tokens(access: "old", refresh: "once")
        try await Ambient.$transport.withValue(stub) {
            let session = Session(tokens)
            let api = Client("https://api.example.com", configuration: .init(tokenProvider: session))

            let me: User = try await api.get("/users/me").authorized().value()
            #expect(me.id == "me")
        }
    }
}
