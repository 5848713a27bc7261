// SPDX-License-Identifier: Apache-2.0

private import CRepriseLibevent

/// A value that one thread at a time can access, and whose changes other threads can wait for.
@safe
final class MonitoredValue<Value>: @unchecked Sendable {
    // Protected by `mutex`. The mutex and the condition are allocated because they must not move in memory.
    private var value: Value
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let changed: UnsafeMutablePointer<pthread_cond_t>

    init(_ value: sending Value) {
        self.value = value
        unsafe mutex = .allocate(capacity: 1)
        unsafe changed = .allocate(capacity: 1)
        unsafe pthread_mutex_init(mutex, nil)
        unsafe shim_condition_init(changed)
    }

    deinit {
        unsafe pthread_cond_destroy(changed)
        unsafe pthread_mutex_destroy(mutex)
        unsafe changed.deallocate()
        unsafe mutex.deallocate()
    }

    /// Runs `body` with exclusive access to the value, then wakes the threads that wait for a change.
    func change<Result>(_ body: (inout Value) -> Result) -> Result {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        let result = body(&value)
        // This makes no system call if no thread is waiting.
        unsafe pthread_cond_broadcast(changed)
        return result
    }

    /// Runs `body` now and after each change until it returns true.
    ///
    /// - Returns: False if `body` did not return true before `deadline`.
    @discardableResult
    func wait(until deadline: MonotonicTime? = nil, for body: (inout Value) -> Bool) -> Bool {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        while !body(&value) {
            guard let deadline else {
                unsafe pthread_cond_wait(changed, mutex)
                continue
            }
            let now = MonotonicTime.now
            guard now < deadline else { return false }
            unsafe shim_condition_wait(changed, mutex, deadline.nanoseconds - now.nanoseconds)
        }
        return true
    }
}
