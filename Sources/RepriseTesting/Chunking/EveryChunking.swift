// SPDX-License-Identifier: Apache-2.0

public import Reprise
public import RepriseFixtures
public import RepriseReplay

/// Runs `body` repeatedly with the same responses in different chunks, and fails if the result changes.
///
/// A network may split a stream anywhere: inside a character, between CR and LF, or not at all. Code that reads a
/// stream must handle every split.
///
/// ```swift
/// let events = try await withEveryChunking(of: "Fixtures/chat.cassette.json") { transport in
///     let api = Client("https://api.example.com", transport: transport)
///     var events: [String] = []
///     for try await event in try await api.get("/chat").events() { events.append(event.data) }
///     return events
/// }
/// ```
///
/// The first run uses the recorded chunks, and its errors are rethrown. The following runs use cuts inside every UTF-8
/// sequence and every CR LF, all bytes in one chunk, chunks of 1, 2, 3, and 7 bytes, and chunks of many sizes. The
/// transport is also the `Ambient.transport`.
///
/// In Swift Testing, a failed expectation in `body` counts like a thrown error. While the function searches for the
/// fewest cuts that cause it, such failures appear as known issues. The test then fails with the error that describes
/// the cuts. XCTest does not support this: there, return the value that must stay the same, or throw.
///
/// - Parameters:
///   - path: The path of a cassette, a HAR file, or a folder of fixtures.
///   - configuration: How to replay. Its chunking is ignored.
///   - body: The code to run, about 15 times if it succeeds, each time with a new transport.
/// - Returns: The value that `body` returned for the recorded chunks.
/// - Throws: ``ChunkingFailure`` with the fewest cuts that cause a failure, the error that `body` throws in its first
///   run, or `FixtureProblems`.
@discardableResult
public func withEveryChunking<Result: Equatable>(
    of path: String,
    configuration: ReplayingTransport.Configuration = .init(),
    _ body: (any Transport) async throws -> Result
) async throws -> Result {
    let set = try FixtureLoader.load([path], keepsRecordings: true, stubOptions: configuration.stubs)
    return try await withEveryChunking(ChunkingTrial(set.fixtures, stubs: set.stubs, configuration), body)
}

/// Runs `body` repeatedly with the same responses in different chunks, from fixtures in memory.
@discardableResult
public func withEveryChunking<Result: Equatable>(
    of fixtures: [Fixture],
    configuration: ReplayingTransport.Configuration = .init(),
    _ body: (any Transport) async throws -> Result
) async throws -> Result {
    try await withEveryChunking(ChunkingTrial(fixtures, configuration), body)
}

private func withEveryChunking<Result: Equatable>(
    _ trial: ChunkingTrial,
    _ body: (any Transport) async throws -> Result
) async throws -> Result {
    var trial = trial
    let first = await trial.run(.recorded, body)
    let expected = try first.result.get()
    // A test that fails with the recorded chunks needs no other runs.
    guard first.failure == nil else { return expected }
    for chunking in trial.chunkings {
        try Task.checkCancellation()
        guard let fault = await trial.fault(with: chunking, expecting: expected, body) else { continue }
        try Task.checkCancellation()
        throw await trial.smallestFailure(from: chunking, fault, expecting: expected, body)
    }
    return expected
}

/// Runs `body` repeatedly with the same responses in different chunks, and fails if `body` throws.
public func withEveryChunking(
    of path: String,
    configuration: ReplayingTransport.Configuration = .init(),
    _ body: (any Transport) async throws -> Void
) async throws {
    try await withEveryChunking(of: path, configuration: configuration) { transport in
        try await body(transport)
        return true
    }
}

/// Runs `body` repeatedly with the same responses in different chunks, from fixtures in memory, and fails if `body`
/// throws.
public func withEveryChunking(
    of fixtures: [Fixture],
    configuration: ReplayingTransport.Configuration = .init(),
    _ body: (any Transport) async throws -> Void
) async throws {
    try await withEveryChunking(of: fixtures, configuration: configuration) { transport in
        try await body(transport)
        return true
    }
}
