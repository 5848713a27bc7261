// SPDX-License-Identifier: Apache-2.0

/// An object with a deadline that moves often and is rarely reached, such as a connection.
public protocol Sweepable: AnyObject {
    /// When to call ``deadlinePassed()``, or nil for no deadline. Moving it is a write to a field.
    var deadline: MonotonicTime? { get }

    /// The item's position in its sweep's list; nil if no sweep watches it. Only the sweep sets it.
    var sweepPosition: Int? { get set }

    /// Called on the loop's thread at most 250 ms after the deadline, and again every 250 ms until the deadline is
    /// moved or the item is removed.
    func deadlinePassed()
}

/// A loop's coarse timer, which checks the deadlines of all its items every 250 ms.
///
/// A timer for each request would cost more than the request; moving a deadline only writes a field. Use a sweep on
/// the loop's thread only. It keeps its items alive until they are removed.
public final class DeadlineSweep {
    private unowned let loop: EventLoop
    private var items: [any Sweepable] = []
    private var tick = TimerToken.none

    static let interval = Duration.milliseconds(250)

    init(loop: EventLoop) {
        self.loop = loop
    }

    /// Starts watching an item's deadline. Adding an item again has no effect. Watching stops when the loop ends.
    public func add(_ item: any Sweepable) {
        guard item.sweepPosition == nil, !loop.hasEnded else { return }
        item.sweepPosition = items.count
        items.append(item)
        scheduleTick()
    }

    /// Stops watching an item.
    public func remove(_ item: any Sweepable) {
        guard let position = item.sweepPosition else { return }
        item.sweepPosition = nil
        let last = items.removeLast()
        if position < items.count {
            items[position] = last
            last.sweepPosition = position
        }
        if items.isEmpty {
            loop.cancel(tick)
            tick = .none
        }
    }

    /// Releases all items. An item may hold a reference to the loop, so keeping them would keep the loop alive.
    func removeAll() {
        // Release the items only after the sweep is consistent again: an item's deinitializer may remove other items.
        let freed = items
        items = []
        for item in freed { item.sweepPosition = nil }
        withExtendedLifetime(freed) {}
    }

    private func scheduleTick() {
        guard tick == .none, !items.isEmpty else { return }
        tick = loop.schedule(self, at: loop.now() + Self.interval)
    }
}

extension DeadlineSweep: TimerTarget {
    /// Checks all deadlines.
    public func timerFired(_ token: TimerToken) {
        tick = .none
        let now = loop.now()
        // Iterate from the end. Removing an item moves the last one into its place, and the last one has been checked
        // already, so no item is skipped even if the callbacks remove some.
        var position = items.count - 1
        while position >= 0 {
            if position < items.count, let deadline = items[position].deadline, deadline <= now {
                items[position].deadlinePassed()
            }
            position -= 1
        }
        scheduleTick()
    }
}
