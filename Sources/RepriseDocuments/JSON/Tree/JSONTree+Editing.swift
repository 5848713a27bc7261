// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

extension [JSONTree.Member] {
    /// Sets the value of a member, which is added at the end if there is none.
    package mutating func set(_ name: String, to value: JSONTree) {
        if let place = firstIndex(where: { $0.name == name }) {
            self[place].value = value
        } else {
            append(JSONTree.Member(name, value))
        }
    }
}

extension JSONTree {
    /// Returns the value with changes. Objects are merged; anything else is replaced.
    ///
    /// - Parameter removesNulls: Whether a member that is `null` in the changes is removed.
    package func merged(with changes: JSONTree, removesNulls: Bool = false) -> JSONTree {
        guard case .object(var members) = self, case .object(let changes) = changes else { return changes }
        var table = JSONMemberTable()
        var removed: Set<Int> = []
        for (index, change) in changes.enumerated() {
            let place = table.place(of: change.name, in: members, near: index)
            if removesNulls, change.value == .null {
                if let place { removed.insert(place) }
            } else if let place {
                members[place].value = members[place].value.merged(with: change.value, removesNulls: removesNulls)
            } else {
                members.append(change)
            }
        }
        if removed.isEmpty { return .object(members) }
        return .object(members.enumerated().filter { !removed.contains($0.offset) }.map(\.element))
    }
}
