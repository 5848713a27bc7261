// SPDX-License-Identifier: Apache-2.0

import Bookshop
import Reprise
import RepriseTesting
import Testing

/// Each test has its own cassette in Fixtures/BookshopTests/OrderTests/.
@Suite(.cassette(matching: .standard + [.headers(["Accept"])]))
struct OrderTests {
    private let shop = makeShop()

    @Test func ordersCopies() async throws {
        let order = try await shop.order("b-17", copies: 2)
        #expect(order.status == "pending")
        #expect(order.total == 69)
    }

    @Test func pollsUntilOrderIsShipped() async throws {
        let order = try await shop.shipped(1001, pause: .seconds(2))
        #expect(order.tracking == "PARCEL-2217")
    }

    @Test func throwsNotFoundForMissingOrder() async throws {
        await #expect {
            try await shop.order(1002)
        } throws: {
            ($0 as? ClientError)?.response?.status == .notFound
        }
    }

    @Suite struct Assistant {
        @Test func streamsAnswer() async throws {
            var pieces: [String] = []
            for try await piece in makeShop().answer(to: "A book about lighthouses?") { pieces.append(piece) }
            #expect(pieces.joined() == "Try “The Lighthouse Atlas”: forty towers, drawn to scale.")
            #expect(pieces.count == 10)
        }

        @Test func failsIfAnswerIsInterrupted() async throws {
            var text = ""
            await #expect(throws: ClientError.self) {
                for try await piece in makeShop().answer(to: "How many books are there?") { text += piece }
            }
            #expect(text.hasPrefix("There are"))
        }
    }
}
