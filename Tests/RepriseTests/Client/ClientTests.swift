// SPDX-License-Identifier: Apache-2.0

import Foundation
import RepriseLocking
import Testing

@testable import Reprise

@Suite struct ClientTests {
    private let transport = ClosureTransport()

    private func url(_ call: Call) throws -> String {
        try call.request().urlText
    }

    // MARK: Base URL

    @Test func appendsPathsToBaseURL() throws {
        let api = Client("https://api.example.com/v1/?key=1")
        #expect(try url(api.get("/users/42/")) == "https://api.example.com/v1/users/42/?key=1")
        #expect(try url(api.get("")) == "https://api.example.com/v1/?key=1")
    }

    @Test func evaluatesBaseURLClosureForEachSend() async throws {
        let count = Locked(0)
        let api = Client(transport: transport) {
            let number = count.withLock { count in
                count += 1
                return count
            }
            return "https://host\(number)"
        }
        let call = api.get("/a")
        #expect(count.withLock { $0 } == 0)
        try await call.send()
        try await call.send()
        #expect(transport.requests.map(\.authority) == ["host1", "host2"])
    }

    @Test func failsIfBaseURLClosureThrows() async {
        struct NoSettings: Error {}
        let api = Client(transport: transport) { throw NoSettings() }
        let error = await #expect(throws: ClientError.self) { try await api.get("/a").send() }
        #expect(error?.code == .invalidURL)
        #expect(error?.underlying is NoSettings)
        #expect(transport.requests.isEmpty)
    }

    @Test func absoluteURLOverridesBaseURL() throws {
        let api = Client("https://api.example.com/v1?key=1")
        #expect(try url(api.get("http://other:8080/x")) == "http://other:8080/x")
        #expect(try url(Client().get("http://other:8080/x").query("a", 1)) == "http://other:8080/x?a=1")
    }

    @Test(arguments: ["/users", "users", "", "?a=1", "/login?next=https://h/"])
    func rejectsRelativePathWithoutBaseURL(path: String) async {
        let error = await #expect(throws: ClientError.self) {
            try await Client(transport: transport).get(RequestPath(raw: path)).send()
        }
        #expect(error?.code == .invalidURL)
        #expect(error?.message.contains("base URL") == true)
        #expect(transport.requests.isEmpty)
    }

    @Test(arguments: ["api.example.com", "", "ftp://h", "https://user@h", "https://h:0"])
    func rejectsInvalidBaseURLWhenSending(base: String) async {
        let api = Client(base, transport: transport)
        let error = await #expect(throws: ClientError.self) { try await api.get("/users").send() }
        #expect(error?.code == .invalidURL)
        #expect(transport.requests.isEmpty)
    }

    @Test(arguments: ["/../a", "/%2e%2e/a", "/%252e%252e/a", "/a\r\nX: 1", "/a#b", "//evil.example/a"])
    func rejectsUnsafePathBeforeSending(path: String) async {
        let api = Client("https://h", transport: transport)
        let error = await #expect(throws: ClientError.self) { try await api.get(RequestPath(raw: path)).send() }
        #expect(error?.code == .invalidURL)
        #expect(transport.requests.isEmpty)
    }

    // MARK: Headers

    @Test func addsClientHeadersToEachCall() throws {
        let api = Client("https://h", configuration: .init(headers: [.accept: "a/b", .userAgent: "App/1"]))
        #expect(try api.get("/").request().headerFields == [.accept: "a/b", .userAgent: "App/1"])
        #expect(try api.get("/").accept("c/d").request().headerFields == [.accept: "c/d", .userAgent: "App/1"])
    }

    private static let credentials: HTTPFields = [
        .authorization: "Bearer secret", .cookie: "id=1", .proxyAuthorization: "x", .init("X-Api-Key")!: "k",
        .init("X-Auth-Token")!: "t", .accept: "a/b",
    ]

    @Test(arguments: ["https://other.example/a", "https://api.example.com:8443/a", "http://api.example.com/a"])
    func withholdsCredentialsFromOtherOrigins(url: String) throws {
        let api = Client("https://api.example.com", configuration: .init(headers: Self.credentials))
        #expect(try api.get(RequestPath(raw: url)).request().headerFields == [.accept: "a/b"])
    }

    @Test(arguments: [
        "/a", "https://api.example.com/a", "https://API.example.com:443/a", "https://files.example.com/a",
    ])
    func sendsCredentialsToOwnAndAllowedOrigins(url: String) throws {
        let api = Client(
            "https://api.example.com/v1",
            configuration: .init(headers: Self.credentials, credentialOrigins: ["https://files.example.com:443/"])
        )
        #expect(try api.get(RequestPath(raw: url)).request().headerFields == Self.credentials)
    }

    @Test func preservesCredentialsOfCall() throws {
        let api = Client("https://api.example.com", configuration: .init(headers: Self.credentials))
        let request = try api.get("https://other.example").header(.authorization, "own").request()
        #expect(request.headerFields == [.accept: "a/b", .authorization: "own"])
    }

    @Test func rejectsInvalidCredentialOrigin() {
        let api = Client("https://h", configuration: .init(headers: Self.credentials, credentialOrigins: ["h2"]))
        let error = #expect(throws: ClientError.self) { try api.get("https://h3").request() }
        #expect(error?.code == .invalidURL)
    }

    @Test(arguments: [
        ("Authorization", true), ("proxy-authorization", true), ("Cookie", true), ("Set-Cookie", true),
        ("X-API-Key", true),
        ("ApiKey", true), ("X-Amz-Security-Token", true), ("Private-Token", true), ("X-Client-Secret", true),
        ("Idempotency-Key", false), ("X-CSRF-Token", false), ("Accept", false), ("X-Tokens-Used", false),
        ("Sec-WebSocket-Key", false), ("X-Auth-Key", true), ("Ocp-Apim-Subscription-Key", true),
        ("X-Functions-Key", true), ("Api_Key", true), ("auth_token", true), ("X-Session-Id", true),
        ("Authentication", true), ("X-Signature", true), ("X-Auth-User", true), ("Idempotency_Key", false),
        ("X-Key-Count", false), ("WWW-Authenticate", false), ("X-Author", false),
    ])
    func recognizesCredentialFieldNames(name: String, isCredential: Bool) throws {
        #expect(try #require(HTTPField.Name(name)).isCredential == isCredential)
    }

    // MARK: Transport

    @Test func prefersTransportOfCallThenClientThenAmbient() async throws {
        let (call, client, ambient) = (ClosureTransport(), ClosureTransport(), ClosureTransport())
        try await Ambient.$transport.withValue(ambient) {
            try await Client("https://h", transport: client).get("/1").transport(call).send()
            try await Client("https://h", transport: client).get("/2").send()
            try await Client("https://h").get("/3").send()
        }
        #expect(call.requests.map(\.path) == ["/1"])
        #expect(client.requests.map(\.path) == ["/2"])
        #expect(ambient.requests.map(\.path) == ["/3"])
    }

    @Test func hasValueSemantics() throws {
        let first = Client("https://h", configuration: .init(headers: [.accept: "a/b"]))
        let call = first.get("/")
        var second = first
        second.configuration.headers[.accept] = "c/d"
        #expect(try first.get("/").request().headerFields == [.accept: "a/b"])
        #expect(try call.request().headerFields == [.accept: "a/b"])
        #expect(try second.get("/").request().headerFields == [.accept: "c/d"])
    }

    @Test func sendsThroughStubs() async throws {
        let stub = StubTransport { $0.get("/users/{id}") { request in .json(["id": request["id"]]) } }
        let user: [String: String] = try await Client("https://h", transport: stub).get("/users/42").value()
        #expect(user == ["id": "42"])
    }

    @Test func acceptsURLsInsteadOfText() async throws {
        let (base, other) = (URL(string: "https://h/v1")!, URL(string: "https://other.example/a?b=1")!)
        #expect(try Client(base).get("/a").request().path == "/v1/a")
        #expect(try Client { base }.get("/a").request().path == "/v1/a")
        let api = Client(base)
        let calls = [
            api.get(other), api.head(other), api.post(other), api.put(other), api.patch(other), api.delete(other),
            api.options(other), api.call(.trace, other),
        ]
        for call in calls { #expect(try call.request().authority == "other.example") }
        #expect(
            try calls.map { try $0.request().method } == [.get, .head, .post, .put, .patch, .delete, .options, .trace]
        )
        #expect(try api.get(URL(string: "/a?b=1")!).request().path == "/v1/a?b=1")
        let error = #expect(throws: ClientError.self) { try Client(URL(string: "file:///a")!).get("/").request() }
        #expect(error?.code == .invalidURL)
    }

    @Test func takesHeadersByTheirNamesAsText() async throws {
        let transport = ClosureTransport()
        let configuration = Client.Configuration(headers: ["Authorization": "Bearer a", "X-Two": "1", "x-two": "2"])
        try await Client("https://h", transport: transport, configuration: configuration).get("/").send()
        #expect(transport.requests[0].headerFields[.authorization] == "Bearer a")
        #expect(transport.requests[0].headerFields[values: .init("X-Two")!] == ["1", "2"])
        // Fields by their names as constants, and none.
        #expect(Client.Configuration(headers: [.accept: "a"]).headers == [.accept: "a"])
        #expect(Client.Configuration(headers: [:]).headers.isEmpty)
    }
}
