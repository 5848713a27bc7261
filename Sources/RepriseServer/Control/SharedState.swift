// SPDX-License-Identifier: Apache-2.0

internal import RepriseIO

#if canImport(Synchronization) && !canImport(Darwin)
    private import Synchronization
#endif

/// The fixtures that all loops serve. A loop keeps its own reference and looks at the generation, one atomic load a
/// request, so that a reload is seen by all loops from the same moment on and costs the hot path no lock.
final class SharedState: Sendable {
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

    /// Puts other fixtures, of a later generation, in the place of the present ones.
    func publish(_ next: ServingState) {
        state.withLock {
            $0 = next
            #if canImport(Synchronization) && !canImport(Darwin)
                counter.store(next.generation, ordering: .releasing)
            #endif
        }
    }
}
