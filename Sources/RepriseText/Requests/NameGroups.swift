// SPDX-License-Identifier: Apache-2.0

/// Groups the indices of equal names, in the order of their first occurrence.
package func placesOfEqual(_ names: [String]) -> [[Int]] {
    var groups: [[Int]] = []
    // Only needed for many names: with a few, comparing them is faster.
    var table: [ExactText: Int] = [:]
    for (place, name) in names.enumerated() {
        if let known = groups.count < 16 ? groups.firstIndex(where: { names[$0[0]] == name }) : table[name] {
            groups[known].append(place)
            continue
        }
        groups.append([place])
        if groups.count == 16 {
            for (index, group) in groups.enumerated() { table[names[group[0]]] = index }
        } else if groups.count > 16 {
            table[name] = groups.count - 1
        }
    }
    return groups
}
