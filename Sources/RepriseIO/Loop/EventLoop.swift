// SPDX-License-Identifier: Apache-2.0

private import CRepriseLibevent

/// One thread that waits for sockets, timers, signals and work from other threads.
///
/// What is bound to a loop (``Socket``, ``Listener``, ``SignalSource``, timers, the sweep) is made, used and closed on
/// the loop's thread only; it needs no locks and its callbacks come on that thread. Work gets there by ``execute(_:)``
/// or through an actor whose executor the loop is:
///
/// ```swift
/// actor Connections {
///     let loop: EventLoop
///     nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
/// }
/// ```
///
/// The thread keeps the loop alive until ``shutDown()``.
@safe
public final class EventLoop: @unchecked Sendable {
    // Sendable because of three kinds of state: constants; `inbox` and `ending`, which are locked; and the rest, which
    // only the thread that is current for this loop touches (the loop's own, then the late one, never both at a time).

    /// The name of the loop's thread.
    public let name: String

    let base: OpaquePointer
    let receiveBuffer: UnsafeMutableRawBufferPointer
    private let wakeUp: WakeUp
    private var wakeUpEvent: LoopEvent?
    private let inbox = Locked(LoopInbox())
    private var batch: [LoopInbox.Job] = []
    /// How often work of the loop itself was done without the system being asked what else there is.
    private var batchesThisTurn = 0

    private let ending = Locked(Ending())
    private var thread: SystemThread?
    private(set) var hasEnded = false

    var resources: [any LoopResource] = []
    var timers = TimerHeap()
    var alarm: TimerAlarm?
    var isFiringTimers = false
    private var lazyFileBuffer: UnsafeMutableRawBufferPointer?

    /// Deadlines that are looked at every 250 ms; loop thread only.
    public var sweep: DeadlineSweep {
        if let existing = lazySweep { return existing }
        let made = DeadlineSweep(loop: self)
        lazySweep = made
        return made
    }
    private var lazySweep: DeadlineSweep?

    /// Starts a loop on a thread of its own.
    ///
    /// - Parameter name: the thread's name, for debuggers and `top`; Linux shows 15 bytes of it.
    /// - Throws: if the process has no descriptors, memory or threads left.
    public init(name: String) throws(SystemError) {
        self.name = name
        wakeUp = try WakeUp()
        Self.setUpLibrary
        guard let base = unsafe shim_event_base(wakeUp.readEnd) else { throw SystemError.last("event_base_new") }
        unsafe self.base = base
        unsafe receiveBuffer = .allocate(byteCount: Self.bufferSize, alignment: 64)
        wakeUpEvent = try unsafe LoopEvent(
            .read,
            of: wakeUp.readEnd,
            on: base,
            target: self,
            callback: loopWasWoken
        )
        try wakeUpEvent?.add()
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

    /// Once for the process: libevent neither writes to standard error in passing nor calls `exit`.
    private static let setUpLibrary: Void = shim_event_callbacks()

    /// Whether the calling code runs on this loop.
    public var isCurrent: Bool { CurrentLoop.isCurrent(self) }

    /// Runs `work` on the loop, after all that was given to it before; any thread.
    ///
    /// After ``shutDown()`` it still runs, in order and with ``isCurrent`` true, but on a thread of its own, and
    /// nothing can be started on the loop any more.
    public func execute(_ work: @escaping @Sendable () -> Void) {
        post(.closure(work))
    }

    /// Ends the loop and joins its thread.
    ///
    /// Work given to the loop before is done first. Then sockets and listeners that are still open are closed and
    /// timers dropped, without a word to their handlers. May be called more than once and from anywhere; each call
    /// returns when the thread is over.
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

    /// The present.
    public func now() -> MonotonicTime { .now }

    /// How much is received at a time.
    public static let bufferSize = 64 << 10

    /// Work that always brings more work would leave sockets and timers no turn.
    private static let batchesPerTurn = 8

    /// A second buffer, for file contents, since a handler may send a file while it looks at received bytes.
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
            // No system call: libevent runs the event in this same turn.
            batchesThisTurn += 1
            wakeUpEvent?.activate()
        case .wakeLoop:
            wakeUp.signal()
        case .startLateThread:
            do throws(SystemError) {
                try SystemThread(name: name) { CurrentLoop.with(self) { self.runUntilEmpty() } }.detach()
            } catch {
                // No thread to be had: a job that never runs would be worse than one that runs here.
                CurrentLoop.with(self) { runUntilEmpty() }
            }
        }
    }

    private func run() {
        while !hasEnded {
            // It returns when stop() breaks it, or when waiting itself failed, which says nothing about the next wait.
            _ = unsafe event_base_loop(base, EVLOOP_NO_EXIT_ON_EMPTY)
        }
        while let resource = resources.last { resource.close() }
        lazySweep?.removeAll()
        // Freed only when the heap is in order again: what ends with a target may cancel others.
        let freed = timers
        timers = TimerHeap()
        withExtendedLifetime(freed) {}
        runUntilEmpty()
        ending.withLock { $0.threadEnded }?.resume()
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
        while inbox.withLock({ $0.takeOrEnd(into: &batch) }) { runBatch() }
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
        // A burst must not hold its memory for ever.
        batch.removeAll(keepingCapacity: batch.count <= 1024)
    }

    /// Who waits for the end of a loop.
    private struct Ending {
        var threadEnded: CheckedContinuation<Void, Never>?
        private var waiters: [CheckedContinuation<Void, Never>] = []
        private var isAsked = false
        private var isOver = false

        /// True for the first who asks, and only for that one.
        mutating func ask() -> Bool {
            defer { isAsked = true }
            return !isAsked
        }

        /// Keeps the waiter, or returns true if it need not wait.
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
