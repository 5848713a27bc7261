// SPDX-License-Identifier: Apache-2.0

#if os(Linux) || os(macOS)
    public import RepriseFixtures
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
#endif
