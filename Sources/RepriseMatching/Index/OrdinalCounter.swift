// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
    private import os
#else
    private import Synchronization
#endif

/// Counts the requests to one sequence, over all threads.
///
/// It also holds where the sequence's fixtures are, so that a request touches one object.
final class OrdinalCounter: Sendable {
    /// The number of the first fixture.
    let first: Int32
    /// Where the fixtures' numbers are in the list of all sequences.
    let start: Int32
    /// How many there are.
    let count: Int32

    #if canImport(Darwin)
        // `Atomic` needs macOS 15, and a lock shared with other counters would make their requests wait for each other.
        private let ordinal = OSAllocatedUnfairLock(initialState: 0)
    #else
        private let ordinal = Atomic<Int>(0)
    #endif

    /// A counter at zero.
    init(first: Int32, start: Int32, count: Int32) {
        self.first = first
        self.start = start
        self.count = count
    }

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
}
