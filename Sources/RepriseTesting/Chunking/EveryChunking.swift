// SPDX-License-Identifier: Apache-2.0

public import Reprise
public import RepriseFixtures
public import RepriseReplay

/// Runs `body` again and again with the same responses in other chunks, and fails if it does not come to the same.
///
/// A network cuts where it likes: inside a character, between CR and LF, or not at all. What reads a stream must not
/// mind.
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
/// The first run has the recorded chunks; what it throws is thrown. Then come all bytes in one chunk, chunks of 1, 2, 3
/// and 7 bytes, chunks of many sizes, and cuts inside every UTF-8 sequence and every CR LF. The transport is also the
/// `Ambient.transport`.
///
/// In Swift Testing an expectation that fails in `body` counts as what it throws does. While the smallest split is looked
/// for, such failures are shown as known issues; the error that tells the split makes the test fail. XCTest has no such
/// thing: return there what is to be the same, or throw.
///
/// - Parameters:
///   - path: a cassette, a capture, or a folder of fixtures.
///   - configuration: how to replay; its chunking is ignored.
///   - body: what is run, some twenty times; each time with a transport of its own, in which nothing was asked.
/// - Returns: what `body` returned for the recorded chunks.
/// - Throws: ``ChunkingFailure``, which tells the smallest split that fails; what `body` throws in its first run;
///   `FixtureProblems`.
@discardableResult
public func withEveryChunking<Result: Equatable>(
    of path: String,
    configuration: ReplayingTransport.Configuration = .init(),
    _ body: (any Transport) async throws -> Result
) async throws -> Result {
    let set = try FixtureLoader.load([path], keepsRecordings: true)
    return try await withEveryChunking(of: set.fixtures, configuration: configuration, body)
}

/// The same with fixtures that are there already.
@discardableResult
public func withEveryChunking<Result: Equatable>(
    of fixtures: [Fixture],
    configuration: ReplayingTransport.Configuration = .init(),
    _ body: (any Transport) async throws -> Result
) async throws -> Result {
    var trial = ChunkingTrial(fixtures, configuration)
    let first = await trial.run(.recorded, body)
    let expected = try first.result.get()
    // What fails with the recorded chunks has nothing to learn from others.
    guard first.failure == nil else { return expected }
    for chunking in trial.chunkings {
        try Task.checkCancellation()
        guard let fault = await trial.fault(with: chunking, expecting: expected, body) else { continue }
        try Task.checkCancellation()
        throw await trial.smallestFailure(from: chunking, fault, expecting: expected, body)
    }
    return expected
}

/// The same for a `body` that throws where something is wrong, and returns nothing.
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

/// The same for a `body` that throws where something is wrong, and returns nothing, with fixtures that are there already.
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
