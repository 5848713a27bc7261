// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Reprise

@Suite struct PagesTests {
    private struct Page: Decodable {
        var items: [Int]
        var next: String?
    }

    private let stub = StubTransport {
        $0.get("/items?", .json(#"{"items": [1, 2], "next": "b"}"#))
        $0.get("/items?after=b", .json(#"{"items": [], "next": "c"}"#))
        $0.get("/items?after=c", .json(#"{"items": [3]}"#))
    }

    private func pages(_ path: RequestPath = "/items") -> Pages<[Int]> {
        let list = Client("https://h", transport: stub).get(path)
        return list.pages { call in
            let page: Page = try await call.value()
            return (page.items, next: page.next.map { list.query("after", $0) })
        }
    }

    @Test func yieldsElementsOfAllPages() async throws {
        var found: [Int] = []
        for try await item in pages().elements { found.append(item) }
        #expect(found == [1, 2, 3])
        var iterator = pages().elements.makeAsyncIterator()
        let before = requestedPaths.count
        _ = try await iterator.next()
        _ = try await iterator.next()
        // The second page is requested only for the third element.
        #expect(requestedPaths.count == before + 1)
    }

    @Test func followsLinksOfResponses() async throws {
        let stub = StubTransport {
            $0.get("/v1/items?size=2", .json("[1, 2]").header("Link", "</v1/items?after=2>; rel=\"next\""))
            $0.get("/v1/items?after=2", .json("[3]").header("Link", "</v1/items?size=2>; rel=\"first\""))
        }
        let list = Client("https://h/v1", transport: stub).get("/items").query("size", 2)
        var found: [[Int]] = []
        for try await page in list.pages(of: [Int].self) { found.append(page) }
        #expect(found == [[1, 2], [3]])
    }

    private var requestedPaths: [String] { stub.requests.map(\.path) }

    @Test func yieldsPagesInOrder() async throws {
        var found: [[Int]] = []
        for try await items in pages() { found.append(items) }
        #expect(found == [[1, 2], [], [3]])
        #expect(requestedPaths == ["/items", "/items?after=b", "/items?after=c"])
    }

    @Test func loadsPagesOnDemand() async throws {
        var iterator = pages().makeAsyncIterator()
        #expect(requestedPaths == [])
        _ = try await iterator.next()
        #expect(requestedPaths == ["/items"])
        _ = try await iterator.next()
        #expect(requestedPaths == ["/items", "/items?after=b"])
    }

    @Test func endsAfterLastPage() async throws {
        var iterator = pages().makeAsyncIterator()
        for _ in 0..<3 { #expect(try await iterator.next() != nil) }
        #expect(try await iterator.next() == nil)
        #expect(requestedPaths.count == 3)
    }

    @Test func endsAfterError() async throws {
        var iterator = pages("/nothing").makeAsyncIterator()
        do {
            _ = try await iterator.next()
            Issue.record("expected an error")
        } catch let error as ClientError {
            #expect(error.code == .noStub)
        }
        #expect(try await iterator.next() == nil)
        #expect(requestedPaths == ["/nothing"])
    }

    @Test func startsOverForEachLoop() async throws {
        let pages = pages()
        for _ in 0..<2 {
            for try await items in pages {
                #expect(items == [1, 2])
                break
            }
        }
        #expect(requestedPaths == ["/items", "/items"])
    }
}
