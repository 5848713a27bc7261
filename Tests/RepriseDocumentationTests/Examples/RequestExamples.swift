// SPDX-License-Identifier: Apache-2.0

import Foundation
import Reprise
import Testing

struct PostFilter: Encodable {
    var author: String
    var tagNames: [String] = []
    var before: Date?
    var place: Place?

    struct Place: Encodable { var city: String }
}

struct Receipt: Codable, Sendable {
    var id: String
}

struct Draft: Encodable, Sendable {
    var title: String
}

struct Publish: Endpoint {
    let path: Path = "/posts"
    let method = HTTPRequest.Method.post
    let body: Draft
}

enum Shop {
    enum Orders {
        struct Get: Endpoint {
            typealias Response = Receipt
            var id: String
            var path: Path { "/orders/\(id)" }
        }
    }

    enum Images {
        struct Get: ImageEndpoint {
            typealias Response = BufferedResponse
            var name: String
            var path: Path { "/\(name).png" }
        }
    }
}

protocol ImageEndpoint: Endpoint {}

extension ImageEndpoint {
    var baseURL: String? { "https://images.example.com" }
}

/// The article "Build a request", with a stub.
@Suite struct RequestExamples {
    private let stub = StubTransport {
        $0.get("/orders/7", .json(#"{"id": "7"}"#))
        $0.all { _ in .status(.ok) }
    }
    private var api: Client { Client("https://api.example.com", transport: stub) }

    @Test func addsParametersToQuery() throws {
        let page: Int? = nil
        let found = api.get("/posts").query("author", "Ada").query(["tag": "swift", "tag": "linux", "page": page])
        #expect(try found.request().path == "/posts?author=Ada&tag=swift&tag=linux")
    }

    @Test func escapesValuesInPath() throws {
        let (id, tag) = ("a?admin=1", "c++")
        let call = api.get("/users/\(id)")
        let user = api.get("/users/\(id)")
        let posts = api.get("/users/\(id)/posts?tag=\(tag)")
        #expect(try call.request() == user.request())
        #expect(try user.request().path == "/users/a%3Fadmin%3D1")
        #expect(try posts.request().path == "/users/a%3Fadmin%3D1/posts?tag=c%2B%2B")
    }

    @Test func encodesValueIntoQuery() throws {
        let filter = PostFilter(author: "Ada", tagNames: ["a", "b"], place: .init(city: "Bern"))
        let found = api.get("/posts").query(filter)
        #expect(try found.request().path == "/posts?author=Ada&tagNames=a&tagNames=b&place%5Bcity%5D=Bern")
    }

    @Test func appliesParameterStyle() throws {
        let filter = PostFilter(author: "Ada", tagNames: ["a", "b"])
        let style = ParameterStyle(keys: .snakeCase, arrays: .commas, dates: .seconds)
        let found = api.get("/posts").query(filter, style: style)
        #expect(try found.request().path == "/posts?author=Ada&tag_names=a,b")
    }

    @Test func placesParametersByMethod() async throws {
        let removed = api.delete("/posts").parameters(["before": "2020-01-01"])  // ?before=2020-01-01
        let added = api.post("/posts").parameters(["title": "Atlas", "pages": 96])  // title=Atlas&pages=96
        let changed = api.put("/posts/1").parameters(["pages": 96], as: .json)  // {"pages":96}
        for call in [removed, added, changed] { try await call.send() }
        #expect(stub.requests.map { $0.head.path } == ["/posts?before=2020-01-01", "/posts", "/posts/1"])
        #expect(stub.requests.map(\.text) == ["", "title=Atlas&pages=96", #"{"pages":96}"#])
    }

    @Test func setsHeaderOfClientByText() throws {
        var configuration = Client.Configuration()
        configuration.headers["X-Client"] = "atlas"
        #expect(
            try Client("https://h", configuration: configuration).get("/").request().headerFields["X-Client"] == "atlas"
        )
    }

    @Test func sendsBodyOfEndpoint() async throws {
        try await api.send(Publish(body: Draft(title: "Atlas")))
        #expect(stub.requests.map(\.text) == [#"{"title":"Atlas"}"#])
    }

    @Test func sendsToSeveralHosts() async throws {
        let order = try await api.send(Shop.Orders.Get(id: "7"))
        let cover = try await api.send(Shop.Images.Get(name: "cover")).bytes
        #expect(order.id == "7")
        #expect(cover.isEmpty)
        #expect(stub.requests.map { $0.head.authority } == ["api.example.com", "images.example.com"])
        #expect(stub.requests.map { $0.head.path } == ["/orders/7", "/cover.png"])
    }

    @Test func setsUserAgent() throws {
        var configuration = Client.Configuration()
        configuration.userAgent = UserAgent(name: "Atlas", version: "2.1")
        let api = Client("https://api.example.com", configuration: configuration)
        #expect(try api.get("/").request().headerFields[.userAgent]?.hasPrefix("Atlas/2.1 (") == true)
    }
}
