// SPDX-License-Identifier: Apache-2.0

import Bookshop
import RepriseTesting
import Testing

#if os(Linux) || os(macOS)
    /// Uses a real connection, and a fixture written by hand.
    @Test func listsBooksFromServer() async throws {
        try await withMockServer("shelf") { server in
            let page = try await Bookshop("\(server.url)/v1", key: "none").books(genre: "any")
            #expect(page.books.map(\.title) == ["A Book of One's Own"])
            let journal = await server.journal
            #expect(journal.entries.map(\.target) == ["/v1/books?genre=any&page=1"])
        }
    }
#endif
