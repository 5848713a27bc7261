// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

extension JSONTree {
    /// Whether both are the same value: numbers compare by value, and objects regardless of the order of members.
    ///
    /// - Parameter budget: Each value that is compared takes a step. If there are not enough, the result is `false`.
    package func isEqual(to other: JSONTree, _ budget: WorkBudget) -> Bool {
        guard budget.take(1 + size(comparedTo: other)) else { return false }
        switch (self, other) {
        case (.null, .null): return true
        case (.bool(let left), .bool(let right)): return left == right
        case (.number(let left), .number(let right)): return left.isEqual(to: right)
        case (.string(let left), .string(let right)): return left == right
        case (.array(let left), .array(let right)):
            guard left.count == right.count else { return false }
            for index in left.indices {
                guard left[index].isEqual(to: right[index], budget) else { return false }
            }
            return true
        case (.object(let left), .object(let right)):
            return Self.areEqual(left, right, budget)
        default: return false
        }
    }

    /// The steps that comparing two long scalars takes, besides the first.
    private func size(comparedTo other: JSONTree) -> Int {
        switch (self, other) {
        // Only equal doubles need their digits compared.
        case (.number(let left), .number(let right)) where left.double == right.double:
            (left.spelling.utf8.count + right.spelling.utf8.count) / 4
        case (.string(let left), .string): left.utf8.count / 64
        default: 0
        }
    }

    /// Returns the same hash for values that are equal.
    package func valueHash(ignoringArrayOrder: Bool = false) -> Int {
        var hasher = Hasher()
        switch self {
        case .null: hasher.combine(0)
        case .bool(let value): hasher.combine(value)
        case .number(let number): hasher.combine(number.double)
        case .string(let text): hasher.combine(ExactText(text))
        case .array(let elements):
            hasher.combine(elements.count)
            if ignoringArrayOrder {
                hasher.combine(elements.reduce(0) { $0 &+ $1.valueHash(ignoringArrayOrder: true) })
            } else {
                for element in elements { hasher.combine(element.valueHash()) }
            }
        case .object(let members):
            hasher.combine(members.count)
            // The order of members has no meaning.
            hasher.combine(
                members.reduce(0) { sum, member in
                    var hasher = Hasher()
                    hasher.combine(ExactText(member.name))
                    hasher.combine(member.value.valueHash(ignoringArrayOrder: ignoringArrayOrder))
                    return sum &+ hasher.finalize()
                }
            )
        }
        return hasher.finalize()
    }

    private static func areEqual(_ left: [Member], _ right: [Member], _ budget: WorkBudget) -> Bool {
        guard left.count == right.count else { return false }
        // Names are distinct, so it is enough that each of the left ones is on the right.
        var table = JSONMemberTable()
        for index in left.indices {
            guard let place = table.place(of: left[index].name, in: right, near: index),
                left[index].value.isEqual(to: right[place].value, budget)
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
        position(of: name, in: members, near: guess)
    }

    /// Adds a member. If there is one with the same name, the new one takes its place, and the old one is returned.
    @discardableResult
    mutating func set<Member: JSONMember>(_ member: Member, in members: inout [Member]) -> Member? {
        guard let place = position(of: member.name, in: members, near: members.count) else {
            members.append(member)
            return nil
        }
        defer { members[place] = member }
        return members[place]
    }

    private mutating func position(of name: String, in members: [some JSONMember], near guess: Int) -> Int? {
        if guess < members.count, members[guess].name == name { return guess }
        if members.count <= 16 { return members.firstIndex { $0.name == name } }
        if places.isEmpty { places.reserveCapacity(members.count) }
        for index in places.count..<members.count { places[members[index].name] = index }
        return places[name]
    }
}

/// A member of an object.
protocol JSONMember {
    var name: String { get }
}

extension JSONTree.Member: JSONMember {}
extension JSONNode.Member: JSONMember {}
