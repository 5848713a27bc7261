// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// Finds the path templates that match a path, without trying every template.
struct TemplateTable: Sendable {
    /// The child of a node for a literal segment.
    private var children = KeyTable()
    /// The child for any segment and the bucket of each node, or -1.
    private var nodes = [Node()]

    private struct Node {
        var any: Int32 = -1
        var bucket: Int32 = -1
    }

    var isEmpty: Bool { nodes.count == 1 }

    /// Returns the bucket of a template. If the template is new, it is inserted with `bucket`.
    mutating func insert(_ segments: [[UInt8]?], bucket: Int32) -> Int32 {
        var node: Int32 = 0
        for segment in segments {
            let next = Int32(nodes.count)
            let child: Int32
            if let segment {
                child = children.insert(segment[...], parent: node, value: next)
            } else if nodes[Int(node)].any >= 0 {
                child = nodes[Int(node)].any
            } else {
                nodes[Int(node)].any = next
                child = next
            }
            if child == next { nodes.append(Node()) }
            node = child
        }
        if nodes[Int(node)].bucket < 0 { nodes[Int(node)].bucket = bucket }
        return nodes[Int(node)].bucket
    }

    /// Calls `body` with the bucket of each template that matches `path`, which starts with a slash.
    func forEachBucket(matching path: Span<UInt8>, _ body: (Int32) -> Void) {
        guard path.count > 0, path[0] == UInt8(ascii: "/") else { return }
        // The nodes to visit, each with the place of its next segment.
        var waiting: [(node: Int32, start: Int)] = [(0, 1)]
        while let (node, start) = waiting.popLast() {
            let end = PathTrie.endOfSegment(in: path, from: start)
            let segment = path.extracting(start..<end)
            for child in [children.value(of: segment, parent: node) ?? -1, segment.isEmpty ? -1 : nodes[Int(node)].any]
            where child >= 0 {
                if end < path.count {
                    waiting.append((child, end + 1))
                } else if nodes[Int(child)].bucket >= 0 {
                    body(nodes[Int(child)].bucket)
                }
            }
        }
    }
}
