// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// Parts of queries and JSON bodies that are not compared, such as a timestamp or a request identifier.
///
/// They are removed from the canonical forms of the fixtures and of the requests before these are hashed, so a lookup
/// takes as long as without them, for any number of fixtures.
package struct IgnoredParts: Sendable, Hashable {
    /// The names of query pairs, in canonical form.
    private(set) var queryNames: [[UInt8]] = []
    /// The places in JSON bodies.
    private(set) var pointers = IgnoredPointers()

    /// Creates an empty list.
    package init() {}

    /// Whether nothing is ignored.
    package var isEmpty: Bool { queryNames.isEmpty && pointers.isEmpty }

    /// Ignores all pairs of queries with this name, given without escapes.
    package mutating func add(queryName: String) {
        var name: [UInt8] = []
        for byte in queryName.utf8 {
            switch byte {
            case 0x20: name.append(UInt8(ascii: "+"))
            case UInt8(ascii: "%"), UInt8(ascii: "&"), UInt8(ascii: "+"), UInt8(ascii: "="):
                PercentEscape.append(byte, to: &name)
            default: name.append(byte)
            }
        }
        queryNames.append(name)
    }

    /// Ignores what a JSON pointer points to; see ``IgnoredPointers``.
    ///
    /// - Returns: Whether the pointer is valid.
    package mutating func add(pointer: String) -> Bool {
        pointers.add(pointer)
    }

    /// Returns a canonical query without the ignored pairs.
    func removed(fromQuery query: [UInt8]) -> [UInt8] {
        guard !queryNames.isEmpty, !query.isEmpty else { return query }
        var kept: [UInt8] = []
        kept.reserveCapacity(query.count)
        var start = 0
        while let pair = CanonicalQuery.pair(at: start, in: query.span) {
            start = pair.value.upperBound + 1
            guard !queryNames.contains(where: { query[pair.name].elementsEqual($0) }) else { continue }
            if !kept.isEmpty { kept.append(UInt8(ascii: "&")) }
            kept += query[pair.name.lowerBound..<pair.value.upperBound]
        }
        return kept
    }

    /// Returns a canonical body without the ignored parts.
    func removed(fromBody body: [UInt8], _ kind: BodyPattern.Kind) -> [UInt8] {
        kind == .json && !pointers.isEmpty ? pointers.removed(from: body) : body
    }
}

extension RequestPattern {
    /// Returns the pattern with only the parts that the options compare.
    func reduced(to options: MatchingOptions) -> RequestPattern {
        let pattern = keepingHeaders(options.headerNames)
        guard !options.ignored.isEmpty else { return pattern }
        var body = pattern.body
        if case .equal(let kind, let bytes) = body {
            body = .equal(kind, options.ignored.removed(fromBody: bytes, kind))
        }
        return pattern.replacing(query: pattern.query.map { options.ignored.removed(fromQuery: $0) }, body: body)
    }
}
