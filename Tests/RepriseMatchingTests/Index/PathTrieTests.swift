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
}
