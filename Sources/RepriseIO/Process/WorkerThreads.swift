// SPDX-License-Identifier: Apache-2.0

/// Threads for work that takes too long for a loop. The work waits in a FIFO queue, and loops run first while there are
/// too few processors for all threads.
///
/// Threads start when they are needed, and end when there has been no work for a while, or after the queue is released
/// and its work is done.
public final class WorkerThreads: Sendable {
    private struct State: Sendable {
        /// The work; nil once a thread has taken it.
        var queue: [(@Sendable () -> Void)?] = []
        /// The index of the next work in `queue`.
        var next = 0
        var threadCount = 0
        var idleCount = 0
        var isOver = false

        mutating func take() -> (@Sendable () -> Void)? {
            guard next < queue.count else { return nil }
            let work = queue[next]
            queue[next] = nil
            next += 1
            if next == queue.count {
                queue.removeAll(keepingCapacity: queue.count <= 64)
                next = 0
            }
            return work
        }
    }

    private let name: String
    private let limit: Int
    private let state = MonitoredValue(State())

    /// How long a thread waits for work before it ends.
    private static let patience = Duration.seconds(10)

    /// - Parameters:
    ///   - name: The name of the threads, for debuggers.
    ///   - limit: The maximum number of threads.
    public init(name: String, limit: Int) {
        self.name = name
        self.limit = max(1, limit)
    }

    deinit {
        state.change { $0.isOver = true }
    }

    /// Appends work to the queue and returns immediately; any thread.
    public func submit(_ work: @escaping @Sendable () -> Void) {
        let mustStart = state.change { state in
            state.queue.append(work)
            guard state.idleCount < state.queue.count - state.next, state.threadCount < limit else { return false }
            state.threadCount += 1
            return true
        }
        if mustStart { start() }
    }

    /// Appends work to the queue, waits until a thread has run it, and returns its result.
    public func run<Result: Sendable>(_ work: @escaping @Sendable () -> Result) async -> Result {
        await withCheckedContinuation { continuation in submit { continuation.resume(returning: work()) } }
    }

    private func start() {
        do throws(SystemError) {
            // Captures no `self`, because releasing the queue ends the threads.
            try SystemThread(name: name, yieldsToOthers: true) { [state] in Self.run(state) }.detach()
        } catch {
            let work = state.change { state in
                state.threadCount -= 1
                return state.threadCount == 0 ? state.take() : nil
            }
            // Late is better than never.
            work?()
        }
    }

    private static func run(_ state: MonitoredValue<State>) {
        while let work = next(state) { work() }
    }

    /// Waits for work. Returns nil if the thread should end.
    private static func next(_ state: MonitoredValue<State>) -> (@Sendable () -> Void)? {
        var work: (@Sendable () -> Void)?
        var isWaiting = false
        state.wait(until: .now + patience) { state in
            work = state.take()
            let waits = work == nil && !state.isOver
            if waits != isWaiting { state.idleCount += waits ? 1 : -1 }
            isWaiting = waits
            return !waits
        }
        return state.change { state in
            if isWaiting { state.idleCount -= 1 }
            // Work may have come in the last moment.
            if work == nil { work = state.take() }
            if work == nil { state.threadCount -= 1 }
            return work
        }
    }
}
