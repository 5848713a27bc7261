// SPDX-License-Identifier: Apache-2.0

/// Something with a deadline that moves often and is rarely reached, such as a connection.
public protocol Sweepable: AnyObject {
    /// When ``deadlinePassed()`` is to be called; nil for not at all. Moving it is a write to a field.
    var deadline: MonotonicTime? { get }

    /// Called on the loop's thread at most 250 ms after the deadline, and again every 250 ms until it is moved or the
    /// item is removed.
    func deadlinePassed()
}

/// The coarse clock of a loop: one tick every 250 ms looks at all items that were added.
///
/// A timer for each request would cost more than the request; this costs a field write. Loop thread only. Items are
/// kept alive until they are removed.
public final class DeadlineSweep {
    private unowned let loop: EventLoop
    private var items: [any Sweepable] = []
    private var positions: [ObjectIdentifier: Int] = [:]
    private var tick = TimerToken.none

    static let interval = Duration.milliseconds(250)

    init(loop: EventLoop) {
        self.loop = loop
    }

    /// Watches an item's deadline from now on; an item that is watched already stays so. The end of the loop is the end
    /// of all watching.
    public func add(_ item: any Sweepable) {
        guard positions[ObjectIdentifier(item)] == nil, !loop.hasEnded else { return }
        positions[ObjectIdentifier(item)] = items.count
        items.append(item)
        scheduleTick()
    }

    /// Watches an item no more.
    public func remove(_ item: any Sweepable) {
        guard let position = positions.removeValue(forKey: ObjectIdentifier(item)) else { return }
        let last = items.removeLast()
        if position < items.count {
            items[position] = last
            positions[ObjectIdentifier(last)] = position
        }
        if items.isEmpty {
            loop.cancel(tick)
            tick = .none
        }
    }

    /// Lets go of all items, which may keep the loop alive as it keeps them.
    func removeAll() {
        // Freed only when the sweep is in order again: what ends with an item may remove others.
        let freed = items
        items = []
        positions = [:]
        withExtendedLifetime(freed) {}
    }

    private func scheduleTick() {
        guard tick == .none, !items.isEmpty else { return }
        tick = loop.schedule(self, at: loop.now() + Self.interval)
    }
}

extension DeadlineSweep: TimerTarget {
    /// One tick.
    public func timerFired(_ token: TimerToken) {
        tick = .none
        let now = loop.now()
        // From the end: removing an item moves the last one, which has been looked at, into its place. So none is
        // missed, whatever the callbacks remove.
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
