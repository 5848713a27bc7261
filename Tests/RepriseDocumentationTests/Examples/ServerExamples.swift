// SPDX-License-Identifier: Apache-2.0

import Foundation
import RepriseServer
import RepriseStubs
import RepriseTesting
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A client like one in an app.
struct Bookshop {
    var baseURL: URL

    struct Book: Decodable {
        var title: String
    }

    private struct Page: Decodable {
        var books: [Book]
    }

    func firstBook() async throws -> Book {
        let url = baseURL.appending(path: "v1/books").appending(queryItems: [
            URLQueryItem(name: "genre", value: "travel"), URLQueryItem(name: "page", value: "1"),
        ])
        let (data, _) = try await URLSession.shared.data(from: url)
        return try #require(try JSONDecoder().decode(Page.self, from: data).books.first)
    }
}

/// The articles about the server.
@Suite struct ServerExamples {
    /// The fixtures are found if the working directory is the repository's, as it is for `swift test`.
    @Suite(.enabled(if: FileManager.default.fileExists(atPath: "Fixtures/bookshop.cassette.json")))
    struct FirstPage {
        @Test func showsTheFirstBook() async throws {
            let server = try await MockServer.start(fixtures: URL(filePath: "Fixtures"))
            let shop = Bookshop(baseURL: server.url)
            #expect(try await shop.firstBook().title == "The Lighthouse Atlas")
            #expect(await server.journal.entries.map(\.target) == ["/v1/books?genre=travel&page=1"])
            await server.stop()
        }
    }

    /// Only compiled, because there is nothing to serve.
    func ignoresPartsThatChange() -> MockServer.Configuration {
        var configuration = MockServer.Configuration()
        configuration.matching = .standard + [.query(ignoring: ["timestamp"]), .body(ignoring: ["/requestId"])]
        return configuration
    }

    /// Only compiled, not run, because there is no such server.
    func recordsStaging() async throws {
        let recorder = try CassetteRecorder("Fixtures/staging.cassette.json")
        var configuration = MockServer.Configuration()
        configuration.upstream = try MockServer.Upstream("https://staging.example.com", recorder: recorder)
        let server = try await MockServer.start(fixtures: [], configuration: configuration)
        // … send requests to server.url
        await server.stop()
        let summary = try recorder.finish()
        print("recorded \(summary.exchanges) exchanges")
    }

    /// Only compiled, because there is nothing to serve.
    func inspectsWebhooks() async throws {
        let server = try await MockServer.start(fixtures: URL(filePath: "Mocks"))
        // … send requests to server.url
        let webhook = try #require(await server.webhooks.first)
        #expect(webhook.status == 200)
        #expect(webhook.text?.contains("Lighthouse") == true)
    }

    @Test func isProxyOfClients() async throws {
        let fixtures: [Fixture] = []
        var configuration = MockServer.Configuration()
        configuration.proxy = MockServer.ForwardProxy()
        let server = try await MockServer.start(fixtures: fixtures, configuration: configuration)
        #expect(server.certificateAuthority != nil)
        await server.stop()
    }

    @Test func stubIsAddedToRunningServer() async throws {
        let server = try await MockServer.start(stubs: [])
        let id = try await server.stub(StubMapping(.get("/v1/user"), .text("Ada")))
        // requests
        await server.remove(stub: id)
        #expect(await server.stubs.isEmpty)
        await server.stop()
    }

    /// Only compiled, because nothing sends the request.
    func verifiesRequest(of server: MockServer) async {
        await server.verify(.post("/users").body(.matchesJSONPath("$.name")), .exactly(1))
    }
}
