// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import RepriseMatching

@Suite struct OrdinalCounterTests {
    @Test func returnsEachOrdinalOnce() async {
        let play = SequenceState(FixtureIndex(recorded: ["GET /a", "GET /b"]))
        let ordinals = await withTaskGroup(of: [Int].self) { group in
            for _ in 0..<8 {
                group.addTask {
                    (0..<5000).map { _ in play.take(FixtureSequence.ID(number: 0)).ordinal }
                }
            }
            return await group.reduce(into: []) { $0 += $1 }
        }
        #expect(ordinals.sorted() == Array(1...40000))
        #expect(play.taken(of: FixtureSequence.ID(number: 0)) == 40000)
        #expect(play.taken(of: FixtureSequence.ID(number: 1)) == 0)
    }
}
