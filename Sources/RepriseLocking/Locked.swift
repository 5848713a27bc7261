// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
    private import os
#elseif canImport(Musl)
    private import Musl
#else
    private import Glibc
#endif

/// A value that only one thread at a time can access.
public struct Locked<Value>: @unchecked Sendable {
    // Sendable because the value is accessed only while the lock is held.
    @usableFromInline let storage: LockedStorage<Value>

    /// Creates a lock that protects `value`.
    public init(_ value: sending Value) {
        storage = LockedStorage.create(value)
    }

    /// Runs `body` with exclusive access to the value. Do not call this method again in `body`.
    @inlinable
    public func withLock<Result, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        storage.lock()
        // This also keeps the storage alive while `body` runs.
        defer { storage.unlock() }
        return unsafe try body(&storage.value.pointee)
    }
}

/// A value and its lock in one allocation, which never moves, as the lock requires.
///
/// The lock is the platform's basic one: os_unfair_lock on Apple platforms, a POSIX mutex elsewhere. It is not the
/// `Mutex` of Synchronization, because Apple platforms have that only from macOS 15, and on Linux ThreadSanitizer does
/// not recognize it and would report every use as a race.
@usableFromInline
@safe
final class LockedStorage<Value>: ManagedBuffer<Value, SystemLock> {
    static func create(_ value: sending Value) -> LockedStorage<Value> {
        let storage = unsafe unsafeDowncast(create(minimumCapacity: 1) { _ in value }, to: Self.self)
        unsafe storage.withUnsafeMutablePointerToElements { unsafe $0.initialize(to: SystemLock()) }
        #if !canImport(Darwin)
            unsafe storage.withSystemLock { unsafe pthread_mutex_init($0, nil) }
        #endif
        return storage
    }

    deinit {
        #if !canImport(Darwin)
            unsafe withSystemLock { unsafe pthread_mutex_destroy($0) }
        #endif
    }

    @usableFromInline var value: UnsafeMutablePointer<Value> {
        @inlinable get { unsafe withUnsafeMutablePointerToHeader { unsafe $0 } }
    }

    @usableFromInline
    func lock() {
        #if canImport(Darwin)
            unsafe withSystemLock { unsafe os_unfair_lock_lock($0) }
        #else
            unsafe withSystemLock { unsafe pthread_mutex_lock($0) }
        #endif
    }

    @usableFromInline
    func unlock() {
        #if canImport(Darwin)
            unsafe withSystemLock { unsafe os_unfair_lock_unlock($0) }
        #else
            unsafe withSystemLock { unsafe pthread_mutex_unlock($0) }
        #endif
    }

    private func withSystemLock<Result>(_ call: (UnsafeMutablePointer<SystemLock.System>) -> Result) {
        unsafe withUnsafeMutablePointerToElements { lock in
            _ = unsafe call(UnsafeMutableRawPointer(lock).assumingMemoryBound(to: SystemLock.System.self))
        }
    }
}

/// The memory of the system's lock, whose type is not visible in other modules.
///
/// Used only through a pointer: a Swift access to it by two threads at once would be a data race.
@usableFromInline
@safe
struct SystemLock {
    #if canImport(Darwin)
        fileprivate typealias System = os_unfair_lock
        private let system = os_unfair_lock()
    #else
        fileprivate typealias System = pthread_mutex_t
        private let system = unsafe pthread_mutex_t()
    #endif
}
