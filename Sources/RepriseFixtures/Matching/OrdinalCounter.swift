// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
    private import os
#else
    private import Synchronization
#endif

/// Counts the requests to one sequence, over all threads.
final class OrdinalCounter: Sendable {
    #if canImport(Darwin)
        // `Synchronization` needs macOS 15.
        private let count = OSAllocatedUnfairLock(initialState: 0)
    #else
        private let count = Atomic<Int>(0)
    #endif

    /// How many ordinals were taken.
    var taken: Int {
        #if canImport(Darwin)
            count.withLock { $0 }
        #else
            count.load(ordering: .relaxed)
        #endif
    }

    /// Takes the next ordinal, counted from 1.
    func take() -> Int {
        // One counter orders nothing but itself, so relaxed is enough. 2^63 requests do not happen.
        #if canImport(Darwin)
            count.withLock { count in
                count &+= 1
                return count
            }
        #else
            count.wrappingAdd(1, ordering: .relaxed).newValue
        #endif
    }
}
