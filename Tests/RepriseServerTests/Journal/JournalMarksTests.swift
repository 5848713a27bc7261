// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import RepriseServer

@Suite struct JournalMarksTests {
    @Test func removedRequestsAreHidden() {
        var marks = JournalMarks()
        marks.remove([JournalKey(loop: 0, number: 3), JournalKey(loop: 1, number: 4)])
        marks.removeAll(of: 1, before: 2)
        let keys = (0..<2).flatMap { loop in (0..<6).map { JournalKey(loop: loop, number: $0) } }
        let hidden = keys.filter { marks.hides($0) }
        #expect(hidden.map { [$0.loop, $0.number] } == [[0, 3], [1, 0], [1, 1], [1, 4]])
    }

    @Test func resetNeverBringsBackRequests() {
        var marks = JournalMarks()
        marks.removeAll(of: 0, before: 5)
        marks.removeAll(of: 0, before: 3)
        #expect(marks.hides(JournalKey(loop: 0, number: 4)))
    }

    @Test func trimmingForgetsWhatTheRingDropped() {
        var marks = JournalMarks()
        marks.remove([JournalKey(loop: 0, number: 3), JournalKey(loop: 0, number: 9)])
        marks.trim(to: [5])
        #expect(!marks.hides(JournalKey(loop: 0, number: 3)))
        #expect(marks.hides(JournalKey(loop: 0, number: 9)))
    }

    @Test(arguments: [0, 1, 255, 65_536, 1 << 40], [0, 1, 63, 4095])
    func identifierLeadsBackToTheRequest(number: Int, loop: Int) {
        let identifiers = JournalIdentifiers(seed: 0xDEAD_BEEF_DEAD_BEEF)
        let key = JournalKey(loop: loop, number: number)
        let id = identifiers.id(of: key)
        #expect(id.utf8.count == 36)
        #expect(identifiers.key(of: id) == key)
        #expect(identifiers.key(of: id.uppercased()) == key)
        #expect(JournalIdentifiers(seed: 1).key(of: id) == nil)
    }

    @Test(arguments: ["", "x", "00000000-0000-0000-0000-000000000000", "0000000000000000000000000000000000-0", "é"])
    func otherTextIsNoIdentifier(text: String) {
        #expect(JournalIdentifiers(seed: 0).key(of: text) == nil)
    }

    @Test func identifierIsAUUIDOfVersion8() {
        let id = JournalIdentifiers(seed: 0).id(of: JournalKey(loop: 2, number: 1))
        #expect(id == "00000000-0001-8002-8000-000000000000")
    }
}
