// SPDX-License-Identifier: Apache-2.0

/// Returns the candidate that is similar enough to `name` to have been meant.
package func nearest(to name: String, among candidates: [String]) -> String? {
    guard name.utf8.count <= 40 else { return nil }
    let scored = candidates.map { (name: $0, distance: editDistance(Array(name.lowercased()), Array($0.lowercased()))) }
    guard let best = scored.min(by: { $0.distance < $1.distance }) else { return nil }
    return best.distance <= max(1, min(best.name.count, name.count) / 2) ? best.name : nil
}

/// Returns the message on a name in a file that has no meaning there.
///
/// - Parameter what: What the name is, such as `key`.
package func unknownName(_ name: String, _ what: String, among known: [String]) -> String {
    let near = nearest(to: name, among: known).map { "did you mean \"\($0)\"?" }
    return "\"\(clipped(name))\": unknown \(what); \(near ?? "expected one of \(quotedList(known))")"
}

/// Returns texts in quotation marks, with commas between them.
package func quotedList(_ texts: [String]) -> String {
    texts.map { "\"\($0)\"" }.joined(separator: ", ")
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
