// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
    private import os
#elseif canImport(Musl)
    private import Musl
#else
    private import Glibc
#endif

/// A value that only one thread at a time can reach.
public final class Locked<Value>: @unchecked Sendable {
    @usableFromInline let lock = SystemLock()
    // Protected by `lock`.
    @usableFromInline var value: Value

    /// Protects `value`.
    public init(_ value: sending Value) {
        self.value = value
    }

    /// Runs `body` while no other thread can reach the value. Not to be called again in `body`.
    @inlinable
    public func withLock<Result, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }
}

/// The platform's plain lock: os_unfair_lock on Apple platforms, a POSIX mutex elsewhere.
///
/// Not `Mutex` of Synchronization: Apple has it from macOS 15 only, and on Linux ThreadSanitizer does not see it, so
/// that every use of it would be reported as a race.
@usableFromInline
@safe
final class SystemLock: @unchecked Sendable {
    // Sendable because it is what locks are for.
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
        // A pointer, since a mutex must not move.
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
