// SPDX-License-Identifier: Apache-2.0

import Foundation
import Reprise
import RepriseTesting
import Testing
import XCTest

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Test(.cassette("books"))
func loadsABook() async throws {
    let book: Book = try await Client("https://api.example.com/v1").get("/books/42").value()
    #expect(book.title == "The Lighthouse Atlas")
}

@Test(.cassette("books"))
func loadsInADetachedTask() async throws {
    let cassette = try #require(TestCassette.current)
    let api = Client("https://api.example.com/v1", transport: cassette.transport)
    let book: Book = try await Task.detached { try await api.get("/books/42").value() }.value
    #expect(book.title == "The Lighthouse Atlas")
}

@Test(.cassette("books", matching: [.method, .path, .query(ignoring: ["session"]), .body(ignoring: ["/requestId"])]))
func ignoresTheSession() async throws {
    let api = Client("https://api.example.com/v1")
    let book: Book = try await api.get("/books/42").query("session", UUID().uuidString).value()
    #expect(book.title == "The Lighthouse Atlas")
}

@Test(arguments: ["42", "43"])
func loadsEachBook(id: String) async throws {
    try await withCassette("book-\(id)") { _ in
        let book: Book = try await Client("https://api.example.com/v1").get("/books/\(id)").value()
        #expect(book.id == "b-\(id)")
    }
}

@Suite(.cassette(matching: [.method, .path]))
struct BookTests {
    private let api = Client("https://api.example.com/v1")

    @Test func loads() async throws {
        let book: Book = try await api.get("/books/42").query("session", UUID().uuidString).value()
        #expect(book.title == "The Lighthouse Atlas")
    }
}

final class BookXCTests: XCTestCase {
    func testLoads() async throws {
        try await withCassette { _ in
            let book: Book = try await Client("https://api.example.com/v1").get("/books/42").value()
            XCTAssertEqual(book.title, "The Lighthouse Atlas")
        }
    }
}

private struct Profile: Decodable {
    let name: String
}

@Test func showsName() async throws {
    try await withMockServer(stubs: [StubMapping(.get("/profile"), .json(["name": "Ada"]))]) { server in
        let profile: Profile = try await Client("\(server.url)").get("/profile").value()
        #expect(profile.name == "Ada")
        await server.verify(.get("/profile"), .exactly(1))
    }
}

@Suite struct TestingExamples {
    @Test func sendsRequestToServer() async throws {
        try await withMockServer("books.cassette.json") { server in
            let api = Client("\(server.url)/v1")
            let book: Book = try await api.get("/books/42").value()
            #expect(book.title == "The Lighthouse Atlas")
            let journal = await server.journal
            #expect(journal.entries.map(\.status) == [200])
        }
    }

    @Test func recordsCodeWithURLSession() async throws {
        try await withMockServer(recording: "https://api.example.com", to: "books") { server in
            let url = server.url.appending(path: "v1/books/42")
            let (data, _) = try await URLSession.shared.data(from: url)
            let book = try JSONDecoder().decode(Book.self, from: data)
            #expect(book.title == "The Lighthouse Atlas")
        }
    }

    @Test func answersAllRequests() async throws {
        try await withMockServer(stubs: [StubMapping(.get("/profile"), .json(["name": "Ada"]))]) { server in
            let profile: Profile = try await Client("\(server.url)").get("/profile").value()
            #expect(profile.name == "Ada")
            #expect(try await server.unansweredRequests().isEmpty)
        }
    }

    #if os(Linux)
        @Test func connectsOverTLS() async throws {
            var configuration = MockServer.Configuration()
            configuration.tls = .localAuthority()
            try await withMockServer("books.cassette.json", configuration: configuration) { server in
                let authority = try #require(server.certificateAuthority)
                let live = SocketTransport(.init(trust: .certificates(authority)))
                let book: Book = try await Client("\(server.url)/v1", live: live).get("/books/42").value()
                #expect(book.title == "The Lighthouse Atlas")
            }
        }
    #endif

    @Test func retriesWithoutWaiting() async throws {
        let stub = StubTransport { $0.get("/report", .status(503), .status(503), .text("ready")) }
        let api = Client("https://api.example.com", transport: stub)
        let start = ContinuousClock.now
        try await Ambient.$clock.withValue(VirtualClock()) {
            let text = try await api.get("/report").retry(.fixed(attempts: 3, delay: .seconds(60))).send().text
            #expect(text == "ready")
        }
        #expect(start.duration(to: .now) < .seconds(60))
    }

    @Test func wrapsRequestsInCassette() async throws {
        try await withCassette("books") { _ in
            let book: Book = try await Client("https://api.example.com/v1").get("/books/42").value()
            #expect(book.title == "The Lighthouse Atlas")
        }
    }

    @Suite(.cassette(mode: .record(.once)))
    struct LibraryTests {
        @Test func lends() async throws {
            let book: Book = try await Client("https://api.example.com/v1").get("/books/43").value()
            #expect(book.title == "Tides and Timetables")
        }
    }
}
