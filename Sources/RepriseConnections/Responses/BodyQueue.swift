// SPDX-License-Identifier: Apache-2.0

internal import RepriseIO

/// The pieces of a body, on their way from the connection's loop to the task that reads them.
final class BodyQueue: Sendable {
    /// The number of waiting bytes above which the connection stops reading. It resumes at half of this number.
    static let limit = 256 << 10
    /// The size counted for a piece in addition to its content, so that tiny pieces cannot use more memory than large
    /// ones.
    private static let pieceOverhead = 64
    /// The maximum size of a chunk that is reassembled from parts while they wait for the reader.
    static let chunkSize = 64 << 10

    typealias Piece = IncomingBody.Piece
    fileprivate typealias Waiter = CheckedContinuation<Void, Never>

    let length: Int?
    private let exchange: LoopBound<ClientExchange>
    private let route: Route
    private let state = Locked(State())

    fileprivate struct State {
        var pieces: [Piece] = []
        var first = 0
        var size = 0
        var isPaused = false
        var ending: Result<Piece?, ConnectionError>?
        var waiter: Waiter?
    }

    init(of exchange: LoopBound<ClientExchange>, on route: Route, length: Int?) {
        self.exchange = exchange
        self.route = route
        self.length = length
    }

    // MARK: The loop's side

    /// Adds pieces. Returns true if the connection should stop reading.
    func add(_ pieces: [Piece]) -> Bool {
        let (waiter, isFull) = state.withLock { state in
            for piece in pieces { state.add(piece) }
            // After the connection has been paused, only the reader resumes it, even if more pieces are added before
            // then.
            if state.size > Self.limit { state.isPaused = true }
            return (state.hasPieces ? state.takeWaiter() : nil, state.isPaused)
        }
        waiter?.resume()
        return isFull
    }

    /// Ends the body, either complete or with an error.
    func end(with error: ConnectionError? = nil) {
        let waiter = state.withLock { state in
            state.ending = state.ending ?? error.map { .failure($0) } ?? .success(nil)
            return state.takeWaiter()
        }
        waiter?.resume()
    }

    // MARK: The reader's side

    func next() async throws(ConnectionError) -> Piece? {
        if Task.isCancelled { cancel() }
        while true {
            if let taken = take() { return try taken.get() }
            // The continuation only wakes the task, which then takes the piece itself. ThreadSanitizer reports a
            // false race for a value passed through a continuation that is resumed before its task suspends.
            await withTaskCancellationHandler {
                await withCheckedContinuation { waiter in
                    if !park(waiter) { waiter.resume() }
                }
            } onCancel: {
                cancel()
            }
        }
    }

    /// Returns the next piece or the end, if available.
    private func take() -> Result<Piece?, ConnectionError>? {
        let (taken, hasCaughtUp) = state.withLock { state -> (Result<Piece?, ConnectionError>?, Bool) in
            guard let piece = state.takeFirst() else { return (state.ending, false) }
            let hasCaughtUp = state.isPaused && state.size <= Self.limit / 2
            if hasCaughtUp { state.isPaused = false }
            return (.success(piece), hasCaughtUp)
        }
        if hasCaughtUp { exchange.loop.execute { [exchange] in exchange.value.resumeReading() } }
        return taken
    }

    /// Stores the waiter until there is something to take. Returns false if there already is.
    private func park(_ waiter: Waiter) -> Bool {
        state.withLock { state in
            guard !state.hasPieces, state.ending == nil else { return false }
            precondition(state.waiter == nil, "only one task at a time may read a body")
            state.waiter = waiter
            return true
        }
    }

    /// Cancels the body, because the reader needs no more of it.
    func cancel() {
        let error = ConnectionError.cancelled(route)
        let (waiter, isOpen) = state.withLock { state in
            let isOpen = state.ending == nil
            state.ending = .failure(error)
            state.pieces = []
            state.first = 0
            state.size = 0
            return (state.takeWaiter(), isOpen)
        }
        waiter?.resume()
        if isOpen { exchange.loop.execute { [exchange] in exchange.value.abandonBody() } }
    }
}

extension BodyQueue.State {
    mutating func add(_ piece: IncomingBody.Piece) {
        guard ending == nil else { return }
        guard case .content(let content, let endsChunk) = piece else {
            pieces.append(piece)
            return
        }
        size += content.count
        if append(content, endsChunk) { return }
        size += BodyQueue.pieceOverhead
        pieces.append(piece)
    }

    /// Appends content to the last piece if both belong to the same chunk.
    private mutating func append(_ content: [UInt8], _ endsChunk: Bool) -> Bool {
        guard pieces.count > first, case .content(var whole, false)? = pieces.last,
            whole.count + content.count <= BodyQueue.chunkSize
        else { return false }
        // Remove it from the list while it grows, to avoid a copy.
        pieces.removeLast()
        whole += content
        pieces.append(.content(whole, endsChunk: endsChunk))
        return true
    }

    var hasPieces: Bool { first < pieces.count }

    mutating func takeWaiter() -> BodyQueue.Waiter? {
        defer { waiter = nil }
        return waiter
    }

    mutating func takeFirst() -> IncomingBody.Piece? {
        guard first < pieces.count else { return nil }
        let piece = pieces[first]
        first += 1
        if case .content(let content, _) = piece { size -= content.count + BodyQueue.pieceOverhead }
        if first == pieces.count {
            pieces.removeAll(keepingCapacity: pieces.count <= 64)
            first = 0
        }
        return piece
    }
}
