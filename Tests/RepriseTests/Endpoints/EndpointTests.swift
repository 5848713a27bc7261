// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import Reprise

private struct User: Codable, Equatable {
    var name: String
}

/// Only the path is required.
private struct GetUser: Endpoint {
    typealias Response = User
    let id: String
    var path: Path { "/users/\(id)" }
}

private struct Ping: Endpoint {
    var path: Path { "/ping" }
}

private struct Search: Endpoint {
    typealias Response = [User]
    var text: String
    var path: Path { "/search" }
    var method: HTTPRequest.Method { .post }

    func configure(_ call: Call) -> Call {
        call.query("q", text).header(.accept, "application/json").timeout(.seconds(5)).json(["limit": 3])
    }
}

private enum UserAPI: Endpoint {
    case list
    case user(Int)
    case rename(Int, to: String)

    var path: Path {
        switch self {
        case .list: "/users"
        case .user(let id), .rename(let id, _): "/users/\(id)"
        }
    }

    var method: HTTPRequest.Method {
        switch self {
        case .list, .user: .get
        case .rename: .put
        }
    }

    func configure(_ call: Call) -> Call {
        switch self {
        case .list, .user: call
        case .rename(_, let name): call.json(User(name: name))
        }
    }
}

/// For several hosts: an enum groups the endpoints of each API.
private enum FilesAPI {
    struct Download: Endpoint {
        typealias Response = BufferedResponse
        var path: Path { "/download" }
        var baseURL: String? { "https://files.example.com/v2" }
    }

    struct Head: Endpoint {
        typealias Response = Void
        var path: Path { "/head" }
        var method: HTTPRequest.Method { .head }
    }

    struct Length: Endpoint {
        typealias Response = Int
        var path: Path { "/length" }

        static func decode(_ response: BufferedResponse) throws -> Int { response.bytes.count }
    }
}

/// A base class whose subclasses can add parameters.
private class PagedRequest: Endpoint {
    typealias Response = [User]
    var path: Path { "/users" }
    var page = 1

    func configure(_ call: Call) -> Call {
        call.query("page", page)
    }
}

private class FilteredRequest: PagedRequest {
    override var path: Path { "/users/filtered" }

    override func configure(_ call: Call) -> Call {
        super.configure(call).query("filter", "active")
    }
}

private class DeviceRequest: Endpoint {
    var path: Path { "/devices" }
    var method: HTTPRequest.Method { .post }

    func configure(_ call: Call) -> Call {
        call.parameters(["app": "Atlas"], as: .json)
    }
}

private class SignInRequest: DeviceRequest {
    override func configure(_ call: Call) -> Call {
        super.configure(call).parameters(["user": "ada"], as: .json)
    }
}

private struct Publish<Content: Sendable>: Endpoint {
    let path: Path = "/posts"
    let method = HTTPRequest.Method.post
    let body: Content
}

private struct Fetch<Fields: Sendable>: Endpoint {
    let path: Path = "/posts"
    let headers: Fields
}

private struct Elsewhere<Place: Sendable>: Endpoint {
    let path: Path = "/posts"
    let baseURL: Place
}

private struct Failing: Endpoint {
    struct Unreadable: Error {}

    let path: Path = "/posts"
    var body: String { get throws { throw Unreadable() } }
}

@Suite struct EndpointTests {
    private let transport = ClosureTransport { request, _, _ throws(TransportError) in
        let isOne = request.path?.hasPrefix("/users/4") == true
        return Response(HTTPResponse(status: .ok), body: isOne ? #"{"name":"Ada"}"# : #"[{"name":"Ada"}]"#)
    }
    private var api: Client { Client("https://api.example.com", transport: transport) }

    @Test func decodesDeclaredResponseType() async throws {
        let user = try await api.send(GetUser(id: "42"))
        #expect(user == User(name: "Ada"))
    }

    @Test func requiresOnlyPath() async throws {
        #expect(try await api.send(Ping()) == EmptyResponse())
        #expect(transport.requests.map(\.method) == [.get])
        #expect(transport.requests.map(\.path) == ["/ping"])
    }

    @Test func configuresCallWithAnyModifier() async throws {
        #expect(try await api.send(Search(text: "a b")) == [User(name: "Ada")])
        let request = try #require(transport.requests.first)
        #expect(request.method == .post)
        #expect(request.path == "/search?q=a%20b")
        #expect(request.headerFields == [.accept: "application/json", .contentType: "application/json"])
        #expect(transport.options.first?.timeout == .seconds(5))
    }

    private func sent(_ endpoint: some Endpoint) async throws -> (request: HTTPRequest, content: String?) {
        try await api.call(endpoint).send()
        let content = try await transport.bodies.last??.collect()
        return (try #require(transport.requests.last), content.map { String(decoding: $0, as: UTF8.self) })
    }

    @Test func sendsBodyProperty() async throws {
        let ada = User(name: "Ada")
        let json = try await sent(Publish(body: ada))
        #expect(json.content == #"{"name":"Ada"}"#)
        #expect(json.request.headerFields[.contentType] == "application/json")
        #expect(try await sent(Publish(body: Optional(ada))).content == #"{"name":"Ada"}"#)
        #expect(try await sent(Publish<any Encodable & Sendable>(body: ada)).content == #"{"name":"Ada"}"#)
        #expect(try await sent(Publish(body: ["a": 1])).content == #"{"a":1}"#)
        let text = try await sent(Publish(body: "plain"))
        #expect(text.content == "plain")
        #expect(text.request.headerFields[.contentType] == nil)
        #expect(try await sent(Publish(body: Data("data".utf8))).content == "data")
        #expect(try await sent(Publish(body: Array("bytes".utf8))).content == "bytes")
        #expect(try await sent(Publish(body: Body("body"))).content == "body")
        #expect(try await sent(Publish<User?>(body: nil)).content == nil)
    }

    @Test func sendsHeadersProperty() async throws {
        let agent = HTTPField.Name("X-Agent")!
        #expect(try await sent(Fetch(headers: ["X-Agent": "a"])).request.headerFields == [agent: "a"])
        #expect(try await sent(Fetch(headers: ["X-Agent": "a", "X-B": nil])).request.headerFields == [agent: "a"])
        #expect(try await sent(Fetch(headers: [agent: "a"])).request.headerFields == [agent: "a"])
        #expect(try await sent(Fetch(headers: [agent: "a"] as HTTPFields)).request.headerFields == [agent: "a"])
        #expect(try await sent(Fetch<[String: String]?>(headers: nil)).request.headerFields == [:])
    }

    @Test func acceptsURLAsBase() async throws {
        let url = try #require(URL(string: "https://other.example.com/v2"))
        for call in [api.call(Elsewhere(baseURL: url)), api.call(Elsewhere<URL?>(baseURL: url))] {
            #expect(try call.request().authority == "other.example.com")
            #expect(try call.request().path == "/v2/posts")
        }
        #expect(try api.call(Elsewhere(baseURL: "https://other.example.com")).request().path == "/posts")
        #expect(try api.call(Elsewhere<URL?>(baseURL: nil)).request().authority == "api.example.com")
    }

    @Test func rejectsPropertiesOfUnexpectedTypes() async throws {
        struct Opaque: Sendable {}
        let problems = [
            (api.call(Publish(body: Opaque())), "body to be Encodable, Body, String, Data, or [UInt8], found Opaque"),
            (api.call(Fetch(headers: 3)), "headers to be HTTPFields or [String: String], found Int"),
            (api.call(Elsewhere(baseURL: 3)), "baseURL to be a String or URL, found Int"),
        ]
        for (call, message) in problems {
            let error = await #expect(throws: ClientError.self) { try await call.send() }
            #expect(error?.message.contains(message) == true)
        }
        await #expect(throws: Failing.Unreadable.self) { try await api.send(Failing()) }
        #expect(transport.requests.isEmpty)
    }

    @Test func returnsExtensibleCall() async throws {
        let call = api.call(Search(text: "a")).query("page", 2).accept("text/plain").timeout(nil)
        #expect(try await call.value(as: [User].self) == [User(name: "Ada")])
        #expect(transport.requests.first?.path == "/search?q=a&page=2")
        #expect(transport.requests.first?.headerFields[.accept] == "text/plain")
        #expect(transport.options.first?.timeout == .some(nil))
    }

    @Test func overridesClientAndYieldsToCall() throws {
        var api = api
        api.configuration.headers = [.accept: "client", .userAgent: "client"]
        let call = api.call(Search(text: "a"))
        #expect(try call.request().headerFields[.accept] == "application/json")
        #expect(try call.request().headerFields[.userAgent] == "client")
        #expect(try call.accept("call").request().headerFields[.accept] == "call")
    }

    @Test func supportsEnumWithResponseTypePerCall() async throws {
        #expect(try await api.send(UserAPI.list, as: [User].self) == [User(name: "Ada")])
        #expect(try await api.send(UserAPI.user(42), as: User.self) == User(name: "Ada"))
        #expect(try await api.send(UserAPI.rename(42, to: "Bob"), as: User.self) == User(name: "Ada"))
        try await api.send(UserAPI.list)
        #expect(transport.requests.map(\.method) == [.get, .get, .put, .get])
        #expect(try await transport.bodies[2]?.collect() == Array(#"{"name":"Bob"}"#.utf8))
    }

    @Test func supportsSubclassesThatAddParameters() async throws {
        let request = FilteredRequest()
        request.page = 3
        #expect(try await api.send(request) == [User(name: "Ada")])
        #expect(transport.requests.first?.path == "/users/filtered?page=3&filter=active")
        try await api.send(SignInRequest())
        #expect(try await transport.bodies.last??.collect() == Array(#"{"app":"Atlas","user":"ada"}"#.utf8))
    }

    @Test @MainActor func sendsNonSendableEndpointFromActor() async throws {
        let request = PagedRequest()
        #expect(try await api.send(request) == [User(name: "Ada")])
        request.page = 2
        #expect(try await api.send(request) == [User(name: "Ada")])
        #expect(transport.requests.map(\.path) == ["/users?page=1", "/users?page=2"])
    }

    @Test func usesOwnBaseURL() async throws {
        let response = try await api.send(FilesAPI.Download())
        #expect(response.status == .ok)
        #expect(transport.requests.first?.urlText == "https://files.example.com/v2/download")
    }

    @Test func withholdsClientsCredentialsFromOtherHosts() throws {
        var api = api
        api.configuration.headers[.authorization] = "secret"
        #expect(try api.call(FilesAPI.Download()).request().headerFields.isEmpty)
        #expect(try api.call(Ping()).request().headerFields == [.authorization: "secret"])
    }

    @Test func usesCustomDecoding() async throws {
        #expect(try await api.send(FilesAPI.Length()) == 16)
        try await api.send(FilesAPI.Head())
    }

    @Test func rejectsUnsafePathBeforeSending() async {
        let error = await #expect(throws: ClientError.self) { try await api.send(GetUser(id: "../admin")) }
        #expect(error?.code == .invalidURL)
        #expect(transport.requests.isEmpty)
    }
}
