// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import RepriseServer

@Suite struct EventQueueTests {
    private static func append(_ count: Int, to queue: EventQueue) {
        for number in 0..<count { queue.append(.cutOff(ServerEvent.RequestID(loop: 0, number: number))) }
    }

    @Test func numbersEventsInOrder() async {
        let queue = EventQueue()
        Self.append(3, to: queue)
        let batch = await queue.next()
        #expect(batch?.events.map(\.number) == [1, 2, 3])
        #expect(batch?.lost == 0)
    }

    @Test func slowReaderLosesEventsAndReceivesTheirNumber() async {
        let queue = EventQueue(capacity: 2)
        Self.append(5, to: queue)
        let batch = await queue.next()
        #expect(batch?.events.map(\.number) == [1, 2])
        #expect(batch?.lost == 3)
        Self.append(1, to: queue)
        let next = await queue.next()
        #expect(next?.events.map(\.number) == [6])
        #expect(next?.lost == 0)
    }

    @Test func waitingReaderGetsNextEvent() async {
        let queue = EventQueue()
        async let batch = queue.next()
        Self.append(1, to: queue)
        #expect(await batch?.events.map(\.number) == [1])
    }

    @Test func finishedQueueEndsReaderAndDropsEvents() async {
        let queue = EventQueue()
        async let batch = queue.next()
        queue.finish()
        #expect(await batch == nil)
        Self.append(1, to: queue)
        #expect(await queue.next() == nil)
    }
}
