// SPDX-License-Identifier: Apache-2.0

import Foundation
import RepriseLocking
import RepriseTestSupport
import Testing

@testable import Reprise

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The examples of Nexa's documentation, written with Reprise: builders, endpoints, and stubs. The configuration,
/// tokens, and retries are in other files.
@Suite struct NexaParityTests {
    struct Reader: Codable, Equatable {
        var id: Int
        var name: String
    }

    struct NewReader: Encodable {
        var name: String
    }

    /// The documentation's endpoint: a path, a method, the response type, and the modifiers of the call.
    struct GetReader: Endpoint {
        typealias Response = Reader
        let id: Int
        var method: HTTPRequest.Method { .get }
        var path: Path { "/readers/\(id)" }

        func configure(_ call: Call) -> Call {
            call.query("include", "loans").accept("application/json")
        }
    }

    struct AddReader: Endpoint {
        typealias Response = Reader
        let name: String
        var method: HTTPRequest.Method { .post }
        var path: Path { "/readers" }

        func configure(_ call: Call) -> Call { call.json(NewReader(name: name)) }
    }

    static let ada = #"{"id": 42, "name": "Ada"}"#

    let stub = StubTransport {
        $0.get("/readers/{id}", .json(NexaParityTests.ada))
        $0.get("/readers", .json("[\(NexaParityTests.ada)]").header("X-Total", "1"))
        $0.post("/readers", .json(NexaParityTests.ada, status: .created))
        $0.all { _ in .json(NexaParityTests.ada) }
    }
    var api: Client { Client("https://api.example.com", transport: stub) }

    // MARK: Builders

    @Test func decodesExplicitOrInferredType() async throws {
        let named = try await api.get("/readers/42").value(as: Reader.self)
        let inferred: Reader = try await api.get("/readers/42").value()
        #expect(named == Reader(id: 42, name: "Ada"))
        #expect(inferred == named)
        #expect(stub.requests.map(\.method) == [.get, .get])
        #expect(stub.requests.map(\.url) == Array(repeating: "https://api.example.com/readers/42", count: 2))
    }

    @Test func returnsStatusHeadersAndBytesWithoutDecoding() async throws {
        let response = try await api.get("/readers").send()
        #expect(response.status == .ok)
        #expect(response.headers[HTTPField.Name("X-Total")!] == "1")
        #expect(response.data == Data("[\(Self.ada)]".utf8))
    }

    @Test func validatesStatusOfRawResponse() async {
        let stub = StubTransport { $0.get("/readers", .text("no", status: .forbidden)) }
        let error = await #expect(throws: ClientError.self) {
            try await Client("https://api.example.com", transport: stub).get("/readers").send()
        }
        #expect(error?.code == .status)
        #expect(error?.response?.text == "no")
    }

    @Test func inspectsURLRequestWithoutSending() throws {
        let trace = UUID().uuidString
        let request = try api.post("/readers").header("X-Trace-Id", trace).json(NewReader(name: "Ada")).urlRequest()
        #expect(request.url?.absoluteString == "https://api.example.com/readers")
        #expect(request.httpMethod == "POST")
        #expect(request.value(forHTTPHeaderField: "X-Trace-Id") == trace)
        #expect(request.httpBody == Data(#"{"name":"Ada"}"#.utf8))
        #expect(stub.requests.isEmpty)
    }

    @Test func sendsQueryAndAccept() async throws {
        let reader = try await api.get("/readers/me").query("include", "loans").accept("application/json")
            .value(as: Reader.self)
        #expect(reader.id == 42)
        let request = try #require(stub.requests.first)
        #expect(request.path == "/readers/me?include=loans")
        #expect(request.headers == [.accept: "application/json"])
    }

    @Test func sendsHeaderAndJSON() async throws {
        let received = Locked<RawRequest?>(nil)
        let server = try await ScriptedServer.answering { request in
            received.withLock { $0 = request }
            return RawRequest.response("201 Created", "Content-Type: application/json", body: Self.ada)
        }
        let added = try await server.client().post("/readers").header("X-Trace-Id", "t-1").json(NewReader(name: "Ada"))
            .value(as: Reader.self)
        #expect(added == Reader(id: 42, name: "Ada"))
        let request = try #require(received.withLock { $0 })
        #expect(request.line == "POST /readers HTTP/1.1")
        #expect(request["X-Trace-Id"] == "t-1")
        #expect(request["Content-Type"] == "application/json")
        #expect(request["Content-Length"] == "14")
        #expect(request.text == #"{"name":"Ada"}"#)
        withExtendedLifetime(server) {}
    }

    private static let builders: [(HTTPRequest.Method, @Sendable (Client) -> Call)] = [
        (.get, { $0.get("/a") }), (.post, { $0.post("/a") }), (.put, { $0.put("/a") }), (.patch, { $0.patch("/a") }),
        (.delete, { $0.delete("/a") }),
    ]

    @Test(arguments: builders)
    func providesBuilderForEachMethod(method: HTTPRequest.Method, call: @Sendable (Client) -> Call) async throws {
        try await call(api).send()
        #expect(stub.requests.map(\.method) == [method])
    }

    @Test func composesCallsAsValues() async throws {
        let base = api.get("/readers").query("page", 1)
        let sorted = base.query("sort", "name")
        try await base.send()
        try await sorted.send()
        #expect(stub.requests.map(\.path) == ["/readers?page=1", "/readers?page=1&sort=name"])
    }

    @Test func sendsRawBytesWithTypeAndTimeout() async throws {
        let call = api.put("/readers/42/photo").body(Data([1, 2]), contentType: "image/png").timeout(.seconds(7))
        try await call.send()
        let request = try #require(stub.requests.first)
        #expect(request.body == [1, 2])
        #expect(request.headers[.contentType] == "image/png")
        #expect(request.options.timeout == .seconds(7))
        #expect(try call.urlRequest().timeoutInterval == 7)
    }

    // MARK: Endpoints

    @Test func sendsEndpointWithResponseType() async throws {
        let reader = try await api.send(GetReader(id: 42))
        #expect(reader == Reader(id: 42, name: "Ada"))
        let request = try #require(stub.requests.first)
        #expect(request.method == .get)
        #expect(request.path == "/readers/42?include=loans")
        #expect(request.headers[.accept] == "application/json")
    }

    @Test func sendsEndpointWithMethodAndBody() async throws {
        #expect(try await api.send(AddReader(name: "Ada")).id == 42)
        let request = try #require(stub.requests.first)
        #expect(request.method == .post)
        #expect(request.text == #"{"name":"Ada"}"#)
    }

    @Test func endpointProvidesCallToExtend() async throws {
        let call = api.call(GetReader(id: 7)).query("page", 2).header("X-Trace-Id", "t-2")
        #expect(try await call.value(as: Reader.self).name == "Ada")
        #expect(stub.requests.first?.path == "/readers/7?include=loans&page=2")
        #expect(try call.request().headerFields[HTTPField.Name("X-Trace-Id")!] == "t-2")
    }

    // MARK: Stubs

    /// The documentation's approach: a custom transport that answers everything.
    private struct OneReader: Transport {
        func send(
            _ request: HTTPRequest,
            body: Body?,
            options: RequestOptions
        ) async throws(TransportError) -> Response {
            #expect(request.path == "/readers/1")
            return Response(HTTPResponse(status: .ok), body: #"{"id": 1, "name": "Grace"}"#)
        }
    }

    @Test func canBeTestedWithCustomTransport() async throws {
        let api = Client("https://example.com", transport: OneReader())
        #expect(try await api.get("/readers/1").value(as: Reader.self) == Reader(id: 1, name: "Grace"))
    }

    @Test func canBeTestedWithStub() async throws {
        let stub = StubTransport { $0.get("/readers/1", .json(Reader(id: 1, name: "Grace"))) }
        let api = Client("https://example.com", transport: stub)
        #expect(try await api.get("/readers/1").value(as: Reader.self) == Reader(id: 1, name: "Grace"))
        #expect(stub.requests.map(\.url) == ["https://example.com/readers/1"])
    }
}
