// SPDX-License-Identifier: Apache-2.0

import RepriseLocking

/// Gives the chunks that it was given, then ends or fails, and tells what was done with it.
struct ScriptedChunks: AsyncSequence, Sendable {
    let chunks: [[UInt8]]
    let failure: (any Error)?
    let log = Log()

    init(_ chunks: [String], failing failure: (any Error)? = nil) {
        self.chunks = chunks.map { Array($0.utf8) }
        self.failure = failure
    }

    final class Log: Sendable {
        private let state = Locked((asked: 0, isDropped: false))

        /// How often a chunk was asked for.
        var asked: Int { state.withLock { $0.asked } }
        /// Whether the iterator is gone.
        var isDropped: Bool { state.withLock { $0.isDropped } }

        func ask() { state.withLock { $0.asked += 1 } }
        func drop() { state.withLock { $0.isDropped = true } }
    }

    func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(rest: chunks[...], failure: failure, presence: Presence(log))
    }

    struct AsyncIterator: AsyncIteratorProtocol {
        var rest: ArraySlice<[UInt8]>
        let failure: (any Error)?
        let presence: Presence

        mutating func next() async throws -> [UInt8]? {
            presence.log.ask()
            if let chunk = rest.popFirst() { return chunk }
            if let failure { throw failure }
            return nil
        }
    }

    /// Lives as long as an iterator does.
    final class Presence {
        let log: Log

        init(_ log: Log) { self.log = log }

        deinit { log.drop() }
    }
}
