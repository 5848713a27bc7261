// SPDX-License-Identifier: Apache-2.0

import Foundation
import RepriseLocking
import RepriseTestSupport
import Testing

@testable import Reprise

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The examples of EKNetwork's documentation, written with Reprise: the manager and its requests. Bodies, responses and
/// errors, tokens and retries, and streams are in other files.
@Suite struct EKNetworkParityTests {
    struct Ticket: Codable, Equatable {
        var id: Int
        var from: String
    }

    struct Session: Codable, Equatable {
        var token: String
    }

    struct SignIn: Endpoint {
        typealias Response = Session
        let user: String
        let password: String
        var path: Path { "/session" }
        var method: HTTPRequest.Method { .post }

        func configure(_ call: Call) -> Call { call.json(["user": user, "password": password]) }
    }

    /// Everything that an EKNetwork request declares, in one place.
    struct ChangeTicket: Endpoint {
        typealias Response = Ticket
        let id: Int
        let from: String
        var path: Path { "/tickets/\(id)" }
        var method: HTTPRequest.Method { .put }

        func configure(_ call: Call) -> Call {
            call.headers(["X-Device": "d-1"])
                .query("notify", true)
                .json(["from": from], encoder: Self.encoder)
                .contentType("application/vnd.tickets+json")
        }

        private static let encoder = JSONEncoder()
    }

    private let stub = StubTransport {
        $0.post("/v1/session", .json(Session(token: "t-1")))
        $0.put("/v1/tickets/{id}", .json(Ticket(id: 7, from: "Bern")))
        $0.all { request in .json(["url": request.url]) }
    }
    private var api: Client { Client("https://api.example.com/v1", transport: stub) }

    private func url(_ api: Client) async throws -> String? {
        try await api.get("/where").json()["url"].string
    }

    // MARK: The manager

    @Test func usesFixedBaseURL() async throws {
        #expect(try await url(api) == "https://api.example.com/v1/where")
    }

    @Test func evaluatesBaseURLForEachRequest() async throws {
        let setting = Locked("https://one.example.com")
        let api = Client(transport: stub) { setting.withLock { $0 } }
        let call = api.get("/where")
        #expect(try await call.json()["url"].string == "https://one.example.com/where")
        setting.withLock { $0 = "https://two.example.com/v2" }
        #expect(try await call.json()["url"].string == "https://two.example.com/v2/where")
    }

    @Test func sendsTokenOfProvider() async throws {
        let stub = StubTransport { $0.post("/session", .json(Session(token: "t-1"))) }
        let store = Tokens("stored")
        let api = Client("https://api.example.com", transport: stub, configuration: .init(tokenProvider: store))
        let session: Session = try await api.call(SignIn(user: "ada", password: "open")).authorized().value()
        #expect(session == Session(token: "t-1"))
        let request = try #require(stub.requests.first)
        #expect(request.headers[.authorization] == "Bearer stored")
        #expect(request.text == #"{"password":"open","user":"ada"}"#)
    }

    /// EKNetwork calls a closure for each request. If it returns nil, the request has no token.
    @Test func sendsNoTokenUnlessAuthorized() async throws {
        let api = Client(
            "https://api.example.com/v1",
            transport: stub,
            configuration: .init(tokenProvider: Tokens("t"))
        )
        try await api.send(SignIn(user: "ada", password: "open"))
        #expect(stub.requests.first?.headers[.authorization] == nil)
    }

    @Test func usesCustomSession() async throws {
        let server = try await ScriptedServer.answering { request in
            RawRequest.response("200 OK", "X-Agent: \(request["X-From-Session"] ?? "none")")
        }
        let configuration = URLSessionTransport.defaultConfiguration
        configuration.httpAdditionalHeaders = ["X-From-Session": "mine"]
        let transport = URLSessionTransport(configuration: configuration)
        let response = try await server.client().get("/").transport(transport).send()
        #expect(response.headers[HTTPField.Name("X-Agent")!] == "mine")
        withExtendedLifetime(server) {}
    }

    @Test func logsToCustomLogger() async throws {
        let record = LogRecord()
        let configuration = Client.Configuration(logging: .simple(record.logger))
        let api = Client("https://api.example.com", transport: stub, configuration: configuration)
        _ = try await api.get("/where").header(.authorization, "Bearer t-1").json()
        #expect(record.lines.map(\.message) == ["start", "end"].map { "\($0) GET https://api.example.com/where" })
        #expect(!record.text.contains("t-1"))
    }

    @Test func sendsStreamsOverAnotherTransport() async throws {
        let streams = StubTransport { $0.get("/v1/log", .stream("one\n")) }
        var lines: [String] = []
        for try await line in try await api.get("/log").transport(streams).lines() { lines.append(line) }
        #expect(lines == ["one"])
        #expect(stub.requests.isEmpty)
    }

    @Test func canBeReplacedInTests() async throws {
        /// Takes a client where EKNetwork's example takes a protocol.
        func from(_ api: Client) async throws -> String { try await api.send(ChangeTicket(id: 7, from: "Bern")).from }
        #expect(try await from(api) == "Bern")
        #expect(stub.requests.map(\.path) == ["/v1/tickets/7?notify=true"])
    }

    // MARK: Requests

    @Test func declaresWholeRequestInOneType() async throws {
        #expect(try await api.send(ChangeTicket(id: 7, from: "Bern")) == Ticket(id: 7, from: "Bern"))
        let request = try #require(stub.requests.first)
        #expect(request.method == .put)
        #expect(request.path == "/v1/tickets/7?notify=true")
        #expect(request.headers[HTTPField.Name("X-Device")!] == "d-1")
        #expect(request.headers[.contentType] == "application/vnd.tickets+json")
        #expect(request.text == #"{"from":"Bern"}"#)
    }

    @Test(arguments: ["GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS", "TRACE", "CONNECT"])
    func supportsNineMethods(method: String) async throws {
        try await api.call(method, "/where").send()
        #expect(stub.requests.map(\.method.rawValue) == [method])
    }

    @Test func rejectsPathWithDotSegments() async {
        let error = await #expect(throws: ClientError.self) { try await api.get("/tickets/../admin").send() }
        #expect(error?.code == .invalidURL)
        #expect(stub.requests.isEmpty)
    }

    // MARK: User-Agent

    @Test func formatsUserAgentLikeEKNetwork() async throws {
        let agent = UserAgent(
            name: "Timetable",
            version: "2.1",
            bundle: "com.example.timetable",
            build: "42",
            platform: "iOS",
            platformVersion: "18.1",
            libraryVersion: "3"
        )
        let stub = StubTransport { $0.all { _ in .status(.ok) } }
        let api = Client("https://api.example.com", transport: stub, configuration: .init(userAgent: agent))
        try await api.get("/").send()
        let sent = stub.requests.first?.headers[.userAgent]
        #expect(sent == "Timetable/2.1 (com.example.timetable; build:42; iOS 18.1) Reprise/3")
    }

    @Test func infersMissingUserAgentFields() {
        let agent = UserAgent(name: "Timetable").description
        #expect(agent.hasPrefix("Timetable"))
        #expect(agent.contains(" Reprise/"))
    }
}
