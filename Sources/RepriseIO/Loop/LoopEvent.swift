// SPDX-License-Identifier: Apache-2.0

private import CRepriseLibevent

/// One of libevent's events: a callback for a descriptor, a signal or a time-out. Level-triggered and persistent.
///
/// A plain handle; its owner frees it once, on the loop's thread, before it closes the descriptor.
@safe
struct LoopEvent {
    enum Kind {
        case read, write, signal, timeout
    }

    typealias Callback = @convention(c) (_ descriptor: Int32, _ what: Int16, _ target: UnsafeMutableRawPointer?) -> Void

    private let pointer: OpaquePointer

    /// Makes an event that is not waiting yet.
    ///
    /// - Parameters:
    ///   - number: the descriptor or signal; -1 for a time-out.
    ///   - target: what the callback gets; not kept alive, so it has to outlive the event.
    ///   - callback: a top-level function. A closure literal would inherit its context's isolation and trap.
    init(
        _ kind: Kind,
        of number: Int32,
        on base: OpaquePointer,
        target: AnyObject,
        callback: Callback
    ) throws(SystemError) {
        let what =
            switch kind {
            case .read: EV_READ | EV_PERSIST
            case .write: EV_WRITE | EV_PERSIST
            case .signal: EV_SIGNAL | EV_PERSIST
            case .timeout: Int32(0)
            }
        let context = unsafe Unmanaged.passUnretained(target).toOpaque()
        guard let pointer = unsafe event_new(base, number, Int16(what), callback, context) else {
            throw SystemError(code: ENOMEM, call: "event_new")
        }
        unsafe self.pointer = pointer
    }

    /// Starts waiting; harmless if it waits already.
    func add() throws(SystemError) {
        guard unsafe event_add(pointer, nil) == 0 else { throw SystemError.last("event_add") }
    }

    /// Starts waiting for a time-out.
    func add(after wait: Duration) {
        // Rounded up: what comes too early would have to be waited for again.
        let (seconds, attoseconds) = wait.components
        let microseconds = (attoseconds + 999_999_999_999) / 1_000_000_000_000
        var timeout = timeval()
        timeout.tv_sec = .init(clamping: seconds + microseconds / 1_000_000)
        timeout.tv_usec = .init(microseconds % 1_000_000)
        _ = unsafe event_add(pointer, &timeout)
    }

    /// Waits no more; harmless if it does not wait. A callback that is already due does not come either.
    func remove() {
        _ = unsafe event_del(pointer)
    }

    /// Has the callback called in this turn of the loop, with a `what` for which `isFromSystem` is false.
    func activate() {
        unsafe event_active(pointer, Int32(EV_TIMEOUT), 0)
    }

    func free() {
        unsafe event_free(pointer)
    }

    /// Whether a callback comes because the descriptor is ready.
    static func isFromSystem(_ what: Int16) -> Bool {
        Int32(what) & (EV_READ | EV_WRITE) != 0
    }
}

/// The object behind a callback's context.
///
/// Kept alive by the caller's reference for the whole call, so that closing it in a callback is safe.
func target<Target: AnyObject>(_ context: UnsafeMutableRawPointer?, as type: Target.Type) -> Target? {
    guard let context = unsafe context else { return nil }
    return unsafe Unmanaged<Target>.fromOpaque(context).takeUnretainedValue()
}
