// SPDX-License-Identifier: Apache-2.0

import Bookshop
import Foundation
import RepriseTesting
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

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

/// Code that uses URLSession finds the cassette too.
@Test(.cassette("publisher-3"))
func loadsPublisherWithURLSession() async throws {
    let url = try #require(URL(string: "http://127.0.0.1:8080/v1/publishers/3"))
    let (data, _) = try await URLSession.shared.data(from: url)
    #expect(String(decoding: data, as: UTF8.self).contains("Harbour Light Press"))
}
