// SPDX-License-Identifier: Apache-2.0

import RepriseTestSupport
import RepriseText
import Testing

@testable import RepriseMatching

@Suite struct StubIndexTests {
    private func find(_ index: StubIndex, _ url: String, _ values: [StubKey.Field: [String]] = [:]) -> [Int32] {
        let bytes = Array(url.utf8)
        let path = bytes.prefix { $0 != UInt8(ascii: "?") }
        return index.ranks(of: index.candidates(url: bytes.span, path: path.span)) { field in
            (values[field] ?? []).map { Array($0.utf8)[...] }
        }
    }

    private func utf8(_ text: String) -> [UInt8] { Array(text.utf8) }

    @Test func findsStubsByTarget() {
        let index = StubIndex([
            StubKey(.path(utf8("/a"))),
            StubKey(.url(utf8("/a?x=1"))),
            StubKey(.template([utf8("users"), nil])),
            StubKey(.containing([utf8("/items/"), utf8("detail")])),
            StubKey(.any),
            StubKey(.containing([utf8("/")])),
            StubKey(.path(utf8("/a"))),
        ])
        #expect(find(index, "/a") == [0, 4, 5, 6])
        #expect(find(index, "/a?x=1") == [0, 1, 4, 5, 6])
        #expect(find(index, "/users/42") == [2, 4, 5])
        #expect(find(index, "/users/") == [4, 5])
        #expect(find(index, "/users/1/x") == [4, 5])
        #expect(find(index, "/v1/items/7/detail") == [3, 4, 5])
    }

    @Test func returnsOneBucketAsItIs() {
        let index = StubIndex([StubKey(.path(utf8("/a"))), StubKey(.path(utf8("/a"))), StubKey(.path(utf8("/b")))])
        #expect(find(index, "/a") == [0, 1])
        #expect(find(index, "/c") == [])
    }

    @Test func findsStubsOfOnePathByValue() {
        let query = (0..<1000).map { StubKey(.path(utf8("/q")), [.init(.query("id"), "\($0)")]) }
        let header = (0..<100).map { StubKey(.path(utf8("/q")), [.init(.header("x-id"), "\($0)")]) }
        let index = StubIndex(query + header + [StubKey(.path(utf8("/q")))])
        #expect(find(index, "/q", [.query("id"): ["7"]]) == [7, 1100])
        #expect(find(index, "/q", [.query("id"): ["7", "7", "8"], .header("x-id"): ["5"]]) == [7, 8, 1005, 1100])
        #expect(find(index, "/q") == [1100])
    }

    @Test func patternsAreStoredUnderTheirRarestText() {
        let keys = (0..<2000).map { StubKey(.containing([utf8("/api/v1/items/\($0)/")])) }
        let index = StubIndex(keys)
        #expect(find(index, "/api/v1/items/1234/detail").contains(1234))
        #expect(find(index, "/api/v1/items/1234/detail").count < 50)
        #expect(find(index, "/other").isEmpty)
    }

    @Test(arguments: 0..<50) func findsEveryStubThatCanAnswer(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let words = ["a", "bb", "items", "detail", "x"]
        func path() -> [String] {
            (0..<Int.random(in: 1...4, using: &generator)).map { _ in words.randomElement(using: &generator) ?? "" }
        }
        func text(_ path: [String]) -> String { "/" + path.joined(separator: "/") }
        let fields: [StubKey.Field] = [.query("q"), .cookie("c"), .body]
        let keys = (0..<200).map { _ -> StubKey in
            let path = path()
            let target: StubKey.Target =
                switch Int.random(in: 0..<5, using: &generator) {
                case 0: .any
                case 1: .url(utf8(text(path)))
                case 2: .path(utf8(text(path)))
                case 3: .template(path.map { Bool.random(using: &generator) ? utf8($0) : nil })
                default: .containing([utf8(path[0]), utf8(text(path))])
                }
            let equalities = fields.filter { _ in Bool.random(using: &generator) }
                .map { StubKey.Equality($0, "\(Int.random(in: 0..<3, using: &generator))") }
            return StubKey(target, equalities)
        }
        let index = StubIndex(keys)
        for _ in 0..<100 {
            let path = path()
            let url = text(path)
            var values: [StubKey.Field: [String]] = [:]
            for field in fields where Bool.random(using: &generator) {
                values[field] = ["\(Int.random(in: 0..<3, using: &generator))"]
            }
            let expected = keys.indices.filter { rank in
                let holds: Bool
                switch keys[rank].target {
                case .any: holds = true
                case .url(let other), .path(let other): holds = other == utf8(url)
                case .template(let segments):
                    holds =
                        segments.count == path.count && zip(segments, path).allSatisfy { $0 == nil || $0 == utf8($1) }
                case .containing(let texts):
                    holds = texts.allSatisfy { url.contains(String(decoding: $0, as: UTF8.self)) }
                }
                return holds
                    && keys[rank].equalities.allSatisfy { equality in
                        values[equality.field]?.contains { utf8($0) == equality.value } == true
                    }
            }
            let found = find(index, url, values)
            #expect(found == found.sorted() && Set(found).count == found.count)
            #expect(Set(found).isSuperset(of: expected.map(Int32.init)))
        }
    }
}
