// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import RepriseMatching

@Suite struct StubBucketTests {
    private func bucket(_ equalities: [[(field: String, value: String)]]) -> StubBucket {
        let keys = equalities.map { pairs in
            let equalities = pairs.map { StubKey.Equality(.query(Array($0.field.utf8)), $0.value) }
            return StubKey(.any, equalities)
        }
        return StubBucket((0..<Int32(keys.count)).map { $0 }, keys)
    }

    /// Few stubs are compared in turn, and so are those whose value tells nothing apart.
    @Test(arguments: [(8, true, 0), (9, true, 1), (9, false, 0)])
    func manyStubsAreLookedUp(count: Int, isDifferent: Bool, groups: Int) {
        let bucket = bucket((0..<count).map { [("a", isDifferent ? "\($0)" : "x")] })
        #expect(bucket.groups.count == groups && bucket.needsValues == (groups > 0))
        #expect(bucket.ranks.count == (groups > 0 ? 0 : count))
        var found: [Int32] = []
        bucket.append(to: &found) { _ in [Array("7".utf8)[...]] }
        #expect(found == (groups > 0 ? [7] : (0..<Int32(count)).map { $0 }))
    }

    @Test(arguments: [(4, 0), (5, 1), (6, 2), (12, 8), (13, 8)]) func atMostEightFieldsAreLookedUp(
        fields: Int,
        groups: Int
    ) {
        let bucket = bucket((0..<2 * fields).map { [("k\($0 / 2)", "\($0 % 2)")] })
        #expect(bucket.groups.count == groups)
        #expect(bucket.ranks.count == 2 * (fields - groups))
    }

    @Test func fieldWithMostValuesIsLookedUp() {
        let bucket = bucket((0..<9).map { [("a", "\($0 % 3)"), ("b", "\($0 % 4)"), ("c", "\($0 % 2)")] })
        #expect(bucket.groups.map(\.field) == [.query([0x62])])
        #expect(bucket.groups.first?.ranks[Array("0".utf8)[...]] == [0, 4, 8])
    }
}
