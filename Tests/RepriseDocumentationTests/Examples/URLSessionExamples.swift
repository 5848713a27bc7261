// SPDX-License-Identifier: Apache-2.0

import Foundation
import RepriseTesting
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

private struct BookAPI {
    let session: URLSession

    func book(_ number: Int) async throws -> Book {
        let url = try #require(URL(string: "https://api.example.com/v1/books/\(number)"))
        return try JSONDecoder().decode(Book.self, from: try await session.data(from: url).0)
    }
}

private struct BookShop {
    let baseURL: URL

    func book(_ number: Int) async throws -> Book {
        let url = baseURL.appending(path: "v1/books/\(number)")
        return try JSONDecoder().decode(Book.self, from: try await URLSession.shared.data(from: url).0)
    }
}

@Suite struct URLSessionExamples {
    @Suite struct Shared {
        @Test(.cassette("books"))
        func loadsABook() async throws {
            let (data, _) = try await URLSession.shared.data(from: URL(string: "https://api.example.com/v1/books/42")!)
            let book = try JSONDecoder().decode(Book.self, from: data)
            #expect(book.title == "The Lighthouse Atlas")
        }
    }

    @Suite struct Own {
        @Test func loadsABook() async throws {
            try await withCassette("books") { cassette in
                let api = BookAPI(session: URLSession(configuration: cassette.sessionConfiguration))
                let book = try await api.book(42)
                #expect(book.title == "The Lighthouse Atlas")
            }
        }
    }

    @Test func takesADelegate() async throws {
        try await withCassette("books") { cassette in
            let delegate: (any URLSessionDelegate)? = nil
            let configuration = cassette.sessionConfiguration
            let session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
            let book = try await BookAPI(session: session).book(42)
            #expect(book.title == "The Lighthouse Atlas")
        }
    }

    @Test func replaysAnotherLibrary() async throws {
        try await withMockServer(recording: "https://api.example.com", to: "books") { server in
            let shop = BookShop(baseURL: server.url)
            let book = try await shop.book(42)
            #expect(book.title == "The Lighthouse Atlas")
        }
    }
}
