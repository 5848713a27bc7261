// SPDX-License-Identifier: Apache-2.0

/// Returns the candidate that is similar enough to `name` to have been meant.
package func nearest(to name: String, among candidates: [String]) -> String? {
    guard name.utf8.count <= 40 else { return nil }
    let scored = candidates.map { (name: $0, distance: editDistance(Array(name.lowercased()), Array($0.lowercased()))) }
    guard let best = scored.min(by: { $0.distance < $1.distance }) else { return nil }
    return best.distance <= max(1, min(best.name.count, name.count) / 2) ? best.name : nil
}

/// Returns the number of insertions, deletions, replacements, and swaps of neighbors that turn `one` into `other`.
package func editDistance(_ one: [Character], _ other: [Character]) -> Int {
    var beforeLast: [Int] = []
    var last = Array(0...other.count)
    for (row, character) in one.enumerated() {
        var current = [row + 1]
        for (column, candidate) in other.enumerated() {
            var distance = min(
                last[column + 1] + 1,
                current[column] + 1,
                last[column] + (character == candidate ? 0 : 1)
            )
            if row > 0, column > 0, character == other[column - 1], one[row - 1] == candidate {
                distance = min(distance, beforeLast[column - 1] + 1)
            }
            current.append(distance)
        }
        beforeLast = last
        last = current
    }
    return last[other.count]
}
