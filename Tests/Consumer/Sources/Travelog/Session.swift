// SPDX-License-Identifier: Apache-2.0

import Reprise

/// The tokens of the user who is signed in.
actor Session: TokenProvider {
    private struct Tokens: Decodable {
        var access: String
        var refresh: String

        enum CodingKeys: String, CodingKey { case access = "access_token", refresh = "refresh_token" }
    }

    private let api: Client
    private var tokens: Tokens?

    init(_ api: Client) { self.api = api }

    func signIn(as name: String, password: String) async throws {
        let call = api.post("/session").json(["name": name, "password": password])
        tokens = try await call.value(in: Reply.self, as: Tokens.self)
    }

    func token() -> String? { tokens?.access }

    func refresh() async throws -> String? {
        guard let old = tokens?.refresh else { return nil }
        let call = api.post("/session/refresh").json(["refresh_token": old])
        tokens = try await call.value(in: Reply.self, as: Tokens.self)
        return tokens?.access
    }
}
