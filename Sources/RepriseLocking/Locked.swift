// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
    private import os
#elseif canImport(Musl)
    private import Musl
#else
    private import Glibc
#endif

/// A value that only one thread at a time can access.
///
/// It is not the `Mutex` of Synchronization, because Apple platforms have that only from macOS 15, and on Linux
/// ThreadSanitizer does not recognize it and would report every use as a race.
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
        defer { storage.unlock() }
        return unsafe try body(&storage.value.pointee)
    }
}

/// A value and its lock in one allocation, which never moves, as the lock requires.
@usableFromInline
@safe
final class LockedStorage<Value>: ManagedBuffer<Value, SystemLock> {
    static func create(_ value: sending Value) -> LockedStorage<Value> {
        let made = create(minimumCapacity: 1) { _ in value }
        let storage = unsafe unsafeDowncast(made, to: Self.self)
        unsafe SystemLock.prepare(storage.systemLock)
        return storage
    }

    deinit {
        unsafe SystemLock.destroy(systemLock)
    }

    @usableFromInline var value: UnsafeMutablePointer<Value> {
        @inlinable get { unsafe withUnsafeMutablePointerToHeader { unsafe $0 } }
    }

    private var systemLock: UnsafeMutablePointer<SystemLock> {
        unsafe withUnsafeMutablePointerToElements { unsafe $0 }
    }

    @usableFromInline
    func lock() {
        unsafe SystemLock.lock(systemLock)
    }

    @usableFromInline
    func unlock() {
        unsafe SystemLock.unlock(systemLock)
    }
}

/// The platform's basic lock.
///
/// Used only through a pointer: a lock must not move, and a Swift access to it by two threads at once would be a data
/// race.
@usableFromInline
@safe
struct SystemLock {
    #if canImport(Darwin)
        private typealias System = os_unfair_lock
        private let system = os_unfair_lock()
    #else
        private typealias System = pthread_mutex_t
        private let system = unsafe pthread_mutex_t()
    #endif

    private static func system(of lock: UnsafeMutablePointer<SystemLock>) -> UnsafeMutablePointer<System> {
        unsafe UnsafeMutableRawPointer(lock).assumingMemoryBound(to: System.self)
    }

    static func prepare(_ lock: UnsafeMutablePointer<SystemLock>) {
        unsafe lock.initialize(to: SystemLock())
        #if !canImport(Darwin)
            unsafe pthread_mutex_init(system(of: lock), nil)
        #endif
    }

    static func lock(_ lock: UnsafeMutablePointer<SystemLock>) {
        #if canImport(Darwin)
            unsafe os_unfair_lock_lock(system(of: lock))
        #else
            unsafe pthread_mutex_lock(system(of: lock))
        #endif
    }

    static func unlock(_ lock: UnsafeMutablePointer<SystemLock>) {
        #if canImport(Darwin)
            unsafe os_unfair_lock_unlock(system(of: lock))
        #else
            unsafe pthread_mutex_unlock(system(of: lock))
        #endif
    }

    static func destroy(_ lock: UnsafeMutablePointer<SystemLock>) {
        #if !canImport(Darwin)
            unsafe pthread_mutex_destroy(system(of: lock))
        #endif
    }
}
