// SPDX-License-Identifier: Apache-2.0

#if os(Linux) || os(macOS)
    public import RepriseFixtures
    public import RepriseServer

    #if canImport(FoundationEssentials)
        public import FoundationEssentials
    #else
        public import Foundation
    #endif

    /// Runs `body` with a mock server that listens on a free port of this machine, and stops it at the end.
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
    ///   - fixtures: folders and files, in the folder of fixtures; none for all of it.
    ///   - configuration: how the server is set up; nil for the defaults, but without pauses.
    ///   - folder: the folder of fixtures; nil for what `REPRISE_FIXTURES` names, or else `Fixtures/` beside the source
    ///     file.
    ///   - fileID: the test's module and file; leave it out.
    ///   - filePath: the test's source file; leave it out.
    ///   - function: the test's name, where it runs in none of Swift Testing's; leave it out.
    ///   - body: what runs with the server.
    /// - Returns: what `body` returns.
    /// - Throws: what `body` throws; `FixtureProblems` with all that is wrong with the fixtures; `StartError` if there is
    ///   no port to listen on.
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

    /// Runs `body` with a mock server for fixtures that are in memory.
    ///
    /// - Parameters:
    ///   - fixtures: what it serves.
    ///   - configuration: how the server is set up; nil for the defaults, but without pauses.
    ///   - fileID: the test's module and file; leave it out.
    ///   - filePath: the test's source file; leave it out.
    ///   - function: the test's name, where it runs in none of Swift Testing's; leave it out.
    ///   - body: what runs with the server.
    /// - Returns: what `body` returns.
    /// - Throws: what `body` throws; `StartError` if there is no port to listen on.
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
