// SPDX-License-Identifier: Apache-2.0

internal import Foundation

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// What is known of a request that a URL session carries out, and who waits for more of it.
///
/// It changes in one direction: waiting for the head, in the body, over. What came before a failure is handed out first,
/// unless nobody wants it any more.
struct URLSessionExchangeState {
    typealias Head = Result<HTTPURLResponse, TransportError>
    typealias Chunk = Result<[UInt8]?, TransportError>

    /// What is to be done once the lock is let go of.
    enum Action {
        case none
        case resumeHead(CheckedContinuation<Head, Never>, Head)
        case resumeReader(CheckedContinuation<Chunk, Never>, Chunk)
    }

    /// How much may wait for the reader before the task is suspended, and how little before it goes on.
    static let (upperLimit, lowerLimit) = (256 << 10, 64 << 10)

    /// Whether the head has come.
    private(set) var hasHead = false
    private var chunks: [[UInt8]] = []
    /// How many of `chunks` were handed out.
    private var taken = 0
    private var waitingCount = 0
    private var outcome: Result<Void, TransportError>?
    private var headWaiter: CheckedContinuation<Head, Never>?
    private var reader: CheckedContinuation<Chunk, Never>?

    /// Whether nothing more will come.
    var isOver: Bool { outcome != nil }

    /// Whether the reader is so far behind that the sender should wait.
    var isFull: Bool { waitingCount >= Self.upperLimit }

    /// Whether the reader has caught up.
    var isDrained: Bool { waitingCount <= Self.lowerLimit }

    // MARK: Those that wait

    /// Someone waits for the head: resumed at once if there will be none.
    mutating func awaitHead(_ continuation: CheckedContinuation<Head, Never>) -> Action {
        if case .failure(let error) = outcome { return .resumeHead(continuation, .failure(error)) }
        headWaiter = continuation
        return .none
    }

    /// Someone waits for the next chunk: resumed at once if it is there, or if there will be none.
    mutating func awaitChunk(_ continuation: CheckedContinuation<Chunk, Never>) -> Action {
        if let chunk = takeChunk() { return .resumeReader(continuation, chunk) }
        reader = continuation
        return .none
    }

    /// The next chunk or the end, if it is there.
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

    // MARK: What happens

    /// The head has come.
    mutating func receive(_ head: HTTPURLResponse) -> Action {
        // Interim responses come here too on Linux, and the parts of multipart/x-mixed-replace on Apple platforms.
        guard !hasHead, !isOver, head.statusCode >= 200 || head.statusCode == 101 else { return .none }
        hasHead = true
        defer { headWaiter = nil }
        return headWaiter.map { .resumeHead($0, .success(head)) } ?? .none
    }

    /// Content has come.
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

    /// It is over: well, or with an error. What has come stays to be read.
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

    /// The time for the head is over: nothing if it has come, whether who waits for it knows that yet or not.
    mutating func expireHead(_ error: TransportError) -> Action {
        hasHead ? .none : abort(error)
    }

    /// It is over, and what has come is not wanted any more.
    mutating func abort(_ error: TransportError) -> Action {
        chunks = []
        (taken, waitingCount) = (0, 0)
        if case .success = outcome { outcome = nil }
        return end(.failure(error))
    }
}
