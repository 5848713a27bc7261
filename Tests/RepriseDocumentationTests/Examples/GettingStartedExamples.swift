// SPDX-License-Identifier: Apache-2.0

import Reprise
import Testing

struct Book: Codable, Sendable {
    var id: String
    var title: String
}

struct GetBook: Endpoint {
    typealias Response = Book

    var id: String
    var path: Path { "/books/\(id)" }
}

/// The article "Send your first request", with a stub.
@Suite struct GettingStartedExamples {
    static let stub = StubTransport {
        $0.get("/v1/books/42", .json(#"{"id": "b-42", "title": "The Lighthouse Atlas"}"#))
        $0.get("/v1/books/42/cover", .bytes([1, 2, 3]))
        $0.get("/v1/books/unknown", .json(#"{"error": "no such book"}"#, status: .notFound))
        $0.get("/v1/books", .json("[]"))
        $0.post("/v1/books") { request in .bytes(request.body, status: .created) }
    }
    private let api = Client("https://api.example.com/v1", transport: stub)

    @Test func createsClient() async throws {
        var configuration = Client.Configuration()
        configuration.headers[.accept] = "application/json"
        configuration.timeout = .seconds(10)
        let api = Client("https://api.example.com/v1", configuration: configuration)
        #expect(try api.get("/books").request().headerFields[.accept] == "application/json")
    }

    @Test func decodesBook() async throws {
        try await Ambient.$transport.withValue(Self.stub) {
            let api = Client("https://api.example.com/v1")

            let book: Book = try await api.get("/books/42")
                .query("include", "author")
                .header(.accept, "application/json")
                .value()
            #expect(book.id == "b-42")
        }
    }

    @Test func decodesValueAndReadsEvents() async throws {
        var stub = StubTransport.Routes()
        stub.get("/v1/books/42", .json(#"{"id": "b-42", "title": "The Lighthouse Atlas"}"#))
        stub.post("/v1/chat", .events("data: He\n\n"))
        try await Ambient.$transport.withValue(StubTransport(stub)) {
            let api = Client("https://api.example.com/v1")

            let book: Book = try await api.get("/books/42").value()

            for try await event in try await api.post("/chat").json(Prompt(text: "hi")).events() {
                print(event.name, event.data)
            }
            #expect(book.id == "b-42")
        }
    }

    @Test func sendsRequests() async throws {
        let book: Book = try await api.get("/books/42").value()

        let added = try await api.post("/books")
            .json(Book(id: "b-7", title: "Tides and Timetables"))
            .value(as: Book.self)

        let found = try await api.get("/books")
            .query("genre", "travel")
            .query("page", 2)
            .value(as: [Book].self)

        let response = try await api.get("/books/42/cover").accept("image/png").send()
        print(response.status, response.headers[.contentType] ?? "", response.bytes.count)
        #expect([book.id, added.id] == ["b-42", "b-7"])
        #expect(found.isEmpty)
        #expect(response.bytes == [1, 2, 3])
    }

    @Test func acceptsAnyStatus() async throws {
        let response = try await api.get("/books/unknown").validate(.none).send()
        if response.status == .notFound { print("no such book") }
        #expect(response.status == .notFound)
    }

    @Test func sendsEndpoint() async throws {
        let book = try await api.send(GetBook(id: "42"))
        #expect(book.title == "The Lighthouse Atlas")
    }

    @Test func inspectsRequestBeforeSending() throws {
        print(try api.get("/books").query("genre", "travel").request())
    }

    @Test func testsWithoutNetwork() async throws {
        let stub = StubTransport {
            $0.get("/v1/books/42", .json(#"{"id": "b-42", "title": "The Lighthouse Atlas"}"#))
        }
        let api = Client("https://api.example.com/v1", transport: stub)
        let book: Book = try await api.get("/books/42").value()
        #expect(book.title == "The Lighthouse Atlas")
        #expect(stub.requests.map(\.head.path) == ["/v1/books/42"])
    }
}
