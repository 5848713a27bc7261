// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
    private import os
#else
    private import Synchronization
#endif

/// A thread-safe counter of the requests to one sequence or stub.
package final class OrdinalCounter: Sendable {
    #if canImport(Darwin)
        // `Atomic` requires macOS 15. One lock for all counters would make requests to different sequences wait for
        // each other.
        private let ordinal = OSAllocatedUnfairLock(initialState: 0)
    #else
        private let ordinal = Atomic<Int>(0)
    #endif

    /// Creates a counter at its start.
    package init() {}

    /// The number of ordinals taken.
    package var taken: Int {
        #if canImport(Darwin)
            ordinal.withLock { $0 }
        #else
            ordinal.load(ordering: .relaxed)
        #endif
    }

    /// Returns the next ordinal, starting at 1.
    package func take() -> Int {
        // The counter does not order other memory accesses, so relaxed is enough. It cannot overflow in practice.
        #if canImport(Darwin)
            ordinal.withLock { ordinal in
                ordinal &+= 1
                return ordinal
            }
        #else
            ordinal.wrappingAdd(1, ordering: .relaxed).newValue
        #endif
    }

    /// Resets the counter.
    package func reset() {
        #if canImport(Darwin)
            ordinal.withLock { $0 = 0 }
        #else
            ordinal.store(0, ordering: .relaxed)
        #endif
    }
}
