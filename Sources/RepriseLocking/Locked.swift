// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
    private import os
#elseif canImport(Musl)
    private import Musl
#else
    private import Glibc
#endif

/// A value that only one thread at a time can access.
public final class Locked<Value>: @unchecked Sendable {
    @usableFromInline let lock = SystemLock()
    // The lock makes each access exclusive, so no check at run time is needed.
    @safe @exclusivity(unchecked) @usableFromInline var value: Value

    /// Creates a lock that protects `value`.
    public init(_ value: sending Value) {
        self.value = value
    }

    /// Runs `body` with exclusive access to the value. Do not call this method again in `body`.
    @inlinable
    public func withLock<Result, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }
}

/// The platform's basic lock: os_unfair_lock on Apple platforms, a POSIX mutex elsewhere.
///
/// It is not the `Mutex` of Synchronization, because Apple platforms have that only from macOS 15, and on Linux
/// ThreadSanitizer does not recognize it and would report every use as a race.
@usableFromInline
@safe
final class SystemLock: @unchecked Sendable {
    // Sendable because a lock is made to be shared between threads.
    #if canImport(Darwin)
        private let system = OSAllocatedUnfairLock()

        @usableFromInline init() {}

        @usableFromInline
        func lock() {
            system.lock()
        }

        @usableFromInline
        func unlock() {
            system.unlock()
        }
    #else
        // Allocated because a mutex must not move in memory.
        private let system: UnsafeMutablePointer<pthread_mutex_t>

        @usableFromInline
        init() {
            unsafe system = .allocate(capacity: 1)
            unsafe pthread_mutex_init(system, nil)
        }

        deinit {
            unsafe pthread_mutex_destroy(system)
            unsafe system.deallocate()
        }

        @usableFromInline
        func lock() {
            unsafe pthread_mutex_lock(system)
        }

        @usableFromInline
        func unlock() {
            unsafe pthread_mutex_unlock(system)
        }
    #endif
}
