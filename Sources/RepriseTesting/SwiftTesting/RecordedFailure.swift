// SPDX-License-Identifier: Apache-2.0

#if canImport(Testing)
    private import Testing
#endif

/// A failure that a test records and goes on, as `#expect` does.
struct RecordedFailure: Sendable {
    /// What was thrown, if it is that.
    let error: (any Error)?
    /// What failed, and where.
    let text: String

    /// Runs `body`, and tells of each failure in it, in this task and its child tasks; those that are known do not count.
    ///
    /// - Parameters:
    ///   - note: is told of a failure, once or more often. Returns whether the test is not to fail for it.
    ///   - body: is run once.
    static func watch<Result>(
        isolation: isolated (any Actor)? = #isolation,
        note: @escaping @Sendable (RecordedFailure) -> Bool,
        _ body: () async throws -> Result
    ) async throws -> Result {
        #if canImport(Testing)
            // What is thrown is not for it: it would be a failure that is recorded, and be hidden as one.
            var result: Swift.Result<Result, any Error>?
            await withKnownIssue(isIntermittent: true, isolation: isolation) {
                do { result = .success(try await body()) } catch { result = .failure(error) }
            } matching: { issue in
                issue.countsAsFailure && note(RecordedFailure(error: issue.error, text: "\(issue)"))
            }
            guard let result else { preconditionFailure("it was run") }
            return try result.get()
        #else
            return try await body()
        #endif
    }
}

#if canImport(Testing)
    extension Issue {
        /// Whether it is one that makes a test fail: a warning does not.
        fileprivate var countsAsFailure: Bool {
            #if compiler(>=6.3)
                isFailure
            #else
                true
            #endif
        }
    }
#endif
