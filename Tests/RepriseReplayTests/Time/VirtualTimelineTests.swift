// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import RepriseReplay

@Suite struct VirtualTimelineTests {
    private var timeline = VirtualTimeline()

    @Test mutating func releasesEarliestWaiterFirst() {
        timeline.wait(1, nil, until: .seconds(5), rank: 1)
        timeline.wait(2, nil, until: .seconds(3), rank: 2)
        timeline.wait(3, nil, until: .seconds(3), rank: 1)
        #expect([timeline.release(), timeline.release(), timeline.release(), timeline.release()] == [3, 2, 1, nil])
        #expect(timeline.now == .seconds(5))
    }

    @Test mutating func waitsForBusyExchanges() {
        timeline.begin(10, request: nil)
        timeline.begin(11, request: nil)
        timeline.wait(1, 10, until: .seconds(5), rank: 0)
        #expect(timeline.release() == nil)
        timeline.wait(2, 11, until: .seconds(2), rank: 0)
        #expect(timeline.release() == 2)
        #expect(timeline.release() == nil)
        timeline.end(11)
        #expect(timeline.release() == 1)
    }

    @Test mutating func waitsForRequestsRecordedEarlier() {
        let first = timeline.expect([.seconds(1), .seconds(4), nil])
        timeline.begin(10, request: first)
        timeline.wait(1, 10, until: .seconds(4), rank: 0)
        #expect(timeline.release() == 1)
        timeline.wait(2, 10, until: .seconds(5), rank: 0)
        #expect(timeline.release() == nil)
        timeline.begin(11, request: first + 1)
        timeline.end(11)
        #expect(timeline.release() == 2)
    }

    @Test mutating func releasesSleepersDespiteExpectedRequests() {
        _ = timeline.expect([.seconds(1)])
        timeline.wait(1, nil, until: .seconds(4), rank: 0)
        #expect(timeline.release() == 1)
    }

    @Test mutating func stopsWaitingAfterLosingPatience() {
        _ = timeline.expect([.seconds(1), .seconds(7)])
        timeline.begin(10, request: nil)
        timeline.begin(11, request: nil)
        timeline.wait(1, 11, until: .seconds(5), rank: 0)
        #expect(timeline.release() == nil)
        timeline.losePatience()
        #expect(timeline.release() == 1)
        timeline.wait(2, 11, until: .seconds(8), rank: 0)
        #expect(timeline.release() == nil)
        timeline.losePatience()
        #expect(timeline.release() == 2)
    }

    @Test mutating func treatsExchangeAsBusyAfterGivingUp() {
        timeline.begin(10, request: nil)
        timeline.wait(1, 10, until: .seconds(1), rank: 0)
        timeline.giveUp(1)
        timeline.giveUp(1)
        timeline.wait(2, nil, until: .seconds(2), rank: 0)
        #expect(timeline.release() == nil)
        timeline.end(10)
        #expect(timeline.release() == 2)
        #expect(!timeline.hasWaiters)
    }
}
