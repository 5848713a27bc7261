// SPDX-License-Identifier: Apache-2.0

private import CRepriseLibevent

/// A thread that waits for sockets, timers, signals and work from other threads.
///
/// Objects bound to a loop (``Socket``, ``Listener``, ``SignalSource``, timers, the sweep) are created, used and
/// closed on the loop's thread only. They need no locks, and their callbacks run on that thread. To run work there,
/// call ``execute(_:)`` or use an actor whose executor is the loop:
///
/// ```swift
/// actor Connections {
///     let loop: EventLoop
///     nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
/// }
/// ```
///
/// The thread keeps the loop alive until ``shutDown()`` is called.
@safe
public final class EventLoop: @unchecked Sendable {
    // Sendable because its state is of three kinds: constants; `inbox` and `ending`, which are locked; and the rest,
    // which only the loop's current thread touches (first its own thread and, after that has ended, the late thread of
    // ``LoopInbox``, never both at a time).

    /// The name of the loop's thread.
    public let name: String

    let base: OpaquePointer
    let receiveBuffer: UnsafeMutableRawBufferPointer
    private let wakeUp: WakeUp
    private var wakeUpEvent: LoopEvent?
    private let inbox = Locked(LoopInbox())
    private var batch: [LoopInbox.Job] = []
    /// How many batches of the loop's own work have run in a row without polling the system for events.
    private var batchesThisTurn = 0

    /// The work for the end of this turn, and an empty array whose memory is reused.
    private var turnEnd: [any LoopWork] = []
    private var emptyTurnEnd: [any LoopWork] = []

    private let ending = Locked(Ending())
    private var thread: SystemThread?
    private(set) var hasEnded = false

    var resources: [any LoopResource] = []
    var timers = TimerHeap()
    var alarm: TimerAlarm?
    var isFiringTimers = false
    private var lazyFileBuffer: UnsafeMutableRawBufferPointer?

    /// Deadlines that are checked every 250 ms; loop thread only.
    public var sweep: DeadlineSweep {
        if let existing = lazySweep { return existing }
        let made = DeadlineSweep(loop: self)
        lazySweep = made
        return made
    }
    private var lazySweep: DeadlineSweep?

    /// Starts a loop on a new thread.
    ///
    /// - Parameter name: The thread's name, for debuggers and `top`. Linux shows its first 15 bytes.
    /// - Throws: ``SystemError`` if the process has no descriptors, memory or threads left.
    public init(name: String) throws(SystemError) {
        self.name = name
        wakeUp = try WakeUp()
        Self.setUpLibrary
        guard let base = unsafe shim_event_base(wakeUp.readEnd) else { throw SystemError.last("event_base_new") }
        unsafe self.base = base
        unsafe receiveBuffer = .allocate(byteCount: Self.bufferSize, alignment: 64)
        wakeUpEvent = try unsafe .waiting(.read, of: wakeUp.readEnd, on: self, target: self, callback: loopWasWoken)
        alarm = try TimerAlarm(loop: self)
        thread = try SystemThread(name: name) { CurrentLoop.with(self) { self.run() } }
    }

    deinit {
        alarm?.close()
        wakeUpEvent?.free()
        unsafe event_base_free(base)
        unsafe receiveBuffer.deallocate()
        unsafe lazyFileBuffer?.deallocate()
    }

    /// Configures libevent once per process so that it neither writes to standard error nor calls `exit`.
    private static let setUpLibrary: Void = shim_event_callbacks()

    /// Whether the calling code runs on this loop.
    public var isCurrent: Bool { CurrentLoop.isCurrent(self) }

    /// Runs `work` on the loop after all work that was submitted before it; any thread.
    ///
    /// After ``shutDown()``, work still runs in order and with ``isCurrent`` true, but on a separate thread, and
    /// nothing can be started on the loop anymore.
    public func execute(_ work: @escaping @Sendable () -> Void) {
        post(.closure(work))
    }

    /// Runs `work` after all events of the loop's current turn, in the order of the calls; loop thread only.
    ///
    /// Use it to handle several events at once, for example with a single system call.
    public func atEndOfTurn(_ work: any LoopWork) {
        turnEnd.append(work)
    }

    /// Ends the loop and joins its thread.
    ///
    /// Work submitted earlier runs first. Then sockets and listeners that are still open are closed and timers are
    /// dropped without notifying their handlers. This method may be called more than once and from anywhere. Each
    /// call returns after the thread has ended.
    @concurrent
    public func shutDown() async {
        if ending.withLock({ $0.ask() }) {
            await withCheckedContinuation { (ended: CheckedContinuation<Void, Never>) in
                ending.withLock { $0.threadEnded = ended }
                execute { self.stop() }
            }
            thread?.join()
            for waiter in ending.withLock({ $0.finish() }) { waiter.resume() }
        } else {
            await withCheckedContinuation { (waiter: CheckedContinuation<Void, Never>) in
                let isOver = ending.withLock { $0.wait(waiter) }
                if isOver { waiter.resume() }
            }
        }
    }

    /// The current time.
    public func now() -> MonotonicTime { .now }

    /// The size of the receive buffer, in bytes.
    public static let bufferSize = 64 << 10

    /// The limit on batches in a row: work that keeps submitting more work must not starve sockets and timers.
    private static let batchesPerTurn = 8

    /// A second buffer for file contents, since a handler may send a file while it reads received bytes.
    var fileBuffer: UnsafeMutableRawBufferPointer {
        if let existing = unsafe lazyFileBuffer { return unsafe existing }
        let made = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.bufferSize, alignment: 64)
        unsafe lazyFileBuffer = made
        return unsafe made
    }
}

// MARK: - Running

extension EventLoop {
    func post(_ job: LoopInbox.Job) {
        switch inbox.withLock({ $0.add(job) }) {
        case .none:
            break
        case .wakeLoop where isCurrent && batchesThisTurn < Self.batchesPerTurn:
            // Needs no system call: libevent runs the event in this turn, or in the next one without waiting.
            batchesThisTurn += 1
            wakeUpEvent?.activate()
        case .wakeLoop:
            wakeUp.signal()
        case .startLateThread:
            do throws(SystemError) {
                try SystemThread(name: name) { CurrentLoop.with(self) { self.runUntilEmpty() } }.detach()
            } catch {
                // No thread can be started. Running the job here is better than never running it.
                CurrentLoop.with(self) { runUntilEmpty() }
            }
        }
    }

    private func run() {
        while !hasEnded {
            // Returns after one turn, after stop() breaks the loop, or if waiting failed. In the last case, the next wait
            // may still work.
            _ = unsafe event_base_loop(base, EVLOOP_NO_EXIT_ON_EMPTY | EVLOOP_ONCE)
            endTurn()
        }
        while let resource = resources.last { resource.close() }
        lazySweep?.removeAll()
        // Release the timers only after the heap is consistent again: a target's deinitializer may cancel others.
        let freed = timers
        timers = TimerHeap()
        withExtendedLifetime(freed) {}
        runUntilEmpty()
        ending.withLock { $0.threadEnded }?.resume()
    }

    /// Runs the work for the end of a turn, including work that it adds.
    private func endTurn() {
        while !turnEnd.isEmpty {
            var batch = turnEnd
            turnEnd = emptyTurnEnd
            emptyTurnEnd = []
            for work in batch { work.run() }
            batch.removeAll(keepingCapacity: batch.count <= 1024)
            emptyTurnEnd = batch
        }
    }

    private func stop() {
        hasEnded = true
        unsafe event_base_loopbreak(base)
    }

    fileprivate func wasWoken(bySignal: Bool) {
        if bySignal {
            wakeUp.clear()
            batchesThisTurn = 0
        }
        inbox.withLock { $0.take(into: &batch) }
        runBatch()
    }

    private func runUntilEmpty() {
        endTurn()
        while inbox.withLock({ $0.takeOrEnd(into: &batch) }) {
            runBatch()
            endTurn()
        }
    }

    private func runBatch() {
        let executor = unsafe asUnownedSerialExecutor()
        for job in batch {
            switch job {
            case .closure(let work): work()
            case .work(let work): work.value.run()
            case .task(let job): unsafe job.runSynchronously(on: executor)
            }
        }
        // A burst of jobs must not keep its memory forever.
        batch.removeAll(keepingCapacity: batch.count <= 1024)
    }

    /// The tasks that wait for the end of a loop.
    private struct Ending {
        var threadEnded: CheckedContinuation<Void, Never>?
        private var waiters: [CheckedContinuation<Void, Never>] = []
        private var isAsked = false
        private var isOver = false

        /// Returns true on the first call only.
        mutating func ask() -> Bool {
            defer { isAsked = true }
            return !isAsked
        }

        /// Stores the waiter, or returns true if the loop has already ended.
        mutating func wait(_ waiter: CheckedContinuation<Void, Never>) -> Bool {
            if !isOver { waiters.append(waiter) }
            return isOver
        }

        mutating func finish() -> [CheckedContinuation<Void, Never>] {
            isOver = true
            defer { waiters = [] }
            return waiters
        }
    }
}

private func loopWasWoken(_: Int32, _ what: Int16, _ context: UnsafeMutableRawPointer?) {
    unsafe target(context, as: EventLoop.self)?.wasWoken(bySignal: LoopEvent.isFromSystem(what))
}
