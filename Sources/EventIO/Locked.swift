// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
    public import os

    /// A value that only one thread at a time can reach.
    public final class Locked<Value>: @unchecked Sendable {
        @usableFromInline let lock = OSAllocatedUnfairLock()
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
#else
    public import Synchronization

    /// A value that only one thread at a time can reach.
    public final class Locked<Value>: Sendable {
        @usableFromInline let mutex: Mutex<Value>

        /// Protects `value`.
        public init(_ value: sending Value) {
            mutex = Mutex(value)
        }

        /// Runs `body` while no other thread can reach the value. Not to be called again in `body`.
        @inlinable
        public func withLock<Result, Failure: Error>(
            _ body: (inout sending Value) throws(Failure) -> sending Result
        ) throws(Failure) -> sending Result {
            try mutex.withLock(body)
        }
    }
#endif
