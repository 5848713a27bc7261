// SPDX-License-Identifier: Apache-2.0

import RepriseLocking

/// Returns the scripted chunks, then ends or fails, and logs how it was used.
struct ScriptedChunks: AsyncSequence, Sendable {
    let chunks: [[UInt8]]
    let failure: (any Error)?
    let log = Log()

    init(_ chunks: [String], failing failure: (any Error)? = nil) {
        self.chunks = chunks.map { Array($0.utf8) }
        self.failure = failure
    }

    final class Log: Sendable {
        private let state = Locked((requests: 0, isReleased: false))

        /// The number of requests for a chunk.
        var requests: Int { state.withLock { $0.requests } }
        /// Whether the iterator was released.
        var isReleased: Bool { state.withLock { $0.isReleased } }

        func noteRequest() { state.withLock { $0.requests += 1 } }
        func noteRelease() { state.withLock { $0.isReleased = true } }
    }

    func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(rest: chunks[...], failure: failure, presence: Presence(log))
    }

    struct AsyncIterator: AsyncIteratorProtocol {
        var rest: ArraySlice<[UInt8]>
        let failure: (any Error)?
        let presence: Presence

        mutating func next() async throws -> [UInt8]? {
            presence.log.noteRequest()
            if let chunk = rest.popFirst() { return chunk }
            if let failure { throw failure }
            return nil
        }
    }

    /// Lives as long as its iterator.
    final class Presence {
        let log: Log

        init(_ log: Log) { self.log = log }

        deinit { log.noteRelease() }
    }
}
