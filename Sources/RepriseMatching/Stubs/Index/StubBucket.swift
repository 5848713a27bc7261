// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// Stubs that have the same condition on the target. If there are many, those that require a certain value are looked
/// up by that value.
struct StubBucket: Sendable {
    /// The ranks of the stubs that are not in ``groups``, ascending.
    private(set) var ranks: [Int32] = []
    /// The stubs that require a value, by field.
    private(set) var groups: [Group] = []

    /// Stubs that require a value of the same field.
    struct Group: Sendable {
        let field: StubKey.Field
        /// The ranks by value, ascending.
        var ranks: [ArraySlice<UInt8>: [Int32]] = [:]
    }

    /// The number of stubs up to which each is compared in turn.
    private static let fewStubs = 8
    /// The number of fields that are looked up.
    private static let maximumGroups = 8

    /// Creates a bucket of the stubs with the given ranks, ascending.
    init(_ ranks: [Int32], _ keys: [StubKey]) {
        self.ranks = ranks
        while self.ranks.count > Self.fewStubs, groups.count < Self.maximumGroups,
            let field = Self.mostSelectiveField(of: self.ranks, keys)
        {
            var group = Group(field: field)
            self.ranks.removeAll { rank in
                guard let value = keys[Int(rank)].equalities.first(where: { $0.field == field })?.value else {
                    return false
                }
                group.ranks[value[...], default: []].append(rank)
                return true
            }
            groups.append(group)
        }
    }

    /// Returns the field with the most different values, or `nil` if no field tells stubs apart.
    private static func mostSelectiveField(of ranks: [Int32], _ keys: [StubKey]) -> StubKey.Field? {
        var values: [StubKey.Field: Set<[UInt8]>] = [:]
        for rank in ranks {
            for equality in keys[Int(rank)].equalities {
                values[equality.field, default: []].insert(equality.value)
            }
        }
        // The order of a dictionary changes from run to run, but the choice must not.
        return values.filter { $0.value.count > 1 }
            .max { ($0.value.count, "\($1.key)") < ($1.value.count, "\($0.key)") }?.key
    }

    /// Whether the values of fields are needed to find the stubs.
    var needsValues: Bool { !groups.isEmpty }

    /// Appends the ranks of the stubs that can answer a request with the given values.
    func append(to found: inout [Int32], _ values: (StubKey.Field) -> [ArraySlice<UInt8>]) {
        found += ranks
        for group in groups {
            for value in values(group.field) {
                if let ranks = group.ranks[value] { found += ranks }
            }
        }
    }
}
