// SPDX-License-Identifier: Apache-2.0

internal import Reprise
internal import RepriseLocking
internal import RepriseReplay

/// The outcome of running a test once with a replay.
struct TrialOutcome<Value> {
    let result: Result<Value, any Error>
    /// The first failed expectation, if any.
    let failure: String?

    /// Runs `body` with the transport and the clock as the ambient ones. Meanwhile, requests that bypass the transport
    /// fail.
    ///
    /// - Parameters:
    ///   - name: What is replayed.
    ///   - hidesFailures: Whether failed expectations are not failures of the enclosing test.
    static func running(
        with transport: ReplayingTransport,
        clock: (any Clock<Duration>)?,
        named name: String,
        hidesFailures: Bool,
        _ body: () async throws -> Value
    ) async -> TrialOutcome {
        let number = NetworkGuard.open(name)
        defer { NetworkGuard.close(number) }
        let failure = Locked<String?>(nil)
        let result: Result<Value, any Error>
        do {
            let value = try await RecordedFailure.watch { recorded in
                failure.withLock { $0 = $0 ?? recorded.text }
                return hidesFailures
            } _: {
                try await Ambient.$transport.withValue(transport) {
                    try await Ambient.$clock.withValue(clock) {
                        try await CacheScope.$current.withValue(CacheScope()) { try await body() }
                    }
                }
            }
            result = .success(value)
        } catch {
            result = .failure(error)
        }
        if !transport.played.isEmpty { TestCassette.current?.noteRequest() }
        return TrialOutcome(result: result, failure: failure.withLock { $0 })
    }
}
