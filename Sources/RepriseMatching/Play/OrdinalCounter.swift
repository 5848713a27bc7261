// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
    private import os
#else
    private import Synchronization
#endif

/// Counts the requests to one sequence, over all threads.
final class OrdinalCounter: Sendable {
    #if canImport(Darwin)
        // `Atomic` needs macOS 15, and a lock shared with other counters would make their requests wait for each other.
        private let ordinal = OSAllocatedUnfairLock(initialState: 0)
    #else
        private let ordinal = Atomic<Int>(0)
    #endif

    /// How many ordinals were taken.
    var taken: Int {
        #if canImport(Darwin)
            ordinal.withLock { $0 }
        #else
            ordinal.load(ordering: .relaxed)
        #endif
    }

    /// Takes the next ordinal, counted from 1.
    func take() -> Int {
        // One counter orders nothing but itself, so relaxed is enough. 2^63 requests do not happen.
        #if canImport(Darwin)
            ordinal.withLock { ordinal in
                ordinal &+= 1
                return ordinal
            }
        #else
            ordinal.wrappingAdd(1, ordering: .relaxed).newValue
        #endif
    }

    /// Begins anew.
    func reset() {
        #if canImport(Darwin)
            ordinal.withLock { $0 = 0 }
        #else
            ordinal.store(0, ordering: .relaxed)
        #endif
    }
}
