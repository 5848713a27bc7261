// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

extension JSONTree {
    /// Whether both are the same value: numbers compare by value, and objects regardless of the order of members.
    ///
    /// - Parameter steps: The number of values that may still be compared. The result is `false` if it reaches 0.
    public func isEqual(to other: JSONTree, steps: inout Int) -> Bool {
        steps -= 1
        guard steps > 0 else { return false }
        switch (self, other) {
        case (.null, .null): return true
        case (.bool(let left), .bool(let right)): return left == right
        case (.number(let left), .number(let right)):
            // Only equal doubles need their digits compared.
            if left.double == right.double { steps -= (left.spelling.utf8.count + right.spelling.utf8.count) / 4 }
            return left.isEqual(to: right)
        case (.string(let left), .string(let right)):
            steps -= left.utf8.count / 64
            return left == right
        case (.array(let left), .array(let right)):
            guard left.count == right.count else { return false }
            for index in left.indices {
                guard left[index].isEqual(to: right[index], steps: &steps) else { return false }
            }
            return true
        case (.object(let left), .object(let right)):
            return Self.areEqual(left, right, &steps)
        default: return false
        }
    }

    private static func areEqual(_ left: [Member], _ right: [Member], _ steps: inout Int) -> Bool {
        guard left.count == right.count else { return false }
        // Names are distinct, so it is enough that each of the left ones is on the right.
        var table = JSONMemberTable()
        for index in left.indices {
            guard let place = table.place(of: left[index].name, in: right, near: index),
                left[index].value.isEqual(to: right[place].value, steps: &steps)
            else { return false }
        }
        return true
    }
}

/// Finds members of one object by name: first at the expected place, then among a few, then by hash.
package struct JSONMemberTable {
    private var places: [ExactText: Int] = [:]

    package init() {}

    /// Returns the place of the member `name` in `members`, the same object in each call, to which members may have been
    /// added.
    package mutating func place(of name: String, in members: [JSONTree.Member], near guess: Int) -> Int? {
        if guess < members.count, members[guess].name == name { return guess }
        if members.count <= 16 { return members.firstIndex { $0.name == name } }
        if places.isEmpty { places.reserveCapacity(members.count) }
        for index in places.count..<members.count { places[members[index].name] = index }
        return places[name]
    }

    /// Sets the value of a member, which is added at the end if there is none.
    mutating func set(_ name: String, to value: JSONTree, in members: inout [JSONTree.Member]) {
        if let place = place(of: name, in: members, near: members.count) {
            members[place].value = value
        } else {
            members.append(JSONTree.Member(name, value))
        }
    }
}
