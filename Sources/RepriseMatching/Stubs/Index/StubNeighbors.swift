// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// The targets of stubs in order of their bytes, to find those that are similar to the target of a request without
/// looking at every stub.
package struct StubNeighbors: Sendable {
    private let keys: [[UInt8]]
    /// The rank of the stub of each key.
    private let ranks: [Int32]

    /// The number of neighbors on each side of a target.
    private static let reach = 8
    /// The number of stubs that are considered of those with the same target.
    private static let maximumEqual = 16

    /// - Parameter targets: The text with which the targets of each stub begin, in the order of ranks.
    package init(_ targets: [[UInt8]]) {
        let order = targets.indices.sorted { one, other in
            let (first, second) = (targets[one], targets[other])
            if first == second { return one < other }
            return first.lexicographicallyPrecedes(second)
        }
        ranks = order.map { Int32($0) }
        keys = order.map { targets[$0] }
    }

    /// Returns the ranks of the stubs whose targets are next to a target, at most 32, the first of those with the same
    /// target before others.
    package func ranks(near target: [UInt8]) -> [Int32] {
        let start = firstIndex(notBefore: target)
        var found: [Int32] = []
        var end = start
        while end < keys.count, end - start < Self.maximumEqual, keys[end] == target {
            found.append(ranks[end])
            end += 1
        }
        if end < keys.count, keys[end] == target { end = firstIndex(after: target) }
        found += ranks[end..<min(end + Self.reach, ranks.count)]
        found += ranks[max(0, start - Self.reach)..<start].reversed()
        return found
    }

    private func firstIndex(notBefore target: [UInt8]) -> Int {
        firstIndex { !$0.lexicographicallyPrecedes(target) }
    }

    private func firstIndex(after target: [UInt8]) -> Int {
        firstIndex { target.lexicographicallyPrecedes($0) }
    }

    /// Returns the index of the first key that satisfies a condition, which all keys after it satisfy too.
    private func firstIndex(where condition: ([UInt8]) -> Bool) -> Int {
        var range = 0..<keys.count
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            range = condition(keys[middle]) ? range.lowerBound..<middle : (middle + 1)..<range.upperBound
        }
        return range.lowerBound
    }
}
