// SPDX-License-Identifier: Apache-2.0

#if os(Linux) || os(macOS)
    public import RepriseFixtures
    public import RepriseIO
    public import RepriseMatching
    public import RepriseReplay
    public import RepriseServer

    #if canImport(FoundationEssentials)
        public import FoundationEssentials
    #else
        public import Foundation
    #endif

    /// Runs `body` with a mock server on a free port of this machine, and stops the server at the end.
    ///
    /// ```swift
    /// try await withMockServer("books.cassette.json") { server in
    ///     let api = Client("\(server.url)/v1")
    ///     let book: Book = try await api.get("/books/42").value()
    ///     #expect(book.title == "The Lighthouse Atlas")
    ///     let journal = await server.journal
    ///     #expect(journal.entries.map(\.status) == [200])
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - fixtures: The names of folders and files in the folder of fixtures. If there are none, the whole folder is
    ///     served.
    ///   - configuration: The configuration of the server; nil for the defaults, but without pauses.
    ///   - folder: The folder of fixtures; nil for the value of `REPRISE_FIXTURES`, or else `Fixtures/` next to the
    ///     source file.
    ///   - fileID: The test's module and file. Omit this argument.
    ///   - filePath: The path of the test's source file. Omit this argument.
    ///   - function: The name of the test if it does not run in Swift Testing. Omit this argument.
    ///   - body: The code to run with the server.
    /// - Returns: The value that `body` returns.
    /// - Throws: The error that `body` throws, `FixtureProblems` with all problems found in the fixtures, or
    ///   `StartError` if the server cannot start.
    public func withMockServer<Result>(
        _ fixtures: String...,
        configuration: MockServer.Configuration? = nil,
        in folder: URL? = nil,
        fileID: String = #fileID,
        filePath: String = #filePath,
        function: String = #function,
        _ body: (MockServer) async throws -> Result
    ) async throws -> Result {
        let test = TestIdentity.running(fileID: fileID, sourceFile: filePath, function: function)
        let run = try ServerRun(fixtures, in: folder, configuration, of: test)
        return try await run.run(body)
    }

    /// Runs `body` with a mock server for fixtures in memory.
    ///
    /// - Parameters:
    ///   - fixtures: The fixtures to serve.
    ///   - configuration: The configuration of the server; nil for the defaults, but without pauses.
    ///   - fileID: The test's module and file. Omit this argument.
    ///   - filePath: The path of the test's source file. Omit this argument.
    ///   - function: The name of the test if it does not run in Swift Testing. Omit this argument.
    ///   - body: The code to run with the server.
    /// - Returns: The value that `body` returns.
    /// - Throws: The error that `body` throws, or `StartError` if the server cannot start.
    public func withMockServer<Result>(
        _ fixtures: [Fixture],
        configuration: MockServer.Configuration? = nil,
        fileID: String = #fileID,
        filePath: String = #filePath,
        function: String = #function,
        _ body: (MockServer) async throws -> Result
    ) async throws -> Result {
        let test = TestIdentity.running(fileID: fileID, sourceFile: filePath, function: function)
        return try await ServerRun(fixtures, configuration, of: test).run(body)
    }

    /// Runs `body` with a mock server that stands for another server: it replays a cassette, or records one. The code
    /// under test can use any HTTP library that takes a base URL.
    ///
    /// ```swift
    /// try await withMockServer(recording: "https://api.example.com", to: "books") { server in
    ///     let shop = BookShop(baseURL: server.url)
    ///     let book = try await shop.book(42)
    ///     #expect(book.title == "The Lighthouse Atlas")
    /// }
    /// ```
    ///
    /// The rules are those of `withCassette`: `REPRISE_MODE` overrides the mode, a recording is written only if the
    /// test passes, and nothing is recorded if `CI` is set. The test fails if it sends no request, or if a request is
    /// not answered. A test that replays a cassette also fails if it does not request everything in it.
    ///
    /// - Parameters:
    ///   - upstream: The URL of the server to record, to which the paths of requests are appended.
    ///   - name: The name of the cassette in its folder: `books` is `Fixtures/books.cassette.json`. If nil, the name
    ///     consists of the test's module, suite, and function.
    ///   - mode: Where answers come from. If nil, the cassette is replayed if it exists, and recorded otherwise.
    ///   - matching: The parts of a request that must match the recording; nil for method, path, query, and body.
    ///   - afterLast: What follows the last of the answers to equal requests. If nil, a further request is not answered
    ///     in a replay, and the last answer repeats in the other modes.
    ///   - expectsRequests: Whether the test fails if no request reaches the server. If nil, it fails unless the
    ///     argument `mode` is `live`.
    ///   - folder: The folder of the cassettes; nil for the value of `REPRISE_FIXTURES`, or else `Fixtures/` next to the
    ///     source file.
    ///   - trust: The certificates to trust if the URL uses https.
    ///   - configuration: Other settings for recording and replaying.
    ///   - environment: The environment variables; nil for those of the process.
    ///   - fileID: The test's module and file. Omit this argument.
    ///   - filePath: The path of the test's source file. Omit this argument.
    ///   - function: The name of the test if it does not run in Swift Testing. Omit this argument.
    ///   - body: The code to run with the server.
    /// - Returns: The value that `body` returns.
    /// - Throws: The error that `body` throws. Otherwise, ``CassetteFailure`` if the requests do not match the cassette
    ///   or if there are none, `UpstreamError` if the URL is invalid, `StartError` if the server cannot start,
    ///   `FixtureProblems` if the cassette cannot be replayed, or `RecordingError` if it cannot be recorded.
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
        fileID: String = #fileID,
        filePath: String = #filePath,
        function: String = #function,
        _ body: (MockServer) async throws -> Result
    ) async throws -> Result {
        let settings: CassetteSettings =
            .init(mode, matching, nil, folder, nil, configuration, expectsRequests, afterLast)
        let test = TestIdentity.running(fileID: fileID, sourceFile: filePath, function: function)
        let upstream = try MockServer.Upstream(upstream, trust: trust)
        return try await RecordingServerRun(upstream, to: name, settings, of: test, environment: environment).run(body)
    }
#endif
