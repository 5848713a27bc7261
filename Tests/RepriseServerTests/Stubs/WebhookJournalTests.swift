// SPDX-License-Identifier: Apache-2.0

import Foundation
import RepriseText
import Testing

@testable import RepriseServer

/// Only the newest webhooks are kept.
@Suite struct WebhookJournalTests {
    private func journal(_ sizes: [Int]) -> WebhookJournal {
        var journal = WebhookJournal()
        for (number, size) in sizes.enumerated() {
            let entry = WebhookEntry(
                stub: FixtureSource(file: "a.json"),
                method: "POST",
                url: "/\(number)",
                headers: [],
                content: [UInt8](repeating: 0x78, count: size),
                status: 200,
                failure: nil,
                sent: .now,
                duration: .zero
            )
            journal.append(entry)
        }
        return journal
    }

    @Test(arguments: [(1000, "/0"), (1001, "/1"), (1500, "/500")])
    func keepsThousand(count: Int, first: String) {
        let entries = journal(Array(repeating: 1, count: count)).entries
        #expect(entries.count == 1000)
        #expect(entries.first?.url == first)
        #expect(entries.last?.url == "/\(count - 1)")
    }

    /// The journal holds up to 4 MiB of content. The newest entry is kept even if it is larger.
    @Test(arguments: [
        ([2 << 20, 2 << 20], ["/0", "/1"]), ([2 << 20, (2 << 20) + 1], ["/1"]), ([1, 5 << 20], ["/1"]),
        ([5 << 20, 1, 1], ["/1", "/2"]), ([3 << 20, 3 << 20, 1 << 20, 3 << 20], ["/2", "/3"]),
    ])
    func keepsBytesWithinLimit(sizes: [Int], urls: [String]) {
        #expect(journal(sizes).entries.map(\.url) == urls)
    }
}
