// SPDX-License-Identifier: Apache-2.0

#if canImport(XCTest) && (os(Linux) || os(macOS))
    public import RepriseFixtures
    public import RepriseIO
    public import RepriseMatching
    public import RepriseReplay
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

        /// Runs `body` with a mock server that stands for another server: it replays a cassette, or records one. The
        /// code under test can use any HTTP library that takes a base URL.
        ///
        /// - Parameters:
        ///   - upstream: The URL of the server to record, to which the paths of requests are appended.
        ///   - name: The name of the cassette in its folder: `books` is `Fixtures/books.cassette.json`. If nil, the
        ///     name is `Module/Class/method`.
        ///   - mode: Where answers come from. If nil, the cassette is replayed if it exists, and recorded otherwise.
        ///   - matching: The parts of a request that must match the recording; nil for method, path, query, and body.
        ///   - afterLast: What follows the last of the answers to equal requests. If nil, a further request is not
        ///     answered in a replay, and the last answer repeats in the other modes.
        ///   - expectsRequests: Whether the test fails at the line of the call if no request reaches the server. If
        ///     nil, it fails unless the argument `mode` is `live`.
        ///   - folder: The folder of the cassettes; nil for the value of `REPRISE_FIXTURES`, or else `Fixtures/` next
        ///     to the source file.
        ///   - trust: The certificates to trust if the URL uses https.
        ///   - configuration: Other settings for recording and replaying.
        ///   - environment: The environment variables; nil for those of the process.
        ///   - filePath: The path of the test's source file. Omit this argument.
        ///   - line: The line of the call. Omit this argument.
        ///   - body: The code to run with the server.
        /// - Returns: The value that `body` returns.
        /// - Throws: The same errors as the global function `withMockServer`.
        public func withMockServer<Result>(
            recording upstream: String,
            to name: String? = nil,
            mode: ReplayMode? = nil,
            matching: [Matcher]? = nil,
            afterLast: AfterLast? = nil,
            expectsRequests: Bool? = nil,
            in folder: URL? = nil,
            trust: Trust = .system,
            configuration: CassetteSession.Configuration? = nil,
            environment: [String: String]? = nil,
            filePath: StaticString = #filePath,
            line: UInt = #line,
            _ body: (MockServer) async throws -> Result
        ) async throws -> Result {
            let settings: CassetteSettings =
                .init(mode, matching, nil, folder, nil, configuration, expectsRequests, afterLast)
            let upstream = try MockServer.Upstream(upstream, trust: trust)
            let test = identity("\(filePath)")
            let failures = failureCount
            return try await RecordingServerRun(upstream, to: name, settings, of: test, environment: environment).run(
                hasFailed: { failureCount > failures },
                report: { XCTFail($0, file: filePath, line: line) },
                reportIdle: { if failureCount == 0 { XCTFail("\($0)", file: filePath, line: line) } },
                body
            )
        }
    }
#endif
