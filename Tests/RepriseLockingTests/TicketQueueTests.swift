// SPDX-License-Identifier: Apache-2.0

import RepriseTestSupport
import Testing

@testable import RepriseLocking

@Suite struct TicketQueueTests {
    @Test func returnsElementsInOrder() {
        var queue = TicketQueue<Int>()
        for number in 0..<100 { _ = queue.join(number) }
        #expect(queue.count == 100)
        #expect((0..<100).map { _ in queue.next() } == Array(0..<100))
        #expect(queue.next() == nil)
        #expect(queue.count == 0)
    }

    @Test func skipsElementsThatLeft() {
        var queue = TicketQueue<Int>()
        let tickets = (0..<10).map { queue.join($0) }
        for number in [0, 3, 4, 9] { queue.leave(tickets[number]) }
        queue.leave(tickets[3])
        #expect(queue.count == 6)
        #expect((0..<7).map { _ in queue.next() } == [1, 2, 5, 6, 7, 8, nil])
    }

    @Test func leavingAfterNextHasNoEffect() {
        var queue = TicketQueue<Int>()
        let first = queue.join(1)
        _ = queue.join(2)
        #expect(queue.next() == 1)
        queue.leave(first)
        #expect(queue.next() == 2)
    }

    @Test func reclaimsPlacesBehindWaitingElement() {
        var queue = TicketQueue<Int>()
        _ = queue.join(0)
        for number in 1...100_000 {
            let ticket = queue.join(number)
            #expect(queue.leave(ticket) == number)
        }
        #expect(queue.places.count < 64)
        _ = queue.join(-1)
        #expect([queue.next(), queue.next(), queue.next()] == [0, -1, nil])
    }

    /// Compares the results with those of a plain array.
    @Test(arguments: 0..<20 as Range<UInt64>) func behavesLikeArray(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var queue = TicketQueue<Int>()
        var plain: [Int] = []
        var tickets: [Int: TicketQueue<Int>.Ticket] = [:]
        for number in 0..<3000 {
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<4:
                tickets[number] = queue.join(number)
                plain.append(number)
            case 4..<8:
                #expect(queue.next() == (plain.isEmpty ? nil : plain.removeFirst()))
            default:
                guard let leaver = tickets.keys.sorted().randomElement(using: &random), let ticket = tickets[leaver]
                else { continue }
                let left = queue.leave(ticket)
                #expect(left == (plain.contains(leaver) ? leaver : nil))
                plain.removeAll { $0 == leaver }
            }
            #expect(queue.count == plain.count)
        }
    }
}
