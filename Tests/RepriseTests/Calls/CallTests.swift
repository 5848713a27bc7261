// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Reprise

@Suite struct CallTests {
    private let api = Client("https://api.example.com/v1", transport: ClosureTransport())

    @Test func hasValueSemantics() throws {
        let users = api.get("/users").query("page", 1).header(.accept, "text/plain")
        let second = users.query("page", 2).header(.accept, "application/json").timeout(nil)
        let broken = users.header(.accept, "\n")
        #expect(try users.request().path == "/v1/users?page=1")
        #expect(try users.request().headerFields == [.accept: "text/plain"])
        #expect(try second.request().path == "/v1/users?page=1&page=2")
        #expect(try second.request().headerFields == [.accept: "application/json"])
        #expect(throws: ClientError.self) { try broken.request() }
        #expect(users.options(.head).timeout == .seconds(60))
        #expect(second.options(.head).timeout == nil)
    }

    private static let verbs: [(String, @Sendable (Client) -> Call)] = [
        ("GET", { $0.get("/") }), ("HEAD", { $0.head("/") }), ("POST", { $0.post("/") }), ("PUT", { $0.put("/") }),
        ("PATCH", { $0.patch("/") }), ("DELETE", { $0.delete("/") }), ("OPTIONS", { $0.options("/") }),
        ("TRACE", { $0.call(.trace, "/") }), ("CONNECT", { $0.call(.connect, "/") }),
        ("PURGE", { $0.call("PURGE", "/") }), ("m-search", { $0.call("m-search", "/") }),
    ]

    @Test(arguments: verbs)
    func supportsAnyMethod(name: String, make: @Sendable (Client) -> Call) throws {
        #expect(try make(api).request().method.rawValue == name)
    }

    @Test(arguments: ["", "GET /x", "GE T", "GET\r\n", "ä", "G(T"])
    func rejectsInvalidMethod(name: String) async {
        let transport = ClosureTransport()
        let error = await #expect(throws: ClientError.self) {
            try await Client("https://h", transport: transport).call(name, "/").send()
        }
        #expect(error?.code == .invalidParameters)
        #expect(transport.requests.isEmpty)
    }

    @Test func throwsFirstErrorAndSendsNothing() async {
        let transport = ClosureTransport()
        let call = Client("https://h", transport: transport).post("/a")
            .header("bad name", "x").query("n", Double.nan).body("a").body("b")
        let error = await #expect(throws: ClientError.self) { try await call.send() }
        #expect(error?.code == .invalidParameters)
        #expect(error?.message.contains("bad name") == true)
        #expect(transport.requests.isEmpty)
    }

    // MARK: Headers

    @Test func replacesHeaderSetAgain() throws {
        let call = api.get("/").header(.accept, "text/plain").header("ACCEPT", "application/json")
        #expect(try call.request().headerFields.map { "\($0)" } == ["ACCEPT: application/json"])
    }

    @Test func mergesHeaders() throws {
        let name = try #require(HTTPField.Name("X-A"))
        var more = HTTPFields()
        more.append(HTTPField(name: name, value: "2"))
        more.append(HTTPField(name: name, value: "3"))
        let call = api.get("/").header(.accept, "text/plain").header(name, "1").headers(more)
        #expect(try call.request().headerFields.map { "\($0)" } == ["Accept: text/plain", "X-A: 2", "X-A: 3"])
        #expect(try call.headers([:] as HTTPFields).request().headerFields.count == 3)
    }

    @Test func acceptsHeaderNamesAsStrings() throws {
        let call = api.get("/").headers(["x-b": "2", "X-A": "1"])
        #expect(try call.request().headerFields.map { "\($0)" } == ["X-A: 1", "x-b: 2"])
        #expect(throws: ClientError.self) { try api.get("/").headers(["x b": "2"]).request() }
    }

    @Test func setsAcceptAndContentType() throws {
        let fields = try api.post("/").accept("text/csv").contentType("text/plain").request().headerFields
        #expect(fields == [.accept: "text/csv", .contentType: "text/plain"])
    }

    @Test(arguments: ["a\r\nX-Evil: 1", "a\n", "\r", "a\0b", "\u{1}", "\u{7F}", "\u{1B}[0m"])
    func rejectsControlCharactersInHeaderValue(value: String) async {
        let transport = ClosureTransport()
        let call = Client("https://h", transport: transport).get("/").header(.accept, value)
        let error = await #expect(throws: ClientError.self) { try await call.send() }
        #expect(error?.code == .invalidParameters)
        #expect(error?.message.contains("Accept") == true)
        #expect(transport.requests.isEmpty)
    }

    /// A token read from a file often ends with a line break.
    @Test(arguments: ["Authorization", "X-Api-Key", "Cookie"])
    func errorOmitsRejectedCredential(name: String) {
        let error = #expect(throws: ClientError.self) { try api.get("/").header(name, "t0psecret\n").request() }
        #expect(error?.message.contains(name) == true)
        #expect(error?.message.contains("t0psecret") == false)
    }

    @Test(arguments: ["", "a b", "a:b", "ä", "a\r\nb", "(a)", ":path"])
    func rejectsInvalidHeaderName(name: String) {
        let error = #expect(throws: ClientError.self) { try api.get("/").header(name, "x").request() }
        #expect(error?.code == .invalidParameters)
    }

    @Test func rejectsPseudoHeader() throws {
        let name = try #require(HTTPField.Name(parsed: ":path"))
        let error = #expect(throws: ClientError.self) { try api.get("/").header(name, "x").request() }
        #expect(error?.code == .invalidParameters)
        #expect(error?.message.contains(":path") == true)
    }

    @Test func acceptsTabsAndNonASCIIInHeaderValue() throws {
        #expect(try api.get("/").header("X-A", "a\tä").request().headerFields.first?.value == "a\tä")
    }

    // MARK: Options

    @Test func overridesClientsOptions() {
        var api = api
        api.configuration.timeout = .seconds(5)
        api.configuration.connectTimeout = .seconds(2)
        api.configuration.redirects = .dontFollow
        let standard = api.get("/").options(.wholeResponse)
        #expect(
            standard
                == RequestOptions(timeout: .seconds(5), connectTimeout: .seconds(2), redirects: .dontFollow)
        )
        let own = api.get("/").timeout(.seconds(1)).connectTimeout(nil).redirects(.follow(limit: 1)).options(.head)
        #expect(
            own
                == RequestOptions(
                    timeout: .seconds(1),
                    timeoutScope: .head,
                    connectTimeout: nil,
                    redirects: .follow(limit: 1)
                )
        )
    }

    @Test func timesOutAfter60SecondsByDefault() async throws {
        let transport = ClosureTransport()
        let api = Client("https://h", transport: transport)
        try await api.get("/").send()
        _ = try await api.get("/").stream()
        #expect(transport.options.map(\.timeout) == [.seconds(60), .seconds(60)])
        #expect(transport.options.map(\.timeoutScope) == [.wholeResponse, .head])
    }

    @Test func omitsHeadersWithoutValue() throws {
        let token: String? = nil
        let call = Client("https://h").get("/").header("X-A", "1").header("X-A", token).header(.accept, token)
        #expect(try call.request().headerFields == [.init("X-A")!: "1"])
    }
}
