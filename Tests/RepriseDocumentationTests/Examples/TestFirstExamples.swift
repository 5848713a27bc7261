// SPDX-License-Identifier: Apache-2.0

import Foundation
import Reprise
import RepriseTesting
import Testing

@Suite(.cassette)
struct LibrarianTests {
    private let api = Client("https://api.example.com/v1")

    @Test func findsABook() async throws {
        let book = try await api.send(GetBook(id: "42"))
        #expect(book.title == "The Lighthouse Atlas")
    }

    @Test func throwsNotFoundForAnUnknownBook() async throws {
        let error = await #expect(throws: ClientError.self) { try await api.send(GetBook(id: "none")) }
        #expect(error?.response?.status == .notFound)
    }
}

/// The article "Write the test first".
@Suite struct TestFirstExamples {
    @Test func readsAddressAndKeyFromEnvironment() async throws {
        let variables = ["LIBRARY_URL": "https://staging.example.com", "LIBRARY_KEY": "k-1"]
        let staging = try makeLibrary(variables).get("/books/42").request()
        #expect(staging.authority == "staging.example.com")
        #expect(staging.headerFields[.authorization] == "Bearer k-1")
        let replayed = try makeLibrary([:]).get("/books/42").request()
        #expect(replayed.authority == "api.example.com")
    }

    private func makeLibrary(_ environment: [String: String] = ProcessInfo.processInfo.environment) -> Client {
        var configuration = Client.Configuration()
        configuration.headers[.authorization] = "Bearer \(environment["LIBRARY_KEY"] ?? "none")"
        return Client(environment["LIBRARY_URL"] ?? "https://api.example.com/v1", configuration: configuration)
    }
}
