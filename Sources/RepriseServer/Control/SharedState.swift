// SPDX-License-Identifier: Apache-2.0

internal import RepriseIO

#if canImport(Synchronization) && !canImport(Darwin)
    private import Synchronization
#endif

/// The fixtures that all loops serve.
///
/// Each loop keeps its own reference and checks the generation once per request with an atomic load. All loops
/// therefore see a reload at the same moment, and the hot path takes no lock.
final class SharedState: Sendable {
    /// The files that are being sent.
    let files = OpenFiles()
    private let state: Locked<ServingState>
    #if canImport(Synchronization) && !canImport(Darwin)
        private let counter: Atomic<Int>
    #endif

    init(_ initial: ServingState) {
        state = Locked(initial)
        #if canImport(Synchronization) && !canImport(Darwin)
            counter = Atomic(initial.generation)
        #endif
    }

    /// The fixtures to serve now.
    var current: ServingState {
        state.withLock { $0 }
    }

    /// The generation of the fixtures to serve now.
    var generation: Int {
        #if canImport(Synchronization) && !canImport(Darwin)
            counter.load(ordering: .acquiring)
        #else
            state.withLock { $0.generation }
        #endif
    }

    /// Replaces the current fixtures with those of a later generation.
    func publish(_ next: ServingState) {
        state.withLock {
            $0 = next
            #if canImport(Synchronization) && !canImport(Darwin)
                counter.store(next.generation, ordering: .releasing)
            #endif
        }
    }
}
