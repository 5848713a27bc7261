// SPDX-License-Identifier: Apache-2.0

#if canImport(XCTest)
    public import RepriseControl
    public import XCTest

    extension XCTestCase {
        /// Runs `body` with a mock server for stubs: in this process, or a session of the server that the environment
        /// variable `REPRISE_SERVER` names.
        ///
        /// - Parameters:
        ///   - stubs: The stubs, of which the first is tried first.
        ///   - filePath: The path of the test's source file. Omit this argument.
        ///   - line: The line of the call. Omit this argument.
        ///   - body: The code to run with the server.
        /// - Returns: The value that `body` returns.
        /// - Throws: The same errors as the global function `withMockServer`.
        public func withMockServer<Result>(
            stubs: [StubMapping],
            filePath: StaticString = #filePath,
            line: UInt = #line,
            _ body: (MockServerControl) async throws -> Result
        ) async throws -> Result {
            let failures = failureCount
            return try await StubServerRun(stubs, of: identity("\(filePath)"))
                .run(hasFailed: { failureCount > failures }, report: { XCTFail($0, file: filePath, line: line) }, body)
        }
    }
#endif
