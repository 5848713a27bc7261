// SPDX-License-Identifier: Apache-2.0

import Bookshop
import RepriseTesting
import Testing

@Test(.cassette("travel"))
func listsBooksOfGenre() async throws {
    let page = try await makeShop().books(genre: "travel")
    #expect(page.books.map(\.title) == ["The Lighthouse Atlas", "Tides and Timetables"])
    #expect(page.pages == 2)
}

/// Both cases share one cassette.
@Test(.cassette, arguments: ["2", "3"])
func loadsPublisher(id: String) async throws {
    let publisher = try await makeShop().publisher(id)
    #expect(publisher.name.isEmpty == false)
}

/// Each case has its own cassette.
@Test(arguments: [("2", "A publisher"), ("3", "Harbour Light Press")])
func loadsNameOfPublisher(id: String, name: String) async throws {
    try await withCassette("publisher-\(id)") { _ in
        let publisher = try await makeShop().publisher(id)
        #expect(publisher.name == name)
    }
}
