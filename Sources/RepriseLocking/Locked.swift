// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
    private import os
#elseif canImport(Musl)
    private import Musl
#else
    private import Glibc
#endif

/// A value that only one thread at a time can access. Copies share the value and its lock.
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
@usableFromInline
@safe
final class LockedStorage<Value>: ManagedBuffer<Value, SystemLock> {
    static func create(_ value: sending Value) -> LockedStorage<Value> {
        let storage = unsafe unsafeDowncast(create(minimumCapacity: 1) { _ in value }, to: Self.self)
        unsafe storage.withUnsafeMutablePointerToElements { unsafe SystemLock.prepare($0) }
        return storage
    }

    deinit {
        unsafe withUnsafeMutablePointerToElements { unsafe SystemLock.destroy($0) }
    }

    @usableFromInline var value: UnsafeMutablePointer<Value> {
        @inlinable get { unsafe withUnsafeMutablePointerToHeader { unsafe $0 } }
    }

    @inlinable
    func lock() {
        unsafe withUnsafeMutablePointerToElements { unsafe SystemLock.lock($0) }
    }

    @inlinable
    func unlock() {
        unsafe withUnsafeMutablePointerToElements { unsafe SystemLock.unlock($0) }
    }
}

/// The platform's basic lock: os_unfair_lock on Apple platforms, a POSIX mutex elsewhere.
///
/// It is not the `Mutex` of Synchronization, because Apple platforms have that only from macOS 15, and on Linux
/// ThreadSanitizer does not recognize it and would report every use as a race.
///
/// A lock is used only through a pointer: it must not move, and accessing it as a Swift value from two threads would be
/// a data race.
@usableFromInline
@safe
struct SystemLock {
    #if canImport(Darwin)
        private let system = os_unfair_lock()

        @usableFromInline
        static func lock(_ lock: UnsafeMutablePointer<SystemLock>) { unsafe os_unfair_lock_lock(system(of: lock)) }

        @usableFromInline
        static func unlock(_ lock: UnsafeMutablePointer<SystemLock>) { unsafe os_unfair_lock_unlock(system(of: lock)) }

        static func prepare(_ lock: UnsafeMutablePointer<SystemLock>) { unsafe lock.initialize(to: SystemLock()) }

        static func destroy(_ lock: UnsafeMutablePointer<SystemLock>) {}

        private static func system(of lock: UnsafeMutablePointer<SystemLock>) -> UnsafeMutablePointer<os_unfair_lock> {
            unsafe UnsafeMutableRawPointer(lock).assumingMemoryBound(to: os_unfair_lock.self)
        }
    #else
        private let system = unsafe pthread_mutex_t()

        @usableFromInline
        static func lock(_ lock: UnsafeMutablePointer<SystemLock>) { unsafe pthread_mutex_lock(system(of: lock)) }

        @usableFromInline
        static func unlock(_ lock: UnsafeMutablePointer<SystemLock>) { unsafe pthread_mutex_unlock(system(of: lock)) }

        static func prepare(_ lock: UnsafeMutablePointer<SystemLock>) {
            unsafe lock.initialize(to: SystemLock())
            unsafe pthread_mutex_init(system(of: lock), nil)
        }

        static func destroy(_ lock: UnsafeMutablePointer<SystemLock>) { unsafe pthread_mutex_destroy(system(of: lock)) }

        private static func system(of lock: UnsafeMutablePointer<SystemLock>) -> UnsafeMutablePointer<pthread_mutex_t> {
            unsafe UnsafeMutableRawPointer(lock).assumingMemoryBound(to: pthread_mutex_t.self)
        }
    #endif
}
