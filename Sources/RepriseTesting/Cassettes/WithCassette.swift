// SPDX-License-Identifier: Apache-2.0

public import Reprise
public import RepriseReplay

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Runs `body` with a cassette: its clients replay it, or record it.
///
/// ```swift
/// try await withCassette("books") { _ in
///     let book: Book = try await Client("https://api.example.com/v1").get("/books/42").value()
///     #expect(book.title == "The Lighthouse Atlas")
/// }
/// ```
///
/// What is recorded is written if `body` returns and no expectation failed in it. Otherwise the cassette stays as it was, in
/// every mode, unless `REPRISE_KEEP_FAILED=1`.
///
/// It works in any test, and outside of one. Within a test that has the trait `.cassette`, it stands in
/// for that cassette, and what is not said here is as it is there.
///
/// - Parameters:
///   - name: the cassette's, in its folder: `books` is `Fixtures/books.cassette.json`. Nil for one made of the test's
///     module, suite and function.
///   - mode: where answers come from; nil for the cassette alone. `REPRISE_MODE` overrides it, see `ReplayMode`.
///   - matching: what has to be as it was recorded; nil for method, path, query and body.
///   - pace: how fast recorded time passes; nil for not at all.
///   - folder: where the cassettes are; nil for what `REPRISE_FIXTURES` names, or else `Fixtures/` beside the source file.
///   - base: what reaches the network; nil for the platform's live transport.
///   - configuration: all else about recording and replaying.
///   - environment: the variables; nil for the process's.
///   - fileID: the test's module and file; leave it out.
///   - filePath: the test's source file; leave it out.
///   - function: the test's name, where it runs in none of Swift Testing's; leave it out.
///   - body: what runs with the cassette.
/// - Returns: what `body` returns.
/// - Throws: what `body` throws; otherwise ``CassetteFailure`` if what it asked for is not what is in the cassette,
///   `FixtureProblems` or `TransportError` if the cassette cannot be replayed, `RecordingError` if it cannot be recorded.
public func withCassette<Result>(
    _ name: String? = nil,
    mode: ReplayMode? = nil,
    matching: [Matcher]? = nil,
    pace: Pace? = nil,
    in folder: URL? = nil,
    over base: (any Transport)? = nil,
    configuration: CassetteSession.Configuration? = nil,
    environment: [String: String]? = nil,
    fileID: String = #fileID,
    filePath: String = #filePath,
    function: String = #function,
    _ body: (TestCassette) async throws -> Result
) async throws -> Result {
    let settings = CassetteSettings(mode, matching, pace, folder, base, configuration)
    let test = TestIdentity.running(fileID: fileID, sourceFile: filePath, function: function)
    return try await CassetteRun(name, settings, of: test, environment: environment).run(body)
}
