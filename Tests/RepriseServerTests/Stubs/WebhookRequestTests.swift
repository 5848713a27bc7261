// SPDX-License-Identifier: Apache-2.0

import Foundation
import RepriseConnections
import RepriseText
import Testing

@testable import RepriseFixtures
@testable import RepriseServer
@testable import RepriseStubAnswers

/// The request of a webhook, and the journal of those that were sent.
@Suite struct WebhookRequestTests {
    private func request(
        _ url: String,
        headers: [String] = [],
        content: String = "",
        hops: Int = 1
    ) throws -> OutgoingRequest {
        let lines = headers.compactMap { HeaderLine($0) }
        let content = Array(content.utf8)
        return try OutgoingRequest(
            WebhookOrder.Message(method: "PUT", url: url, headers: lines, content: content, delay: .zero),
            hops: hops
        )
    }

    @Test(arguments: [
        ("http://a.test/b?c=/d", "http://a.test", "/b?c=/d"), ("http://a.test", "http://a.test", "/"),
        ("http://a.test?c", "http://a.test", "/?c"), ("http://a.test#f", "http://a.test", "/"),
        ("http://a.test/b#f?g", "http://a.test", "/b"), ("https://a.test:444/b", "https://a.test:444", "/b"),
        ("http://a.test/b?u=http://c.test/d#e", "http://a.test", "/b?u=http://c.test/d"),
    ])
    func urlIsDividedIntoOriginAndTarget(url: String, origin: String, target: String) throws {
        let request = try request(url)
        let mark = try #require(origin.firstRange(of: "://"))
        #expect(
            request.origin
                == Origin(scheme: String(origin[..<mark.lowerBound]), authority: String(origin[mark.upperBound...]))
        )
        #expect(request.target == target)
        #expect(request.method == "PUT")
    }

    @Test(arguments: ["", "a.test/b", "//a.test/b", "ftp://a.test/", "http://", "http:///b", "http://a.test:x/"])
    func invalidURLIsRefused(url: String) {
        #expect(throws: WebhookURLError.self) { try request(url) }
    }

    @Test func hopsOfTheMappingAreReplaced() throws {
        let request = try request("http://a.test/", headers: ["X-A: 1", "reprise-hops: 0", "x-a: 2"], hops: 3)
        #expect(request.fields.map { "\($0.name): \($0.value)" } == ["X-A: 1", "x-a: 2", "Reprise-Hops: 3"])
        #expect(request.headTimeout != nil)
    }

    private func entry(_ number: Int, bytes: Int) -> WebhookEntry {
        WebhookEntry(
            stub: FixtureSource(file: "a.json"),
            method: "GET",
            url: "http://a.test/\(number)",
            headers: [],
            content: Array(repeating: 0x61, count: bytes),
            status: 200,
            failure: nil,
            sent: Date(timeIntervalSince1970: 0),
            duration: .zero
        )
    }

    private func numbers(_ journal: WebhookJournal) -> [Int] {
        journal.entries.compactMap { Int($0.url.split(separator: "/").last ?? "") }
    }

    @Test func journalHasTheNewestWebhooks() {
        var journal = WebhookJournal()
        for number in 1...1000 { journal.append(entry(number, bytes: 0)) }
        #expect(numbers(journal) == Array(1...1000))
        for number in 1001...1003 { journal.append(entry(number, bytes: 0)) }
        #expect(numbers(journal) == Array(4...1003))
    }

    @Test func journalHoldsFourMebibytes() {
        var journal = WebhookJournal()
        for number in 1...4 { journal.append(entry(number, bytes: 1 << 20)) }
        #expect(numbers(journal) == [1, 2, 3, 4])
        journal.append(entry(5, bytes: 1))
        #expect(numbers(journal) == [2, 3, 4, 5])
        // The newest stays, however large it is. Then there is room again.
        journal.append(entry(6, bytes: 5 << 20))
        #expect(numbers(journal) == [6])
        for number in 7...10 { journal.append(entry(number, bytes: 1 << 20)) }
        #expect(numbers(journal) == [7, 8, 9, 10])
    }
}
