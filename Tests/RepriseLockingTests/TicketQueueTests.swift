// SPDX-License-Identifier: Apache-2.0

import RepriseTestSupport
import Testing

@testable import RepriseLocking

@Suite struct TicketQueueTests {
    @Test func whoCameFirstIsFirst() {
        var line = TicketQueue<Int>()
        for number in 0..<100 { _ = line.join(number) }
        #expect(line.count == 100)
        #expect((0..<100).map { _ in line.next() } == Array(0..<100))
        #expect(line.next() == nil)
        #expect(line.count == 0)
    }

    @Test func whoLeavesIsPassedOver() {
        var line = TicketQueue<Int>()
        let tickets = (0..<10).map { line.join($0) }
        for number in [0, 3, 4, 9] { line.leave(tickets[number]) }
        line.leave(tickets[3])
        #expect(line.count == 6)
        #expect((0..<7).map { _ in line.next() } == [1, 2, 5, 6, 7, 8, nil])
    }

    @Test func leavingTooLateIsNothing() {
        var line = TicketQueue<Int>()
        let first = line.join(1)
        _ = line.join(2)
        #expect(line.next() == 1)
        line.leave(first)
        #expect(line.next() == 2)
    }

    @Test func whoLeavesBehindOneThatStaysTakesNoRoom() {
        var line = TicketQueue<Int>()
        _ = line.join(0)
        for number in 1...100_000 {
            let ticket = line.join(number)
            #expect(line.leave(ticket) == number)
        }
        #expect(line.places.count < 64)
        _ = line.join(-1)
        #expect([line.next(), line.next(), line.next()] == [0, -1, nil])
    }

    /// Against a line that is an array, in which every change moves everything.
    @Test(arguments: 0..<20 as Range<UInt64>) func doesAsAPlainArrayDoes(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var line = TicketQueue<Int>()
        var plain: [Int] = []
        var tickets: [Int: TicketQueue<Int>.Ticket] = [:]
        for number in 0..<3000 {
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<4:
                tickets[number] = line.join(number)
                plain.append(number)
            case 4..<8:
                #expect(line.next() == (plain.isEmpty ? nil : plain.removeFirst()))
            default:
                guard let leaver = tickets.keys.sorted().randomElement(using: &random), let ticket = tickets[leaver]
                else { continue }
                let left = line.leave(ticket)
                #expect(left == (plain.contains(leaver) ? leaver : nil))
                plain.removeAll { $0 == leaver }
            }
            #expect(line.count == plain.count)
        }
    }
}
