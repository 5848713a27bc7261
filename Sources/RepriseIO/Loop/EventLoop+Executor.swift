// SPDX-License-Identifier: Apache-2.0

extension EventLoop: SerialExecutor {
    #if canImport(Darwin)
        // ExecutorJob requires macOS 14.
        /// Runs a job of the concurrency runtime on the loop.
        public func enqueue(_ job: UnownedJob) {
            post(.task(job))
        }
    #else
        /// Runs a job of the concurrency runtime on the loop.
        public func enqueue(_ job: consuming ExecutorJob) {
            post(.task(UnownedJob(job)))
        }
    #endif

    /// Returns the loop as an actor's executor.
    public func asUnownedSerialExecutor() -> UnownedSerialExecutor {
        unsafe UnownedSerialExecutor(ordinary: self)
    }

    /// Stops the process unless the calling code runs on this loop. On Apple platforms from macOS 15, this also makes
    /// `assumeIsolated` work in callbacks.
    public func checkIsolated() {
        precondition(isCurrent, "not on the thread of the event loop '\(name)'")
    }
}
