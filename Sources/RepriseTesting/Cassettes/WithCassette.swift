// SPDX-License-Identifier: Apache-2.0

public import Reprise
public import RepriseAnswers
public import RepriseMatching
public import RepriseReplay
public import RepriseText

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Runs `body` with a cassette, which its clients replay or record.
///
/// ```swift
/// try await withCassette("books") { _ in
///     let book: Book = try await Client("https://api.example.com/v1").get("/books/42").value()
///     #expect(book.title == "The Lighthouse Atlas")
/// }
/// ```
///
/// The recording is written if `body` returns and none of its expectations failed. Otherwise the cassette stays
/// unchanged in every mode, unless `REPRISE_KEEP_FAILED=1` is set.
///
/// You can use this function in any test, and outside of tests. In a test with the trait `.cassette`, it replaces
/// that cassette, and settings that are omitted here are taken from the trait.
///
/// - Parameters:
///   - name: The name of the cassette in its folder: `books` is `Fixtures/books.cassette.json`. If nil, the name
///     consists of the test's module, suite, and function.
///   - mode: Where answers come from; nil for the cassette alone. `REPRISE_MODE` overrides the mode; see
///     `ReplayMode`.
///   - matching: The parts of a request that must match the recording; nil for method, path, query, and body.
///   - afterLast: What follows the last of the answers to equal requests. If nil, a further request is a miss in a
///     strict replay, and the last answer repeats in the other modes and with edits.
///   - pace: How fast recorded time passes. If nil, it takes no real time.
///   - bends: Edits of the recorded responses, which end, stall, or change them; nil for none.
///   - expectsRequests: Whether the test fails if `body` sends no request that reaches the cassette. If nil,
///     it fails unless the argument `mode` is `live`.
///   - folder: The folder of the cassettes; nil for the value of `REPRISE_FIXTURES`, or else `Fixtures/` next to the
///     source file.
///   - base: The transport that reaches the network; nil for the client's live transport.
///   - configuration: Other settings for recording and replaying.
///   - environment: The environment variables; nil for those of the process.
///   - fileID: The test's module and file. Omit this argument.
///   - filePath: The path of the test's source file. Omit this argument.
///   - function: The name of the test if it does not run in Swift Testing. Omit this argument.
///   - body: The code to run with the cassette.
/// - Returns: The value that `body` returns.
/// - Throws: The error that `body` throws. Otherwise, ``CassetteFailure`` if its requests do not match the cassette
///   or if there are none, `FixtureProblems` or `TransportError` if the cassette cannot be replayed, or
///   `RecordingError` if it cannot be recorded.
public func withCassette<Result>(
    _ name: String? = nil,
    mode: ReplayMode? = nil,
    matching: [Matcher]? = nil,
    afterLast: AfterLast? = nil,
    pace: Pace? = nil,
    bending bends: [Bend]? = nil,
    expectsRequests: Bool? = nil,
    in folder: URL? = nil,
    over base: (any Transport)? = nil,
    configuration: CassetteSession.Configuration? = nil,
    environment: [String: String]? = nil,
    fileID: String = #fileID,
    filePath: String = #filePath,
    function: String = #function,
    _ body: (TestCassette) async throws -> Result
) async throws -> Result {
    let settings: CassetteSettings =
        .init(mode, matching, pace, folder, base, configuration, expectsRequests, afterLast, bends)
    let test = TestIdentity.running(fileID: fileID, sourceFile: filePath, function: function)
    return try await CassetteRun(name, settings, of: test, environment: environment).run(body)
}
