// SPDX-License-Identifier: Apache-2.0

internal import RepriseIO

/// The pieces of a body on their way from the connection's loop to the task that reads them.
final class BodyQueue: Sendable {
    /// So much may wait, in bytes, before the connection stops reading; it goes on at half of it.
    static let limit = 256 << 10
    /// What a piece counts beside its content, so that tiny pieces cannot take more memory than large ones.
    private static let pieceOverhead = 64
    /// A chunk that comes in parts is put together again up to this size while nobody takes the parts.
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

    /// Adds pieces; true if the connection is to stop reading.
    func add(_ pieces: [Piece]) -> Bool {
        let (waiter, isFull) = state.withLock { state in
            for piece in pieces { state.add(piece) }
            // Once the connection is told to stop it is the reader who lets it go on, also if this comes in between.
            if state.size > Self.limit { state.isPaused = true }
            return (state.hasPieces ? state.takeWaiter() : nil, state.isPaused)
        }
        waiter?.resume()
        return isFull
    }

    /// The body is complete, or over with an error.
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
            // It is woken and takes for itself: what a continuation hands over looks like a race to ThreadSanitizer where
            // it is resumed before its task sleeps.
            await withTaskCancellationHandler {
                await withCheckedContinuation { waiter in
                    if !park(waiter) { waiter.resume() }
                }
            } onCancel: {
                cancel()
            }
        }
    }

    /// The next piece or the end, if either is there.
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

    /// Keeps the waiter until there is something to take; false if there is already.
    private func park(_ waiter: Waiter) -> Bool {
        state.withLock { state in
            guard !state.hasPieces, state.ending == nil else { return false }
            precondition(state.waiter == nil, "one task at a time reads a body")
            state.waiter = waiter
            return true
        }
    }

    /// The reader wants no more.
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

    /// Appends content to the last piece if both are of one chunk.
    private mutating func append(_ content: [UInt8], _ endsChunk: Bool) -> Bool {
        guard pieces.count > first, case .content(var whole, false)? = pieces.last,
            whole.count + content.count <= BodyQueue.chunkSize
        else { return false }
        // Out of the list while it grows, so that it is not copied.
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
