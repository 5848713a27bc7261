// SPDX-License-Identifier: Apache-2.0

#if canImport(Testing)
    private import Testing
#endif

/// A failure that a test records before it continues, as `#expect` does.
struct RecordedFailure: Sendable {
    let error: (any Error)?
    let text: String

    /// Runs `body` once and reports each failure in it, in this task and its child tasks. Known issues are not
    /// reported.
    ///
    /// - Parameters:
    ///   - note: Called for each failure, possibly more than once. Returns whether to hide the failure, so that the
    ///     test does not fail.
    ///   - body: The code to run.
    static func watch<Result>(
        isolation: isolated (any Actor)? = #isolation,
        note: @escaping @Sendable (RecordedFailure) -> Bool,
        _ body: () async throws -> Result
    ) async throws -> Result {
        #if canImport(Testing)
            // Keep errors away from `withKnownIssue`, which would record them as issues and hide them.
            var result: Swift.Result<Result, any Error>?
            await withKnownIssue(isIntermittent: true, isolation: isolation) {
                do { result = .success(try await body()) } catch { result = .failure(error) }
            } matching: { issue in
                issue.countsAsFailure && note(RecordedFailure(error: issue.error, text: "\(issue)"))
            }
            guard let result else { preconditionFailure("withKnownIssue runs its body") }
            return try result.get()
        #else
            return try await body()
        #endif
    }
}

extension RecordedFailure {
    /// Records a failure of the test that runs in this task, at the test. If no test is running, prints it.
    static func record(_ text: String) {
        #if canImport(Testing)
            if let test = Test.current {
                Issue.record(Comment(rawValue: text), sourceLocation: test.sourceLocation)
                return
            }
        #endif
        print(text)
    }
}

#if canImport(Testing)
    extension Issue {
        /// Whether the issue makes a test fail. A warning does not.
        fileprivate var countsAsFailure: Bool {
            #if compiler(>=6.3)
                isFailure
            #else
                true
            #endif
        }
    }
#endif
