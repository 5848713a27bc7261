// SPDX-License-Identifier: Apache-2.0

internal import RepriseIO

#if canImport(Synchronization) && !canImport(Darwin)
    private import Synchronization
#endif

/// What all loops serve.
///
/// Each loop keeps its own reference and checks the version once per request with an atomic load. All loops
/// therefore see a change at the same moment, and the hot path takes no lock.
final class SharedState: Sendable {
    let files = OpenFiles()
    /// The threads for requests that would block a loop. There are several, so that slow requests do not delay the
    /// others.
    let threads = WorkerThreads(name: "mockserver-work", limit: 8)
    /// The threads for requests with large bodies. Comparing one takes several times its memory, so there are few.
    let largeThreads = WorkerThreads(name: "mockserver-large", limit: 2)
    let bodies: MemoryBudget
    private let state: Locked<ServingState>
    #if canImport(Synchronization) && !canImport(Darwin)
        private let counter: Atomic<Int>
    #endif

    init(_ initial: ServingState, bodyBytes: Int = .max) {
        bodies = MemoryBudget(limit: bodyBytes)
        state = Locked(initial)
        #if canImport(Synchronization) && !canImport(Darwin)
            counter = Atomic(initial.version)
        #endif
    }

    var current: ServingState {
        state.withLock { $0 }
    }

    var version: Int {
        #if canImport(Synchronization) && !canImport(Darwin)
            counter.load(ordering: .acquiring)
        #else
            state.withLock { $0.version }
        #endif
    }

    /// Replaces what is served with a later version.
    func publish(_ next: ServingState) {
        state.withLock {
            $0 = next
            #if canImport(Synchronization) && !canImport(Darwin)
                counter.store(next.version, ordering: .releasing)
            #endif
        }
    }
}
