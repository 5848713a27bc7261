// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import RepriseServer

@Suite struct WebhookQueueTests {
    @Test func droppedWebhooksAreReportedOnce() throws {
        var queue = WebhookQueue()
        let numbers = (0..<WebhookQueue.maximumCount).compactMap { _ in queue.admit(bytes: 1) }
        #expect(numbers.count == WebhookQueue.maximumCount)
        let refused = [queue.admit(bytes: 1), queue.admit(bytes: 1)]
        #expect(refused == [nil, nil])
        let dropped = [queue.finish(numbers[0]), queue.finish(numbers[1])]
        #expect(dropped == [2, 0])
        let next = queue.admit(bytes: 1)
        #expect(next != nil)
    }

    @Test func bytesAreBounded() throws {
        var queue = WebhookQueue()
        let admitted = queue.admit(bytes: WebhookQueue.maximumBytes + 1)
        let first = try #require(admitted)
        var next = queue.admit(bytes: 0)
        #expect(next == nil)
        let isInTime = queue.schedule(first, at: .now, bytes: WebhookQueue.maximumBytes - 1)
        #expect(isInTime)
        next = queue.admit(bytes: 2)
        #expect(next == nil)
        next = queue.admit(bytes: 1)
        #expect(next != nil)
    }

    @Test func finishedWebhookReleasesItsBytes() throws {
        var queue = WebhookQueue()
        let (most, rest) = (WebhookQueue.maximumBytes - 1, 1)
        let admitted = [queue.admit(bytes: most), queue.admit(bytes: rest), queue.admit(bytes: rest)]
        #expect(admitted[2] == nil)
        for _ in 0..<3 {
            _ = queue.finish(try #require(admitted[0]))
        }
        // Only once, so that what the others hold still counts.
        let refused = queue.admit(bytes: most + 1)
        #expect(refused == nil)
        let next = queue.admit(bytes: most)
        #expect(next != nil)
        #expect(queue.count == 2)
    }

    @Test func stoppingNamesWebhooksDueLater() throws {
        var queue = WebhookQueue()
        let end = ContinuousClock.now
        let numbers = [queue.admit(bytes: 0), queue.admit(bytes: 0), queue.admit(bytes: 0)].compactMap { $0 }
        try #require(numbers.count == 3)
        let (early, late, undelayed) = (numbers[0], numbers[1], numbers[2])
        var isInTime = queue.schedule(early, at: end, bytes: 0)
        #expect(isInTime)
        isInTime = queue.schedule(late, at: end + .seconds(1), bytes: 0)
        #expect(isInTime)
        let dueLater = queue.stop(at: end)
        #expect(dueLater == [late])
        isInTime = queue.schedule(undelayed, at: end + .seconds(1), bytes: 0)
        #expect(!isInTime)
        _ = queue.finish(late, isAbandoned: true)
        #expect(queue.abandoned == 1)
    }

    @Test func finishedWebhookIsNotDue() throws {
        var queue = WebhookQueue()
        let admitted = queue.admit(bytes: 1)
        let number = try #require(admitted)
        _ = queue.finish(number)
        let isInTime = queue.schedule(number, at: .now, bytes: WebhookQueue.maximumBytes)
        #expect(!isInTime)
        #expect(queue.count == 0)
        let others = [queue.admit(bytes: 1), queue.admit(bytes: WebhookQueue.maximumBytes - 1)]
        #expect(!others.contains(nil))
        let dueLater = queue.stop(at: .now - .seconds(1))
        #expect(dueLater.isEmpty)
    }
}
