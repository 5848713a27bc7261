// SPDX-License-Identifier: Apache-2.0

#if canImport(XCTest) && (os(Linux) || os(macOS))
    public import RepriseFixtures
    public import RepriseServer
    public import XCTest

    extension XCTestCase {
        /// Runs `body` with a mock server on a free port of this machine, and stops the server at the end.
        ///
        /// If the test fails in `body`, the requests to the server are printed, and also written to the folder in
        /// `REPRISE_LOG_DIR`, if that variable is set.
        ///
        /// - Parameters:
        ///   - fixtures: The names of folders and files in the folder of fixtures. If there are none, the whole folder
        ///     is served.
        ///   - configuration: The configuration of the server; nil for the defaults, but without pauses.
        ///   - folder: The folder of fixtures; nil for the value of `REPRISE_FIXTURES`, or else `Fixtures/` next to
        ///     the source file.
        ///   - filePath: The path of the test's source file. Omit this argument.
        ///   - line: The line of the call. Omit this argument.
        ///   - body: The code to run with the server.
        /// - Returns: The value that `body` returns.
        /// - Throws: The same errors as the global function `withMockServer`.
        public func withMockServer<Result>(
            _ fixtures: String...,
            configuration: MockServer.Configuration? = nil,
            in folder: URL? = nil,
            filePath: StaticString = #filePath,
            line: UInt = #line,
            _ body: (MockServer) async throws -> Result
        ) async throws -> Result {
            let failures = failureCount
            return try await ServerRun(fixtures, in: folder, configuration, of: identity("\(filePath)"))
                .run(hasFailed: { failureCount > failures }, report: { XCTFail($0, file: filePath, line: line) }, body)
        }

        /// Runs `body` with a mock server for fixtures in memory.
        ///
        /// - Parameters:
        ///   - fixtures: The fixtures to serve.
        ///   - configuration: The configuration of the server; nil for the defaults, but without pauses.
        ///   - filePath: The path of the test's source file. Omit this argument.
        ///   - line: The line of the call. Omit this argument.
        ///   - body: The code to run with the server.
        /// - Returns: The value that `body` returns.
        /// - Throws: The same errors as the global function `withMockServer`.
        public func withMockServer<Result>(
            _ fixtures: [Fixture],
            configuration: MockServer.Configuration? = nil,
            filePath: StaticString = #filePath,
            line: UInt = #line,
            _ body: (MockServer) async throws -> Result
        ) async throws -> Result {
            let failures = failureCount
            return try await ServerRun(fixtures, configuration, of: identity("\(filePath)"))
                .run(hasFailed: { failureCount > failures }, report: { XCTFail($0, file: filePath, line: line) }, body)
        }
    }
#endif
