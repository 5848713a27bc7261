// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
    public import os

    /// A value that only one thread at a time can reach.
    public struct Locked<Value>: ~Copyable, @unchecked Sendable {
        // Protected by `lock`; a pointer, so that the value has one address and needs no exclusive access to `self`.
        @usableFromInline let lock: OSAllocatedUnfairLock<Void>
        @usableFromInline let storage: UnsafeMutablePointer<Value>

        /// Protects `value`.
        public init(_ value: consuming sending Value) {
            lock = OSAllocatedUnfairLock()
            unsafe storage = UnsafeMutablePointer<Value>.allocate(capacity: 1)
            unsafe storage.initialize(to: value)
        }

        deinit {
            unsafe storage.deinitialize(count: 1)
            unsafe storage.deallocate()
        }

        /// Runs `body` while no other thread can reach the value.
        @inlinable
        public borrowing func withLock<Result, Failure: Error>(
            _ body: (inout sending Value) throws(Failure) -> sending Result
        ) throws(Failure) -> sending Result {
            lock.lock()
            defer { lock.unlock() }
            return try unsafe body(&storage.pointee)
        }
    }
#else
    public import Synchronization

    /// A value that only one thread at a time can reach.
    public struct Locked<Value>: ~Copyable, Sendable {
        @usableFromInline let mutex: Mutex<Value>

        /// Protects `value`.
        public init(_ value: consuming sending Value) {
            mutex = Mutex(value)
        }

        /// Runs `body` while no other thread can reach the value.
        @inlinable
        public borrowing func withLock<Result, Failure: Error>(
            _ body: (inout sending Value) throws(Failure) -> sending Result
        ) throws(Failure) -> sending Result {
            try mutex.withLock(body)
        }
    }
#endif
