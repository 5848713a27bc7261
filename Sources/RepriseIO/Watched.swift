// SPDX-License-Identifier: Apache-2.0

private import CRepriseLibevent

/// A value that only one thread at a time can reach, and whose changes other threads can wait for.
@safe
final class Watched<Value>: @unchecked Sendable {
    // Protected by `mutex`; pointers, since neither of them must move.
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

    /// Runs `body` while no other thread can reach the value, and has those that wait look at it again.
    func change<Result>(_ body: (inout Value) -> Result) -> Result {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        let result = body(&value)
        // Without anybody waiting this is no system call.
        unsafe pthread_cond_broadcast(changed)
        return result
    }

    /// Runs `body` now and after each change until it returns true.
    ///
    /// - Returns: false if that did not happen until `deadline`.
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
