// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// The paths of all fixtures, split into segments. Finds the templates that match a path and the paths similar to
/// one.
struct PathTrie: Sendable {
    /// The nodes. The first is the root, above the first segment.
    private(set) var nodes: [Node] = [Node(parent: -1, isParameter: false)]
    /// Maps a node's number and a segment to the child's number. Key n belongs to node n + 1.
    private(set) var children: KeyTable
    /// The sorted children of nodes that have many, by segment.
    private(set) var orderedChildren = OrderedGroups()
    private var routes: [Route] = []

    struct Node {
        var parent: Int32
        /// Whether the node matches any segment.
        var isParameter: Bool
        /// Whether a template ends at or below this node.
        var leadsToTemplate = false
        var parameterChild: Int32 = -1
        /// The first site of the literal path that ends at this node.
        var site: Int32 = -1
        /// The first of the template routes that end at this node.
        var route: Int32 = -1
        var firstChild: Int32 = -1
        var nextSibling: Int32 = -1
        var childCount: Int32 = 0
        /// The group of this node's children in `orderedChildren`; -1 if the node has few.
        var order: Int32 = -1

        /// Whether a fixture's path ends at this node.
        var isEnd: Bool { site >= 0 || route >= 0 }
    }

    struct Route {
        var method: Int32
        var identity: Int32
        var next: Int32
    }

    /// The key of a parameter. Segments never contain a slash, so it cannot conflict with them.
    private static let parameterKey: [UInt8] = [UInt8(ascii: "/")]

    var hasTemplates: Bool { nodes[0].leadsToTemplate }

    /// Creates an empty trie with space for `capacity` paths.
    init(capacity: Int) {
        children = KeyTable(capacity: capacity)
        nodes.reserveCapacity(capacity + 1)
    }

    /// Adds the literal `path`, whose first site is `site`. A path that does not start with a slash has no segments
    /// and is ignored.
    mutating func insert(_ path: [UInt8], site: Int32) {
        guard path.first == UInt8(ascii: "/") else { return }
        var node: Int32 = 0
        var end = 0
        while end < path.count {
            let start = end + 1
            end = Self.endOfSegment(in: path.span, from: start)
            node = child(of: node, path[start..<end], isParameter: false)
        }
        nodes[Int(node)].site = site
    }

    /// Adds a template and returns the node where it ends.
    mutating func insert(_ template: [RequestPattern.Segment]) -> Int32 {
        var node: Int32 = 0
        nodes[0].leadsToTemplate = true
        for segment in template {
            switch segment {
            case .literal(let bytes): node = child(of: node, bytes[...], isParameter: false)
            case .parameter: node = child(of: node, Self.parameterKey[...], isParameter: true)
            }
            nodes[Int(node)].leadsToTemplate = true
        }
        return node
    }

    /// Adds the identity of a method at the end of a template.
    mutating func addRoute(at node: Int32, method: Int32, identity: Int32) {
        routes.append(Route(method: method, identity: identity, next: nodes[Int(node)].route))
        nodes[Int(node)].route = Int32(routes.count - 1)
    }

    /// Returns the identity for a method of the template that ends at `node`, or -1 if the template does not have
    /// this method.
    func identity(at node: Int32, method: Int32) -> Int32 {
        var route = nodes[Int(node)].route
        while route >= 0 {
            if routes[Int(route)].method == method { return routes[Int(route)].identity }
            route = routes[Int(route)].next
        }
        return -1
    }

    /// Returns the routes that end at `node`.
    func routes(at node: Int32) -> [Route] {
        var found: [Route] = []
        var route = nodes[Int(node)].route
        while route >= 0 {
            found.append(routes[Int(route)])
            route = routes[Int(route)].next
        }
        return found.reversed()
    }

    /// Returns the identity of the most specific template that matches `path` and has the method, or -1 if no
    /// template does.
    func identity(matching path: Span<UInt8>, method: Int32) -> Int32 {
        guard hasTemplates else { return -1 }
        var search = TemplateSearch()
        while let node = search.next(in: path, self) {
            let identity = identity(at: node, method: method)
            if identity >= 0 { return identity }
        }
        return -1
    }

    /// Sorts `children` of a node by their segments.
    mutating func order(_ children: [Int32], of node: Int) {
        nodes[node].order = orderedChildren.add(children, keys: children.map { segment(of: $0) })
    }

    /// Returns the end of the segment that starts at `start`: the next slash or the end of the path.
    @inline(__always)
    static func endOfSegment(in path: Span<UInt8>, from start: Int) -> Int {
        var end = start
        while end < path.count, path[end] != UInt8(ascii: "/") { end &+= 1 }
        return end
    }

    private mutating func child(of parent: Int32, _ key: ArraySlice<UInt8>, isParameter: Bool) -> Int32 {
        let new = Int32(nodes.count)
        let child = children.insert(key, parent: parent, value: new)
        guard child == new else { return child }
        var node = Node(parent: parent, isParameter: isParameter)
        node.nextSibling = nodes[Int(parent)].firstChild
        nodes.append(node)
        nodes[Int(parent)].firstChild = new
        nodes[Int(parent)].childCount += 1
        if isParameter { nodes[Int(parent)].parameterChild = new }
        return new
    }
}

/// Finds the templates that match a path, the most specific first: in each segment, literals precede parameters.
///
/// The search is depth-first. It backtracks along parent links and needs no additional memory. Each node is entered
/// at most once, and only nodes that lead to templates and match a part of the path are entered. Templates that
/// differ in which of many segments are parameters can still produce a very large number of such nodes, so a search
/// ends after entering ``maximumEntries`` nodes. If more templates than that start like the path, some may not be
/// found.
struct TemplateSearch {
    /// The maximum number of nodes that a search enters.
    static let maximumEntries = 10_000

    /// The number of nodes entered.
    private(set) var entries = 0
    private var node: Int32 = 0
    /// The end of the node's segment in the path.
    private var end = 0
    private var isDescending = true

    /// Returns the next node where a matching template ends.
    mutating func next(in path: Span<UInt8>, _ trie: borrowing PathTrie) -> Int32? {
        guard path.count > 0, path[0] == UInt8(ascii: "/") else { return nil }
        while true {
            if isDescending {
                entries += 1
                guard entries <= Self.maximumEntries else { return nil }
                if end == path.count {
                    isDescending = false
                    if trie.nodes[Int(node)].route >= 0 { return node }
                } else {
                    descend(in: path, trie)
                }
            } else {
                guard node != 0 else { return nil }
                backtrack(in: path, trie)
            }
        }
    }

    private mutating func descend(in path: Span<UInt8>, _ trie: borrowing PathTrie) {
        let start = end + 1
        let segmentEnd = PathTrie.endOfSegment(in: path, from: start)
        if let child = trie.children.value(of: path.extracting(start..<segmentEnd), parent: node),
            trie.nodes[Int(child)].leadsToTemplate
        {
            node = child
            end = segmentEnd
        } else if segmentEnd > start, trie.nodes[Int(node)].parameterChild >= 0 {
            node = trie.nodes[Int(node)].parameterChild
            end = segmentEnd
        } else {
            isDescending = false
        }
    }

    private mutating func backtrack(in path: Span<UInt8>, _ trie: borrowing PathTrie) {
        var slash = end - 1
        while path[slash] != UInt8(ascii: "/") { slash -= 1 }
        let parent = trie.nodes[Int(node)].parent
        let parameter = trie.nodes[Int(parent)].parameterChild
        if !trie.nodes[Int(node)].isParameter, parameter >= 0, end > slash + 1 {
            node = parameter
            isDescending = true
        } else {
            node = parent
            end = slash
        }
    }
}
