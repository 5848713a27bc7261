// SPDX-License-Identifier: Apache-2.0

internal import RepriseLocking

/// One request for all who ask the same at the same time, and its response for all of them.
///
/// It goes on in a task of its own, and reads on in others, so that whoever stops waiting takes nothing from the rest.
/// When the last one stops, it ends. The fastest reader sets the pace.
final class CacheFetch: Sendable {
    /// What it is that is asked.
    struct Question: Hashable, Sendable {
        let key: CacheKey
        var request: HTTPRequest
        let options: RequestOptions
        let writing: CachingTransport.WritePolicy
    }

    /// Gets all parts when the body has ended; nil if it has not come as a whole, or is too large.
    typealias Finish = @Sendable ([Body.Part]?) -> Void

    let question: Question
    private let state: Locked<Guarded>

    private struct Guarded {
        var fetch: CacheFetchState
        var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
        var isStorable = true
        var isConfirmation = false
        var work: Task<Void, Never>?
        var source: Source?
        var length: Int?
        /// Is told when the body is complete.
        var finish: Finish?

        mutating func takeWaiting() -> [CheckedContinuation<Void, Never>] {
            defer { waiting = [:] }
            return Array(waiting.values)
        }
    }

    /// The body as it comes.
    private final class Source: @unchecked Sendable {
        // Sendable because one task at a time asks for a part: `CacheFetchState` says who.
        private var parts: Body.Parts.AsyncIterator

        init(_ body: Body) {
            parts = body.parts.makeAsyncIterator()
        }

        func next() async -> Result<Body.Part?, TransportError> {
            do {
                return .success(try await parts.next())
            } catch {
                return .failure(error as? TransportError ?? TransportError(.other, "\(error)", underlying: error))
            }
        }
    }

    init(_ question: Question, limit: Int) {
        self.question = question
        state = Locked(Guarded(fetch: CacheFetchState(limit: limit)))
    }

    // MARK: Who asks

    /// See ``CacheFetchState/join()``.
    func join() -> Int? { state.withLock { $0.fetch.join() } }

    /// Whether what comes may be stored: nobody has cleared it meanwhile.
    var isStorable: Bool { state.withLock { $0.isStorable } }

    /// What comes is not to be stored.
    func forget() {
        state.withLock { $0.isStorable = false }
    }

    /// Whether the server has said that what is stored is good.
    var isConfirmation: Bool { state.withLock { $0.isConfirmation } }

    /// The server says that what is stored is good.
    func confirm() {
        state.withLock { $0.isConfirmation = true }
    }

    /// Asks, for all.
    func start(_ work: @escaping @Sendable () async -> Arrival) {
        state.withLock { state in
            guard !state.fetch.isAbandoned else { return }
            // In the lock, so that whoever leaves finds it.
            state.work = Task { self.arrive(await work()) }
        }
    }

    private func arrive(_ arrival: Arrival) {
        let (waiting, unread) = state.withLock { state -> ([CheckedContinuation<Void, Never>], Finish?) in
            var unread: Finish?
            if case .response(let response, let finish?) = arrival {
                if state.fetch.isAbandoned {
                    unread = finish
                } else {
                    state.source = Source(response.body)
                    state.length = response.body.length
                    state.finish = finish
                }
            }
            state.fetch.arrive(arrival.inState)
            state.work = nil
            return (state.takeWaiting(), unread)
        }
        unread?(nil)
        wake(waiting)
    }

    /// What the request leads to.
    enum Arrival: Sendable {
        /// A response for all; with ``Finish`` it comes by and by.
        case response(Response, finish: Finish?)
        case alone(Response)
        case failure(TransportError)

        fileprivate var inState: CacheFetchState.Arrival {
            switch self {
            case .response(var response, let finish):
                if finish != nil { response.body = .empty }
                return .response(response, isWhole: finish == nil)
            case .alone(let response): return .alone(response)
            case .failure(let error): return .failure(error)
            }
        }
    }

    /// The response; nil if one has to ask for oneself.
    func response(for id: Int) async throws(TransportError) -> Response? {
        let reader = CacheReader(self, id)
        while true {
            if Task.isCancelled { throw .cancelledInCache }
            switch state.withLock({ $0.fetch.head() }) {
            case nil: await wait(id) { $0.hasNoHead }
            case .failure(let error): throw error
            case .askAgain: return nil
            case .alone(let response): return response
            case .response(var response, let isWhole):
                guard !isWhole else { return response }
                response.body = Body(reader, length: state.withLock { $0.length })
                return response
            }
        }
    }

    fileprivate func part(for id: Int) async throws(TransportError) -> Body.Part? {
        while true {
            if Task.isCancelled {
                leave(id)
                throw .cancelledInCache
            }
            switch state.withLock({ $0.fetch.next(for: id) }) {
            case .take(let part): return part
            case .end(let result):
                try result.get()
                return nil
            case .pull: pull()
            case .wait: break
            }
            await wait(id) { $0.isWaiting(id) }
        }
    }

    fileprivate func leave(_ id: Int) {
        let left = state.withLock { state -> Guarded? in
            guard state.fetch.leave(id) else { return nil }
            defer { (state.work, state.source, state.finish) = (nil, nil, nil) }
            return state
        }
        // Outside of the lock: letting go of the source cancels what it reads from.
        left?.work?.cancel()
        left?.finish?(nil)
    }

    // MARK: What comes

    private func pull() {
        state.withLock { state in
            guard let source = state.source else { return }
            state.work = Task { self.receive(await source.next()) }
        }
    }

    private func receive(_ result: Result<Body.Part?, TransportError>) {
        let isEnd = if case .success(_?) = result { false } else { true }
        let (finish, parts) = state.withLock { state -> (Finish?, [Body.Part]?) in
            let parts = state.fetch.receive(result)
            guard isEnd else { return (nil, nil) }
            defer { (state.finish, state.source) = (nil, nil) }
            return (state.finish, parts)
        }
        // Before anyone is told, so that whoever knows of the end finds what is stored.
        finish?(parts)
        wake(state.withLock { $0.takeWaiting() })
    }

    // MARK: Waiting

    private func wait(_ id: Int, while condition: (inout CacheFetchState) -> Bool) async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    if Task.isCancelled || !condition(&state.fetch) { return true }
                    state.waiting[id] = continuation
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiting.removeValue(forKey: id) }?.resume()
        }
    }

    private func wake(_ waiting: [CheckedContinuation<Void, Never>]) {
        for continuation in waiting { continuation.resume() }
    }
}

/// One reader's end of a fetch: let go of, it takes part no longer.
private final class CacheReader: BodySource {
    private let fetch: CacheFetch
    private let id: Int

    init(_ fetch: CacheFetch, _ id: Int) {
        self.fetch = fetch
        self.id = id
    }

    deinit {
        fetch.leave(id)
    }

    func next() async throws(TransportError) -> Body.Part? { try await fetch.part(for: id) }

    func cancel() {
        fetch.leave(id)
    }
}

extension TransportError {
    fileprivate static var cancelledInCache: Self {
        Self(.cancelled, "the task was cancelled while a request of the cache was under way")
    }
}
