// SPDX-License-Identifier: Apache-2.0

internal import RepriseIO

/// The events that were not written as text yet. The loops append to it, and a task takes them.
///
/// If the task is slow, events are lost and counted. The loops never wait.
final class EventQueue: Sendable {
    /// The events to write, and the number of those that were lost after them.
    struct Batch: Sendable {
        var events: [ServerEvent]
        var lost: Int
    }

    private let capacity: Int
    private let state = Locked(State())

    private struct State {
        var events: [ServerEvent] = []
        var lost = 0
        var next = 1
        var isFinished = false
        var waiter: CheckedContinuation<Batch?, Never>?
    }

    /// Creates a queue of at most `capacity` events.
    init(capacity: Int = 1000) {
        self.capacity = capacity
    }

    var nextNumber: Int { state.withLock(\.next) }

    /// Appends an event. Can be called on any thread.
    func append(_ kind: ServerEvent.Kind) {
        let event = ServerEvent(kind: kind)
        let waiter = state.withLock { state -> (CheckedContinuation<Batch?, Never>, Batch)? in
            if state.isFinished { return nil }
            var event = event
            event.number = state.next
            state.next += 1
            if let waiter = state.waiter {
                state.waiter = nil
                return (waiter, Batch(events: [event], lost: 0))
            }
            // Events after a lost one are lost too, so that all missing events are in one place.
            if state.lost > 0 || state.events.count == capacity {
                state.lost += 1
            } else {
                state.events.append(event)
            }
            return nil
        }
        if let (waiter, batch) = waiter { waiter.resume(returning: batch) }
    }

    /// Waits for events and takes them; nil once the queue is finished. Only one task may call it.
    func next() async -> Batch? {
        await withCheckedContinuation { waiter in
            let ready = state.withLock { state -> Batch?? in
                if state.isFinished { return .some(nil) }
                guard !state.events.isEmpty else {
                    state.waiter = waiter
                    return nil
                }
                defer {
                    state.events = []
                    state.lost = 0
                }
                return Batch(events: state.events, lost: state.lost)
            }
            if let ready { waiter.resume(returning: ready) }
        }
    }

    /// Ends the queue when the last reader of events has left. Can be called on any thread.
    func finish() {
        let waiter = state.withLock { state in
            state.isFinished = true
            state.events = []
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume(returning: nil)
    }
}
