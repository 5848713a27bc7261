// SPDX-License-Identifier: Apache-2.0

import Bookshop
import RepriseTesting
import Testing

@Test(.cassette("travel"))
func listsTheBooksOfAGenre() async throws {
    let page = try await makeShop().books(genre: "travel")
    #expect(page.books.map(\.title) == ["The Lighthouse Atlas", "Tides and Timetables"])
    #expect(page.pages == 2)
}

/// Both cases are recorded into one cassette.
@Test(.cassette, arguments: ["2", "3"])
func loadsAPublisher(id: String) async throws {
    let publisher = try await makeShop().publisher(id)
    #expect(publisher.name.isEmpty == false)
}

/// Each case has a cassette of its own.
@Test(arguments: [("2", "A publisher"), ("3", "Harbour Light Press")])
func knowsThePublisher(id: String, name: String) async throws {
    try await withCassette("publisher-\(id)") { _ in
        let publisher = try await makeShop().publisher(id)
        #expect(publisher.name == name)
    }
}
