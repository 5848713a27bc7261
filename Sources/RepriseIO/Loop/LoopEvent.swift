// SPDX-License-Identifier: Apache-2.0

private import CRepriseLibevent

/// A libevent event: a callback for a descriptor, a signal or a timeout. Level-triggered and persistent.
///
/// This is a plain handle. Its owner frees it once, on the loop's thread, before closing the descriptor.
@safe
struct LoopEvent {
    enum Kind {
        case read, write, signal, timeout
    }

    typealias Callback = @convention(c) (_ descriptor: Int32, _ what: Int16, _ target: UnsafeMutableRawPointer?) -> Void

    private let pointer: OpaquePointer

    /// Creates an event that is not waiting yet.
    ///
    /// - Parameters:
    ///   - number: The descriptor or signal; -1 for a timeout.
    ///   - target: The object passed to the callback. It is not kept alive, so it has to outlive the event.
    ///   - callback: A top-level function. A closure literal would inherit its context's isolation and trap.
    init(
        _ kind: Kind,
        of number: Int32 = -1,
        on loop: EventLoop,
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
        guard let pointer = unsafe event_new(loop.base, number, Int16(what), callback, context) else {
            throw SystemError(code: ENOMEM, call: "event_new")
        }
        unsafe self.pointer = pointer
    }

    static func waiting(
        _ kind: Kind,
        of number: Int32,
        on loop: EventLoop,
        target: AnyObject,
        callback: Callback
    ) throws(SystemError) -> LoopEvent {
        let event = try unsafe LoopEvent(kind, of: number, on: loop, target: target, callback: callback)
        do throws(SystemError) { try event.add() } catch {
            event.free()
            throw error
        }
        return event
    }

    /// Starts waiting. Has no effect if the event is already waiting.
    func add() throws(SystemError) {
        guard unsafe event_add(pointer, nil) == 0 else { throw SystemError.last("event_add") }
    }

    func add(after wait: Duration) {
        // Rounded up: a timeout that fires too early would have to be scheduled again.
        let (seconds, attoseconds) = wait.components
        let microseconds = (attoseconds + 999_999_999_999) / 1_000_000_000_000
        var timeout = timeval()
        timeout.tv_sec = .init(clamping: seconds + microseconds / 1_000_000)
        timeout.tv_usec = .init(microseconds % 1_000_000)
        _ = unsafe event_add(pointer, &timeout)
    }

    /// Stops waiting. Has no effect if the event is not waiting. A callback that is already due is dropped.
    func remove() {
        _ = unsafe event_del(pointer)
    }

    /// Runs the callback in this turn of the loop, with a `what` for which `isFromSystem` is false.
    func activate() {
        unsafe event_active(pointer, Int32(EV_TIMEOUT), 0)
    }

    func free() {
        unsafe event_free(pointer)
    }

    /// Whether a callback runs because the descriptor is ready.
    static func isFromSystem(_ what: Int16) -> Bool {
        Int32(what) & (EV_READ | EV_WRITE) != 0
    }
}

/// Returns the object behind a callback's context.
///
/// The caller's reference keeps it alive for the whole call, so closing it in a callback is safe.
func target<Target: AnyObject>(_ context: UnsafeMutableRawPointer?, as type: Target.Type) -> Target? {
    guard let context = unsafe context else { return nil }
    return unsafe Unmanaged<Target>.fromOpaque(context).takeUnretainedValue()
}
