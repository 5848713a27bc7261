// SPDX-License-Identifier: Apache-2.0
import RepriseIO
import Testing

@testable import RepriseConnections

@Suite struct ConnectionSlotsTests {
    final class Connection {}

    private func time(_ seconds: UInt64) -> MonotonicTime {
        MonotonicTime(nanoseconds: seconds * 1_000_000_000)
    }

    private typealias Slots = ConnectionSlots<Connection, Int>

    private func isFree(_ slots: inout Slots) -> Bool { slots.takeSlot() }

    private func take(_ count: Int, _ slots: inout Slots) {
        for _ in 0..<count where !slots.takeSlot() { Issue.record("no free slot") }
    }

    @Test func reusesMostRecentConnection() {
        var slots = ConnectionSlots<Connection, Int>(limit: 3)
        let (one, two) = (Connection(), Connection())
        take(2, &slots)
        #expect(slots.release(one, at: time(1)) == nil)
        #expect(slots.release(two, at: time(2)) == nil)
        #expect(slots.takeIdle()?.connection === two)
        #expect(slots.takeIdle()?.connection === one)
        #expect(slots.takeIdle() == nil)
        #expect(slots.count == 2)
    }

    @Test func passesReleasedConnectionToFirstWaiter() {
        var slots = ConnectionSlots<Connection, Int>(limit: 1)
        let connection = Connection()
        take(1, &slots)
        #expect(!isFree(&slots))
        _ = slots.wait(1)
        let second = slots.wait(2)
        _ = slots.wait(3)
        slots.leave(second)
        #expect(slots.release(connection, at: time(1)) == 1)
        #expect(slots.idleCount == 0)
        // Its slot passes to the next waiter.
        #expect(slots.remove(connection) == 3)
        #expect(slots.count == 1)
        #expect(slots.remove(connection) == nil)
        #expect(slots.isEmpty)
    }

    @Test func returnsConnectionsIdleSinceTime() {
        var slots = ConnectionSlots<Connection, Int>(limit: 3)
        let connections = (0..<3).map { _ in Connection() }
        for (index, connection) in connections.enumerated() {
            take(1, &slots)
            _ = slots.release(connection, at: time(UInt64(index)))
        }
        #expect(slots.idle(since: time(1)).map { $0 === connections[0] || $0 === connections[1] } == [true, true])
        #expect(slots.remove(connections[0]) == nil)
        #expect(slots.idle(since: time(0)).isEmpty)
        #expect(slots.count == 2)
    }

    @Test func sharesConnectionInUse() {
        var slots = Slots(limit: 1)
        let connection = Connection()
        take(1, &slots)
        slots.share(connection)
        slots.share(connection)
        #expect(slots.takeShared() === connection)
        #expect(slots.takeShared() == nil)
        // One of its two exchanges ends, and then the other.
        #expect(slots.release(connection, isIdle: false, at: time(1)) == nil)
        #expect(slots.idleCount == 0)
        #expect(slots.release(connection, isIdle: true, at: time(2)) == nil)
        #expect(slots.takeShared() == nil)
        #expect(slots.takeIdle()?.connection === connection)
        slots.share(connection)
        _ = slots.wait(1)
        // A connection that takes no more exchanges gives its slot to the waiter.
        #expect(slots.remove(connection) == 1)
        #expect(slots.takeShared() == nil)
        #expect(slots.count == 1)
    }
}
