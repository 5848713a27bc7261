// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// The paths of all fixtures, segment by segment: finds the templates that match a path, and the paths near one.
struct PathTrie: Sendable {
    /// The nodes; the first is the root, above the first segment.
    private(set) var nodes: [Node] = [Node(parent: -1, isParameter: false)]
    /// From a node's number and a segment to the child's number. Key n belongs to node n + 1.
    private(set) var children: KeyTable
    /// The children of the nodes that have many, in order of their segments.
    private(set) var orderedChildren = OrderedGroups()
    private var routes: [Route] = []

    struct Node {
        var parent: Int32
        /// Whether it stands for any segment.
        var isParameter: Bool
        /// Whether a template ends here or below.
        var leadsToTemplate = false
        var parameterChild: Int32 = -1
        /// The first site of the literal path that ends here.
        var site: Int32 = -1
        /// The first of the template routes that end here.
        var route: Int32 = -1
        var firstChild: Int32 = -1
        var nextSibling: Int32 = -1
        var childCount: Int32 = 0
        /// The group of its children in `orderedChildren`; -1 if it has few.
        var order: Int32 = -1

        /// Whether a fixture's path ends here.
        var isEnd: Bool { site >= 0 || route >= 0 }
    }

    struct Route {
        var method: Int32
        var identity: Int32
        var next: Int32
    }

    /// No segment holds a slash, so this key is free to stand for a parameter.
    private static let parameterKey: [UInt8] = [UInt8(ascii: "/")]

    /// An empty trie with room for `capacity` paths.
    init(capacity: Int) {
        children = KeyTable(capacity: capacity)
        nodes.reserveCapacity(capacity + 1)
    }

    /// Adds the literal `path`, whose fixtures start at `site`. A path that does not start with a slash has no segments
    /// and is left out.
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

    /// Adds a method's identity to the end of a template.
    mutating func addRoute(at node: Int32, method: Int32, identity: Int32) {
        routes.append(Route(method: method, identity: identity, next: nodes[Int(node)].route))
        nodes[Int(node)].route = Int32(routes.count - 1)
    }

    /// The identity of the template that ends at `node`, for one method; -1 if there is none.
    func identity(at node: Int32, method: Int32) -> Int32 {
        var route = nodes[Int(node)].route
        while route >= 0 {
            if routes[Int(route)].method == method { return routes[Int(route)].identity }
            route = routes[Int(route)].next
        }
        return -1
    }

    /// The routes that end at `node`.
    func routes(at node: Int32) -> [Route] {
        var found: [Route] = []
        var route = nodes[Int(node)].route
        while route >= 0 {
            found.append(routes[Int(route)])
            route = routes[Int(route)].next
        }
        return found.reversed()
    }

    /// The identity of the most specific template that matches `path` and has the method; -1 if there is none.
    func identity(matching path: Span<UInt8>, method: Int32) -> Int32 {
        guard nodes[0].leadsToTemplate else { return -1 }
        var search = TemplateSearch()
        while let node = search.next(in: path, self) {
            let identity = identity(at: node, method: method)
            if identity >= 0 { return identity }
        }
        return -1
    }

    /// Puts `children` of a node in order of their segments.
    mutating func order(_ children: [Int32], of node: Int) {
        nodes[node].order = orderedChildren.add(children, keys: children.map { segment(of: $0) })
    }

    /// The end of the segment that starts at `start`: the next slash or the end.
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

/// Finds the templates that match a path, the most specific first: at each segment a literal before a parameter.
///
/// It goes down and, where that fails, back up the way it came, so it needs no memory. A node is entered at most once,
/// because the way to it is unique, so the work is bounded by the nodes that match a part of the path: those on
/// templates alone, as other branches are not entered. Templates that differ in which of many segments are parameters
/// can still make that many, so a search enters ``maximumEntries`` nodes and then ends: of more than so many templates
/// that start as one path does, some may not be found.
struct TemplateSearch {
    /// How many nodes one search enters.
    static let maximumEntries = 10_000

    /// How many were entered.
    private(set) var entries = 0
    private var node: Int32 = 0
    /// Where the node's segment ends in the path.
    private var end = 0
    private var goesDown = true

    /// The next node where a matching template ends.
    mutating func next(in path: Span<UInt8>, _ trie: borrowing PathTrie) -> Int32? {
        guard path.count > 0, path[0] == UInt8(ascii: "/") else { return nil }
        while true {
            if goesDown {
                entries += 1
                guard entries <= Self.maximumEntries else { return nil }
                if end == path.count {
                    goesDown = false
                    if trie.nodes[Int(node)].route >= 0 { return node }
                } else {
                    goDown(in: path, trie)
                }
            } else {
                guard node != 0 else { return nil }
                goBack(in: path, trie)
            }
        }
    }

    private mutating func goDown(in path: Span<UInt8>, _ trie: borrowing PathTrie) {
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
            goesDown = false
        }
    }

    private mutating func goBack(in path: Span<UInt8>, _ trie: borrowing PathTrie) {
        var slash = end - 1
        while path[slash] != UInt8(ascii: "/") { slash -= 1 }
        let parent = trie.nodes[Int(node)].parent
        let parameter = trie.nodes[Int(parent)].parameterChild
        if !trie.nodes[Int(node)].isParameter, parameter >= 0, end > slash + 1 {
            node = parameter
            goesDown = true
        } else {
            node = parent
            end = slash
        }
    }
}
