// SPDX-License-Identifier: Apache-2.0

internal import Foundation

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// The state of a request that a URL session performs, with the continuations that wait for it.
///
/// The state advances in one direction: waiting for the head, reading the body, ended. Data received before a failure
/// is delivered first, unless the exchange was aborted.
struct URLSessionExchangeState {
    typealias Head = Result<HTTPURLResponse, TransportError>
    typealias Chunk = Result<[UInt8]?, TransportError>

    /// An action to perform after the lock has been released.
    enum Action {
        case none
        case resumeHead(CheckedContinuation<Head, Never>, Head)
        case resumeReader(CheckedContinuation<Chunk, Never>, Chunk)
    }

    /// The number of buffered bytes at which the task is suspended, and the number at which it is resumed.
    static let (upperLimit, lowerLimit) = (256 << 10, 64 << 10)

    private(set) var hasHead = false
    private var chunks: [[UInt8]] = []
    /// The number of elements of `chunks` that have been delivered.
    private var taken = 0
    private var waitingCount = 0
    private var outcome: Result<Void, TransportError>?
    private var headWaiter: CheckedContinuation<Head, Never>?
    private var reader: CheckedContinuation<Chunk, Never>?

    var isOver: Bool { outcome != nil }

    /// Whether the reader is so far behind that the sender should wait.
    var isFull: Bool { waitingCount >= Self.upperLimit }

    /// Whether the reader has caught up.
    var isDrained: Bool { waitingCount <= Self.lowerLimit }

    // MARK: Waiting

    /// Waits for the head. Resumes immediately if there will be none.
    mutating func awaitHead(_ continuation: CheckedContinuation<Head, Never>) -> Action {
        if case .failure(let error) = outcome { return .resumeHead(continuation, .failure(error)) }
        headWaiter = continuation
        return .none
    }

    /// Waits for the next chunk. Resumes immediately if it is available or there will be none.
    mutating func awaitChunk(_ continuation: CheckedContinuation<Chunk, Never>) -> Action {
        if let chunk = takeChunk() { return .resumeReader(continuation, chunk) }
        reader = continuation
        return .none
    }

    /// Returns the next chunk or the end, if it is available.
    mutating func takeChunk() -> Chunk? {
        if taken < chunks.count {
            let chunk = chunks[taken]
            chunks[taken] = []
            taken += 1
            waitingCount -= chunk.count
            if taken == chunks.count {
                chunks.removeAll(keepingCapacity: true)
                taken = 0
            }
            return .success(chunk)
        }
        return outcome.map { $0.map { nil } }
    }

    // MARK: Events

    mutating func receive(_ head: HTTPURLResponse) -> Action {
        // On Linux, interim responses arrive here too. On Apple platforms, so do the parts of
        // multipart/x-mixed-replace.
        guard !hasHead, !isOver, head.statusCode >= 200 || head.statusCode == 101 else { return .none }
        hasHead = true
        defer { headWaiter = nil }
        return headWaiter.map { .resumeHead($0, .success(head)) } ?? .none
    }

    mutating func receive(_ chunk: [UInt8]) -> Action {
        guard !isOver, !chunk.isEmpty else { return .none }
        if let reader {
            self.reader = nil
            return .resumeReader(reader, .success(chunk))
        }
        chunks.append(chunk)
        waitingCount += chunk.count
        return .none
    }

    /// Ends the exchange, successfully or with an error. Received data can still be read.
    mutating func end(_ outcome: Result<Void, TransportError>) -> Action {
        guard self.outcome == nil else { return .none }
        self.outcome = outcome
        if let headWaiter {
            self.headWaiter = nil
            let error = TransportError(.malformedResponse, "the response ended without a head")
            return .resumeHead(headWaiter, outcome.flatMap { .failure(error) })
        }
        guard let reader else { return .none }
        self.reader = nil
        return .resumeReader(reader, outcome.map { nil })
    }

    /// Ends the exchange because the head did not arrive in time. Does nothing if the head has arrived, even if the
    /// waiting task has not resumed yet.
    mutating func expireHead(_ error: TransportError) -> Action {
        hasHead ? .none : abort(error)
    }

    /// Ends the exchange and discards received data.
    mutating func abort(_ error: TransportError) -> Action {
        chunks = []
        (taken, waitingCount) = (0, 0)
        if case .success = outcome { outcome = nil }
        return end(.failure(error))
    }
}
