// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Reprise

/// Printing, debug printing, and dumping show no secrets.
@Suite struct DescriptionTests {
    private static let secrets = ["5ecret", "c00kie", "k3y", "pa55word", "53, 101, 99"]

    private static var client: Client {
        var api = Client("https://api.example.com/v1?api_key=k3y-of-base", transport: stub)
        api.configuration.headers = [
            .authorization: "Bearer 5ecret", .cookie: "sid=c00kie; theme=dark", .accept: "text/plain",
        ]
        return api
    }

    private static let stub = StubTransport.answering { _ in
        .json(#"{"access_token": "5ecret-of-the-response", "name": "Atlas"}"#).header("Set-Cookie", "sid=c00kie")
    }

    private static var call: Call {
        client.post("/users").query("api_key", "k3y").header("X-Api-Key", "k3y").body("5ecret body pa55word")
    }

    private func texts(_ value: Any) -> [String] {
        var dumped = ""
        dump(value, to: &dumped)
        let mirrored = Mirror(reflecting: value).children.map { "\($0.label ?? ""): \($0.value)" }
        return ["\(value)", String(reflecting: value), dumped] + mirrored
    }

    private func expectNoSecrets(in value: Any, sourceLocation: SourceLocation = #_sourceLocation) {
        for text in texts(value) {
            for secret in Self.secrets {
                #expect(!text.contains(secret), "\(text)", sourceLocation: sourceLocation)
            }
        }
    }

    @Test func hidesSecretsOfClientAndCall() {
        expectNoSecrets(in: Self.client)
        expectNoSecrets(in: Self.client.configuration)
        expectNoSecrets(in: Self.call)
        expectNoSecrets(in: [Self.call])
        expectNoSecrets(in: Client { "https://example.com?api_key=k3y" }.get("/a?api_key=k3y"))
        expectNoSecrets(in: Body("5ecret"))
        expectNoSecrets(in: CacheKey(Self.request))
    }

    private static let request = HTTPRequest(
        method: .get,
        scheme: "https",
        authority: "user:pa55word@api.example.com",
        path: "/?api_key=k3y",
        headerFields: [.authorization: "Bearer 5ecret"]
    )

    @Test func hidesSecretsOfRequestsAndResponses() async throws {
        let seen = ClosureInterceptor { request, next in
            let response = try await next(request)
            expectNoSecrets(in: request)
            expectNoSecrets(in: response)
            return response
        }
        let response = try await Self.call.intercept(seen).send()
        expectNoSecrets(in: response)
        expectNoSecrets(in: try #require(response.rawHead))
        expectNoSecrets(in: ClientError(.status, "so", request: Self.request, response: response))
        let attempt = Attempt(request: Self.request, log: nil)
        expectNoSecrets(in: attempt.failed(with: ClientError(.status, "so", request: Self.request)))
        let stub = StubTransport { $0.post("/v1/users", .text("ok")) }
        try await Self.client.post("/users").json(["password": "pa55word"]).transport(stub).send()
        expectNoSecrets(in: try #require(stub.requests.first))
    }

    @Test func showsWhatIsNotSecret() async throws {
        #expect("\(Self.client)" == "Client(https://api.example.com/v1?api_key=%5Bredacted%5D)")
        #expect(
            "\(Self.call)" == "POST https://api.example.com/v1/users?api_key=%5Bredacted%5D&api_key=%5Bredacted%5D"
        )
        let dumped = texts(Self.call)[2]
        for part in ["Authorization: [redacted]", "Cookie: [redacted]", "Accept: text/plain", "20 bytes"] {
            #expect(dumped.contains(part), "\(dumped)")
        }
        #expect("\(Self.client.configuration)".contains("headers: [\"Authorization: [redacted]\""))
        let response = try await Self.call.send()
        #expect("\(response)".contains(#""name": "Atlas""#))
        #expect("\(Body("abc"))" == "3 bytes")
    }
}
