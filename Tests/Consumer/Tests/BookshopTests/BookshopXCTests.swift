// SPDX-License-Identifier: Apache-2.0

import Bookshop
import RepriseTesting
import XCTest

final class BookshopXCTests: XCTestCase {
    func testListsBooksOfGenre() async throws {
        try await withCassette { _ in
            let page = try await makeShop().books(genre: "travel")
            XCTAssertEqual(page.books.first?.id, "b-17")
        }
    }
}
