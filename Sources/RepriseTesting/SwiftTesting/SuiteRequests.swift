// SPDX-License-Identifier: Apache-2.0

#if canImport(Testing)
    internal import RepriseLocking

    /// Whether the tests of a suite with cassettes sent requests.
    final class SuiteRequests: Sendable {
        /// The innermost suite that has a trait of its own, of the test that runs in this task.
        @TaskLocal static var current: SuiteRequests?

        /// The number of the suite's traits, including those of its enclosing suites.
        let traits: Int
        private let outer: SuiteRequests?
        private let state = Locked((hasIdle: false, isExcused: false))

        init(traits: Int, in outer: SuiteRequests?) {
            self.traits = traits
            self.outer = outer
        }

        /// Notes a test that has ended.
        ///
        /// - Parameter isIdle: Whether the test passed without a request. A test with requests, and one that failed or
        ///   was canceled, excuses the others.
        func note(isIdle: Bool) {
            state.withLock { if isIdle { $0.hasIdle = true } else { $0.isExcused = true } }
            outer?.note(isIdle: isIdle)
        }

        /// Whether at least one test passed, and no test sent a request.
        var isIdle: Bool { state.withLock { $0.hasIdle && !$0.isExcused } }
    }
#endif
