// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import RepriseMatching

@Suite struct PathTrieTests {
    @Test func limitsSearchThroughManyTemplates() {
        let length = 13
        var trie = PathTrie(capacity: 0)
        for number in 0..<1 << length {
            let start = (0..<length).map { bit -> RequestPattern.Segment in
                number >> bit & 1 == 0 ? .literal([0x78]) : .parameter("p\(bit)")
            }
            let node = trie.insert(start + [.parameter("e"), .literal([0x7A])])
            trie.addRoute(at: node, method: 0, identity: Int32(number))
        }
        func search(_ last: String) -> (node: Int32?, entries: Int) {
            let path = Array((String(repeating: "/x", count: length) + "/q/" + last).utf8)
            var search = TemplateSearch()
            return (search.next(in: path.span, trie), search.entries)
        }
        let miss = search("y")
        #expect(miss.node == nil)
        #expect(miss.entries <= TemplateSearch.maximumEntries + 1)
        let hit = search("z")
        #expect(hit.node.map { trie.identity(at: $0, method: 0) } == 0)
        #expect(hit.entries < 100)
    }

    /// Returns the similar paths among `paths`.
    private func neighbors(of path: String, _ paths: [String], limit: Int = 32) -> [String] {
        var trie = PathTrie(capacity: 0)
        for (number, path) in paths.enumerated() { trie.insert(Array(path.utf8), site: Int32(number)) }
        trie.orderChildren()
        let bytes = Array(path.utf8)
        return trie.neighbors(of: bytes.span, limit: limit).map { paths[Int(trie.nodes[Int($0)].site)] }
    }

    /// Segments from `a` up, after a start.
    private func paths(_ start: String, _ count: Int, _ end: String = "") -> [String] {
        (0..<count).map { "\(start)c\($0 / 10)\($0 % 10)\(end)" }
    }

    @Test(arguments: [(64, true), (65, false)])
    func neighborContinuesLikePathForAtMost64Segments(count: Int, isFound: Bool) {
        let rest = String(repeating: "/x", count: count)
        #expect(neighbors(of: "/b" + rest, ["/a" + rest, "/a/z"]) == [isFound ? "/a" + rest : "/a/z"])
    }

    /// The levels are counted from the end of the path.
    @Test func neighborsDifferInLastSixLevels() {
        let segments = (1...8).map { "/\($0)" }
        let variants = segments.indices.map { place in
            segments.enumerated().map { $0.offset == place ? "/y" : $0.element }.joined()
        }
        let known = segments.joined()
        #expect(neighbors(of: known, variants + [known]) == variants[3...].reversed())
        #expect(neighbors(of: known + "/z", variants + [known]) == [known])
    }

    @Test(arguments: [("/a", ""), ("/a/zz/q", "/x")])
    func atMostEightChildrenAreFollowedToTheirEnds(path: String, end: String) {
        #expect(neighbors(of: path, paths("/a/", 12, end)) == Array(paths("/a/", 8, end)))
    }

    @Test func twoEndsBelowChildAreFound() {
        #expect(neighbors(of: "/a", ["/a/b", "/a/b/c", "/a/b/c/d"]) == ["/a/b", "/a/b/c"])
        #expect(neighbors(of: "/a", ["/a/b/c", "/a/b/c/d", "/a/b/c/d/e"]) == ["/a/b/c", "/a/b/c/d"])
    }

    @Test(arguments: [(0, 0), (1, 1), (3, 3), (32, 16)]) func limitIsNumberOfNeighbors(limit: Int, count: Int) {
        #expect(neighbors(of: "/zz", paths("/", 16), limit: limit).count == count)
    }

    /// More than 16 children are sorted, and only those around the segment are tried.
    @Test(arguments: [
        ("/zz", 13...16), ("/c08x", 7...10), ("/b", 0...3), ("/c", 0...3), ("/c00", 1...3), ("/c09", 7...10),
    ])
    func fourOfManyChildrenAreTried(path: String, found: ClosedRange<Int>) {
        let all = paths("/", 17)
        #expect(neighbors(of: path, all) == all[found].filter { $0 != path })
        #expect(neighbors(of: "/zz", Array(all.dropLast())).count == 16)
    }

    @Test func childWithoutLastByteIsTriedFirst() {
        let all = ["/a"] + (1...17).map { "/aa\(String(repeating: "a", count: $0))" }
        #expect(neighbors(of: "/ab", all) == [all[0]] + all.suffix(4))
        #expect(neighbors(of: "/b", all) == Array(all.suffix(4)))
    }

    /// An empty segment differs from a parameter.
    @Test(arguments: [("/a/1/c", [0]), ("/a//b", [0]), ("/a//c", [0]), ("/x/1/b", [0]), ("a/1/c", []), ("", [])])
    func neighborsOfTemplate(path: String, expected: [Int32]) {
        var trie = PathTrie(capacity: 0)
        let node = trie.insert([.literal([0x61]), .parameter("p"), .literal([0x62])])
        trie.addRoute(at: node, method: 0, identity: 0)
        let bytes = Array(path.utf8)
        let found = trie.neighbors(of: bytes.span, limit: 8)
        #expect(found.map { trie.identity(at: $0, method: 0) } == expected)
        #expect(found.map { trie.identity(at: $0, method: 1) } == expected.map { _ in -1 })
    }
}
