// SPDX-License-Identifier: Apache-2.0

public import Reprise
internal import RepriseAnswers
public import RepriseFixtures
internal import RepriseMatching
public import RepriseReplay

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Runs `body` repeatedly, each time with the stream cut after another of its events, and fails if `body` mistakes a
/// part of the stream for the whole, fails an expectation, or hangs.
///
/// ```swift
/// @Test func neverTakesPartOfChatForWhole() async throws {
///     try await withEveryBreak("chat") { _ in
///         try await Chat.ask("Which atlas?").whole
///     }
/// }
/// ```
///
/// The first run plays the recording, and its errors are rethrown. In the following runs, each stream ends before its
/// first event, after the first, after the second, and so on, first with a reset and then with a closed connection. At
/// each break, `body` must throw an error, or return the same value as for the whole stream, for example because it has
/// already received the event that ends the answer. If it returns another value, it took a part for the whole.
///
/// The error describes the earliest break that fails. Pauses and retries take no real time.
///
/// - Parameters:
///   - name: The name of the cassette in its folder, or its path: `chat` is `Fixtures/chat.cassette.json`.
///   - bytes: The maximum number of further breaks, after random bytes of each stream. The default is 0.
///   - seed: The seed that selects these bytes. The default is 1.
///   - timeLimit: The real time after which a run counts as hung. The default is 10 seconds.
///   - configuration: How to replay. Its edits apply before the breaks.
///   - folder: The folder of the cassettes; nil for the value of `REPRISE_FIXTURES`, or else `Fixtures/` next to the
///     source file.
///   - fileID: The test's module and file. Omit this argument.
///   - filePath: The path of the test's source file. Omit this argument.
///   - function: The name of the test if it does not run in Swift Testing. Omit this argument.
///   - body: The code to run, each time with a new transport, which is also the `Ambient.transport`.
/// - Returns: The value that `body` returned for the recording.
/// - Throws: ``BreakFailure`` with the earliest break that causes a failure, the error that `body` throws in its first
///   run, or `FixtureProblems`.
@discardableResult
public func withEveryBreak<Result: Equatable & Sendable>(
    _ name: String,
    bytes: Int = 0,
    seed: UInt64 = 1,
    timeLimit: Duration = .seconds(10),
    configuration: ReplayingTransport.Configuration = .init(),
    in folder: URL? = nil,
    fileID: String = #fileID,
    filePath: String = #filePath,
    function: String = #function,
    _ body: @escaping @Sendable (any Transport) async throws -> Result
) async throws -> Result {
    let test = TestIdentity.running(fileID: fileID, sourceFile: filePath, function: function)
    let environment = ProcessInfo.processInfo.environment
    let folder = CassettePlace.folder(folder, nextTo: test.sourceFile, in: environment)
    let path = CassettePlace.path(of: name, in: folder, mode: .replay)
    let set = try FixtureLoader.load([path], keepsRecordings: true)
    return try await withEveryBreak(
        of: set.fixtures,
        bytes: bytes,
        seed: seed,
        timeLimit: timeLimit,
        configuration: configuration,
        body
    )
}

/// Runs `body` repeatedly, each time with a stream from fixtures in memory cut after another of its events.
///
/// See `withEveryBreak` with the name of a cassette, whose other parameters, result, and errors are the same.
///
/// The fixtures need their recordings only if `configuration` does.
@discardableResult
public func withEveryBreak<Result: Equatable & Sendable>(
    of fixtures: [Fixture],
    bytes: Int = 0,
    seed: UInt64 = 1,
    timeLimit: Duration = .seconds(10),
    configuration: ReplayingTransport.Configuration = .init(),
    _ body: @escaping @Sendable (any Transport) async throws -> Result
) async throws -> Result {
    var configuration = configuration
    let fixtures = try fixtures.bent(by: configuration.bends, configuration.rules(for: fixtures).options)
    configuration.bends = []
    // Code that reconnects after a break sends more requests than were recorded.
    configuration.afterLast = configuration.afterLast ?? .repeat
    let trial = BreakTrial(fixtures, configuration, limit: timeLimit)
    let first = await trial.run(nil, body)
    guard let expected = try first.result?.get() else { throw BreakFailure(nil, .hung(timeLimit)) }
    // A test that fails with the recording needs no other runs.
    guard first.failure == nil else { return expected }
    let streams = try trial.streams(playedBy: first.transport)
    for stream in streams {
        for place in stream.places + stream.sample(bytes, seed: seed) {
            try Task.checkCancellation()
            guard let fault = await trial.fault(at: stream.breaks(at: place), expecting: expected, body) else {
                continue
            }
            try Task.checkCancellation()
            throw await trial.smallest(from: place, fault.0, fault.1, in: stream, expecting: expected, body)
        }
    }
    return expected
}

/// Runs `body` repeatedly, each time with the stream cut after another event, and fails if an expectation in `body`
/// fails or if `body` hangs. An error that `body` throws is not a failure.
public func withEveryBreak(
    _ name: String,
    bytes: Int = 0,
    seed: UInt64 = 1,
    timeLimit: Duration = .seconds(10),
    configuration: ReplayingTransport.Configuration = .init(),
    in folder: URL? = nil,
    fileID: String = #fileID,
    filePath: String = #filePath,
    function: String = #function,
    _ body: @escaping @Sendable (any Transport) async throws -> Void
) async throws {
    _ = try await withEveryBreak(
        name,
        bytes: bytes,
        seed: seed,
        timeLimit: timeLimit,
        configuration: configuration,
        in: folder,
        fileID: fileID,
        filePath: filePath,
        function: function
    ) { transport in
        try await body(transport)
        return true
    }
}
