// SPDX-License-Identifier: Apache-2.0

import Foundation
import Reprise
import Testing

/// The article "Decode a response", with a stub.
@Suite struct ResponseExamples {
    private struct Book: Codable {
        var title: String
    }

    private struct User: Codable {
        var name: String
    }

    private struct Order: Codable {
        var id = 1
    }

    private let api = Client(
        "https://api.example.com",
        transport: StubTransport {
            $0.get("/books/42", .json(#"{"title": "Emma"}"#))
            $0.head("/books/42", .status(.ok))
            $0.get("/me", .json(#"{"code": 0, "data": {"name": "Ada", "user": {"name": "Ada"}}}"#))
            $0.get("/vault", .text("terces"))
            $0.post("/orders", .json(#"{"title": "sold out"}"#, status: .conflict))
        }
    )

    @Test func returnsValueJSONOrStatus() async throws {
        let book: Book = try await api.get("/books/42").value()
        let title = try await api.get("/books/42").json()["title"].string
        let status = try await api.head("/books/42").send().status
        #expect(book.title == title)
        #expect(status == .ok)
    }

    @Test func readsNestedJSON() async throws {
        let api = Client(
            "https://api.example.com",
            transport: StubTransport {
                $0.get("/users", .json(#"{"users": [{"name": "Ada"}]}"#))
                $0.get("/me", .json(#"{"user": {"name": "Ada"}, "data": {"user": {"name": "Ada"}}}"#))
            }
        )
        do {
            let json = try await api.get("/users").json()
            let name = json["users"][0]["name"].string ?? "nobody"
            #expect(name == "Ada")
        }
        do {
            let name = try await api.get("/me").json()["user"]["name"].string
            #expect(name == "Ada")
        }
        do {
            let user: User? = try await api.get("/me").value(at: "/data/user")
            #expect(user?.name == "Ada")
        }
    }

    @Test func readsSeveralPathsAtOnce() async throws {
        do {
            let (name, age) = try await api.get("/me").values(
                .required("/data/user/name", as: String.self),
                .optional("/data/user/age", as: Int.self)
            )
            #expect(name == "Ada")
            #expect(age == nil)
        }
        let api = Client(
            "https://api.example.com",
            transport: StubTransport { $0.get("/me", .json(#"{"data": {"user": {"name": "Ada", "age": 36}}}"#)) }
        )
        let (name, age) = try await api.get("/me").values(
            .optional("/data/user/name", as: String.self),
            .required("/data/user/age", as: Int.self)
        )
        #expect(name == "Ada")
        #expect(age == 36)
    }

    struct Address: Decodable {
        let city: String
        let latitude: Double

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: JSONKey.self)
            city = try container.decode(at: "address/city")
            latitude = try container.decode(at: "address/geo/lat", default: 0)
        }
    }

    struct Place: Decodable {
        let name: String
        let latitude: Double

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: JSONKey.self)
            name = try container.decode(String.self, at: "name")
            latitude = try container.decode(Double.self, at: "address/geo/lat", default: 0)
        }
    }

    @Test func decodesNestedProperties() throws {
        let data = Data(#"{"name": "home", "address": {"city": "Basel"}}"#.utf8)
        #expect(try JSONDecoder().decode(Address.self, from: data).city == "Basel")
        #expect(try JSONDecoder().decode(Place.self, from: data).latitude == 0)
    }

    struct BaseResponse: Envelope {
        let code: BusinessCode
        let message: String?
        let requestID: String?

        enum CodingKeys: String, CodingKey {
            case code, message
            case requestID = "request_id"
        }
    }

    @Test func unwrapsEnvelope() async throws {
        do {
            let user: User = try await api.get("/me").value(in: BaseResponse.self)
            #expect(user.name == "Ada")
        }
        let user = try await api.get("/me").value(in: BaseResponse.self, as: User.self)
        #expect(user.name == "Ada")
    }

    struct Problem: Error, Decodable { let title: String }

    @Test func throwsServerError() async throws {
        let api = api
        let order = Order()
        var shown = ""
        func show(_ text: String) { shown = text }
        do {
            try await api.post("/orders").json(order).serverError(Problem.self).send()
        } catch let problem as Problem {
            show(problem.title)
        }
        #expect(shown == "sold out")
    }

    @Test func configuresServerErrorForClient() {
        let api = Client("https://api.example.com", configuration: .init(serverError: .decoding(Problem.self)))
        #expect(api.configuration.serverError != nil)
    }

    @Test func configuresErrorEnvelopeForClient() {
        let api = Client("https://api.example.com", configuration: .init(serverError: .envelope(BaseResponse.self)))
        #expect(api.configuration.serverError != nil)
    }

    struct PhotoPage: Decodable {
        var photos: [String]
        var cursor: String?
    }

    @Test func iteratesPages() async throws {
        let api = Client(
            "https://api.example.com",
            transport: StubTransport {
                $0.get("/photos?size=50", .json(#"{"photos": ["a"], "cursor": "x"}"#))
                $0.get("/photos?size=50&after=x", .json(#"{"photos": ["b"]}"#))
            }
        )
        var shown: [String] = []
        func show(_ photos: [String]) { shown += photos }
        let list = api.get("/photos").query("size", 50)
        let pages = list.pages { call in
            let page: PhotoPage = try await call.value()
            return (page.photos, next: page.cursor.map { list.query("after", $0) })
        }
        for try await photos in pages { show(photos) }
        #expect(shown == ["a", "b"])
    }

    struct Photo: Decodable, Equatable {
        var id: Int
    }

    struct OrderPage: Decodable {
        var orders: [Int]
        var next: String?
    }

    private let lists = StubTransport {
        $0.get("/photos", .json(#"[{"id": 1}]"#).header("Link", "<?page=2>; rel=\"next\""))
        $0.get("/photos?page=2", .json(#"[{"id": 2}]"#))
        $0.get("/orders", .json(#"{"orders": [1], "next": "/orders?page=2"}"#))
        $0.get("/orders?page=2", .json(#"{"orders": [2]}"#))
    }

    @Test func followsLinkFields() async throws {
        let api = Client("https://api.example.com", transport: lists)
        var shown: [Int] = []
        func show(_ photo: Photo) { shown.append(photo.id) }
        for try await photo in api.get("/photos").pages(of: [Photo].self).elements { show(photo) }
        let pages = api.get("/photos").pages { call in
            let response = try await call.send()
            return (try response.decode(as: [Photo].self), next: call.following(response))
        }
        for try await photo in pages.elements { show(photo) }
        #expect(shown == [1, 2, 1, 2])
    }

    @Test func followsLinksInContent() async throws {
        let api = Client("https://api.example.com", transport: lists)
        let pages = api.get("/orders").pages { call in
            let page: OrderPage = try await call.value()
            return (page.orders, next: page.next.map { call.following($0) })
        }
        var shown: [[Int]] = []
        for try await orders in pages { shown.append(orders) }
        #expect(shown == [[1], [2]])
    }

    @Test func transformsResponse() async throws {
        typealias Secret = String
        @Sendable func decrypt(_ bytes: [UInt8]) throws -> [UInt8] {
            bytes.reversed()
        }
        let secret: Secret = try await api.get("/vault").transform { response in
            var response = response
            response.bytes = try decrypt(response.bytes)
            return response
        }.value()
        #expect(secret == "secret")
    }

    struct Touch: Endpoint {
        typealias Response = StatusResponse
        let path: Path = "/touch"
        let method = HTTPRequest.Method.put
    }

    struct Receipt: Decodable {
        var id: String
    }

    @Test func createsValueFromEmptyResponse() async throws {
        let order = Order()
        func receipt(_ api: Client) async throws -> Receipt {
            let receipt = try await api.post("/orders").json(order).value(as: Receipt.self) { response in
                Receipt(id: response.headers[.location] ?? "")
            }
            return receipt
        }
        let stub = StubTransport { $0.post("/orders", .status(.created)) }
        #expect(try await receipt(Client("https://api.example.com", transport: stub)).id == "")
        #expect(Touch().method == .put)
    }
}
