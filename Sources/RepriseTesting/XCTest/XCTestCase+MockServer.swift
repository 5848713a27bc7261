// SPDX-License-Identifier: Apache-2.0

#if canImport(XCTest) && (os(Linux) || os(macOS))
    public import RepriseFixtures
    public import RepriseServer
    public import XCTest

    extension XCTestCase {
        /// Runs `body` with a mock server that listens on a free port of this machine, and stops it at the end.
        ///
        /// A test that fails in it prints what the server was asked, and writes it to the folder that `REPRISE_LOG_DIR`
        /// names.
        ///
        /// - Parameters:
        ///   - fixtures: folders and files, in the folder of fixtures; none for all of it.
        ///   - configuration: how the server is set up; nil for the defaults, but without pauses.
        ///   - folder: the folder of fixtures; nil for what `REPRISE_FIXTURES` names, or else `Fixtures/` beside the
        ///     source file.
        /// - Returns: what `body` returns.
        /// - Throws: as the function of the same name does.
        public func withMockServer<Result>(
            _ fixtures: String...,
            configuration: MockServer.Configuration? = nil,
            in folder: URL? = nil,
            filePath: String = #filePath,
            _ body: (MockServer) async throws -> Result
        ) async throws -> Result {
            let failures = failureCount
            return try await ServerRun(fixtures, in: folder, configuration, of: identity(filePath))
                .run(hasFailed: { failureCount > failures }, body)
        }

        /// Runs `body` with a mock server for fixtures that are in memory.
        ///
        /// - Parameters:
        ///   - fixtures: what it serves.
        ///   - configuration: how the server is set up; nil for the defaults, but without pauses.
        /// - Returns: what `body` returns.
        /// - Throws: as the function of the same name does.
        public func withMockServer<Result>(
            _ fixtures: [Fixture],
            configuration: MockServer.Configuration? = nil,
            filePath: String = #filePath,
            _ body: (MockServer) async throws -> Result
        ) async throws -> Result {
            let failures = failureCount
            return try await ServerRun(fixtures, configuration, of: identity(filePath))
                .run(hasFailed: { failureCount > failures }, body)
        }
    }
#endif
