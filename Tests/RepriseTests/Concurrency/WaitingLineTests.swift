// SPDX-License-Identifier: Apache-2.0

import RepriseTestSupport
import Testing

@testable import Reprise

@Suite struct WaitingLineTests {
    @Test(arguments: [(Int.min, 1), (0, 1), (1, 1), (4, 4)])
    func hasAtLeastOneSlot(slots: Int, expected: Int) {
        #expect(WaitingLine<String>(slots: slots).freeSlots == expected)
    }

    @Test func handsASlotToWhoHasWaitedLongest() {
        var line = WaitingLine<String>(slots: 1)
        let takes = [line.take(), line.take()]
        #expect(takes == [true, false])
        for name in ["a", "b", "c"] { line.wait(line.newID(), name) }
        let first = line.give()
        #expect(first == "a")
        #expect(line.freeSlots == 0)
        let left = [line.leave(2), line.leave(2), line.leave(1)]
        #expect(left == ["b", nil, nil])
        let rest = [line.give(), line.give()]
        #expect(rest == ["c", nil])
        #expect(line.freeSlots == 1)
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func neverLosesASlotNorTheOrder(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var line = WaitingLine<Int>(slots: 3)
        var (taken, waiting) = (0, [Int]())
        for _ in 0..<5000 {
            switch Int.random(in: 0..<5, using: &random) {
            case 0, 1:
                if line.take() {
                    #expect(waiting.isEmpty)
                    taken += 1
                } else {
                    let id = line.newID()
                    line.wait(id, id)
                    waiting.append(id)
                }
            case 2:
                guard let id = waiting.randomElement(using: &random) else { continue }
                let left = line.leave(id)
                #expect(left == id)
                waiting.removeAll { $0 == id }
            default:
                guard taken > 0 else { continue }
                let next = line.give()
                #expect(next == waiting.first)
                if next == nil { taken -= 1 } else { waiting.removeFirst() }
            }
            #expect(line.freeSlots == 3 - taken)
        }
    }
}
