// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

extension PathTrie {
    /// The children of nodes with more children are also kept sorted, so that near paths are found without a full
    /// scan.
    static let maximumUnsortedChildren: Int32 = 16

    /// Sorts the children of nodes that have many. Call this after all paths were added.
    mutating func orderChildren() {
        for node in nodes.indices where nodes[node].childCount > Self.maximumUnsortedChildren {
            order(childNumbers(of: nodes[node]), of: node)
        }
    }

    /// Returns at most `limit` nodes where paths similar to `path` end, roughly the nearest first.
    ///
    /// The paths differ in one segment (a different, additional, or missing one), or end above or below the node from
    /// which no fixture continues like `path`. At most 16 children are tried per level.
    func neighbors(of path: Span<UInt8>, limit: Int) -> [Int32] {
        guard path.count > 0, path[0] == UInt8(ascii: "/") else { return [] }
        var ancestors: [(node: Int32, end: Int)] = [(0, 0)]
        while let last = ancestors.last, last.end < path.count, let next = step(from: last.node, in: path, last.end) {
            ancestors.append(next)
        }
        var search = NeighborSearch(limit: limit)
        for level in ancestors.indices.reversed().prefix(6) where search.wantsMore {
            let known = level + 1 < ancestors.count ? ancestors[level + 1].node : -1
            search.collect(around: ancestors[level], besides: known, in: path, self)
        }
        return search.found
    }

    func segment(of node: Int32) -> ArraySlice<UInt8> {
        children.key(Int(node) - 1)
    }

    /// Returns the child for the segment after `end`, preferring a literal one, and the end of that segment.
    fileprivate func step(from node: Int32, in path: Span<UInt8>, _ end: Int) -> (node: Int32, end: Int)? {
        let segmentEnd = Self.endOfSegment(in: path, from: end + 1)
        if let child = children.value(of: path.extracting(end + 1..<segmentEnd), parent: node) {
            return (child, segmentEnd)
        }
        let parameter = nodes[Int(node)].parameterChild
        return parameter >= 0 && segmentEnd > end + 1 ? (parameter, segmentEnd) : nil
    }

    /// Returns the node reached by the rest of `path` if a fixture's path ends there.
    fileprivate func follow(_ node: Int32, in path: Span<UInt8>, _ end: Int) -> Int32? {
        var place = (node: node, end: end)
        var steps = 0
        while place.end < path.count {
            guard steps < 64, let next = step(from: place.node, in: path, place.end) else { return nil }
            place = next
            steps += 1
        }
        return nodes[Int(place.node)].isEnd ? place.node : nil
    }

    /// Returns all children if there are few. Otherwise returns those whose segments sort near `segment`, and the one
    /// whose segment is `segment` without its last byte.
    fileprivate func children(of node: Int32, near segment: Span<UInt8>) -> [Int32] {
        let order = nodes[Int(node)].order
        guard order >= 0 else { return childNumbers(of: nodes[Int(node)]) }
        let wanted = [UInt8](bytes: segment.extracting(first: 256))
        var near = orderedChildren.numbers(in: order, near: wanted[...], limit: 4) { self.segment(of: $0) }
        if segment.count > 1,
            let shorter = children.value(of: segment.extracting(..<(segment.count - 1)), parent: node),
            !near.contains(shorter)
        {
            near.insert(shorter, at: 0)
        }
        return near
    }

    /// Returns the children in the order in which they were added.
    private func childNumbers(of node: Node) -> [Int32] {
        var numbers: [Int32] = []
        numbers.reserveCapacity(Int(node.childCount))
        var child = node.firstChild
        while child >= 0 {
            numbers.append(child)
            child = nodes[Int(child)].nextSibling
        }
        numbers.reverse()
        return numbers
    }
}

/// Collects the nodes near a path.
private struct NeighborSearch {
    private(set) var found: [Int32] = []
    private let limit: Int

    init(limit: Int) {
        self.limit = limit
        found.reserveCapacity(limit)
    }

    var wantsMore: Bool { found.count < limit }

    mutating func collect(
        around place: (node: Int32, end: Int),
        besides known: Int32,
        in path: Span<UInt8>,
        _ trie: borrowing PathTrie
    ) {
        guard place.end < path.count else {
            // All segments of the path are in the trie, so look for longer paths.
            for child in trie.children(of: place.node, near: path.extracting(0..<0)).prefix(8) where child != known {
                addFirstEnds(below: child, trie)
            }
            return
        }
        let segmentEnd = PathTrie.endOfSegment(in: path, from: place.end + 1)
        var others: [Int32] = []
        for child in trie.children(of: place.node, near: path.extracting(place.end + 1..<segmentEnd))
        where child != known {
            if let node = trie.follow(child, in: path, segmentEnd) ?? trie.follow(child, in: path, place.end) {
                add(node)
            } else {
                others.append(child)
            }
        }
        if let node = trie.follow(place.node, in: path, segmentEnd) { add(node) }
        if trie.nodes[Int(place.node)].isEnd { add(place.node) }
        if known < 0 {
            for child in others.prefix(8) { addFirstEnds(below: child, trie) }
        }
    }

    /// Adds the first two ends at or below `node` after a limited search.
    private mutating func addFirstEnds(below node: Int32, _ trie: borrowing PathTrie) {
        var node = node
        var added = 0
        while node >= 0, added < 2 {
            if trie.nodes[Int(node)].isEnd {
                add(node)
                added += 1
            }
            node = trie.nodes[Int(node)].firstChild
        }
    }

    private mutating func add(_ node: Int32) {
        if found.count < limit, !found.contains(node) { found.append(node) }
    }
}
