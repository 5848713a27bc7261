// SPDX-License-Identifier: Apache-2.0

internal import RepriseLocking

/// One request, and its response, shared by all callers that make an equal request at the same time.
///
/// The request and the reading of its body run in their own tasks, so a caller that stops waiting does not affect the
/// others. The request is canceled when the last caller stops. The body is received at the speed of the fastest
/// reader.
final class CacheFetch: Sendable {
    /// The properties that must be equal for requests to share a fetch.
    struct Question: Hashable, Sendable {
        let key: CacheKey
        var request: HTTPRequest
        let options: RequestOptions
        let writing: CachingTransport.WritePolicy
    }

    /// Called when the body has ended, with all of its parts. The parts are nil if the body is incomplete or too
    /// large to store.
    typealias Finish = @Sendable ([Body.Part]?) -> Void

    let question: Question
    private let state: Locked<Guarded>

    private struct Guarded {
        var fetch: CacheFetchState
        var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
        var isStorable = true
        var isConfirmation = false
        var work: Task<Void, Never>?
        /// The body while it is received. Only one task at a time requests a part: ``CacheFetchState`` decides which one.
        var source: RelayedBody?
        var length: Int?
        /// Called when the body is complete.
        var finish: Finish?

        mutating func takeWaiting() -> [CheckedContinuation<Void, Never>] {
            defer { waiting = [:] }
            return Array(waiting.values)
        }
    }

    init(_ question: Question, limit: Int) {
        self.question = question
        state = Locked(Guarded(fetch: CacheFetchState(limit: limit)))
    }

    // MARK: Callers

    func join() -> Int? { state.withLock { $0.fetch.join() } }

    /// Whether the response may be stored. False if the cache was cleared in the meantime.
    var isStorable: Bool { state.withLock { $0.isStorable } }

    /// Prevents the response from being stored.
    func forget() {
        state.withLock { $0.isStorable = false }
    }

    /// Whether the server has confirmed the stored response.
    var isConfirmation: Bool { state.withLock { $0.isConfirmation } }

    /// Records that the server has confirmed the stored response.
    func confirm() {
        state.withLock { $0.isConfirmation = true }
    }

    /// Starts the request on behalf of all callers.
    func start(_ work: @escaping @Sendable () async -> Arrival) {
        state.withLock { state in
            guard !state.fetch.isAbandoned else { return }
            // Assigned while locked, so that a caller that leaves can cancel it.
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
                    state.source = RelayedBody(response.body)
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

    /// The outcome of the request.
    enum Arrival: Sendable {
        /// A response for all callers. If `finish` is not nil, its body is still being received.
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

    /// Returns the response, or nil if the caller has to send its own request.
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
        // Do this without the lock, because releasing the source cancels the body that it reads from.
        left?.work?.cancel()
        left?.finish?(nil)
    }

    // MARK: Receiving

    private func pull() {
        state.withLock { state in
            guard let source = state.source else { return }
            state.work = Task { self.receive(await source.nextResult()) }
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
        // Do this before the readers resume, so that the response is stored by the time a reader reaches the end of
        // the body.
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

/// One reader of a fetch. Releasing it leaves the fetch.
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
    static var cancelledInCache: Self {
        Self(.cancelled, "the task was canceled while waiting for a response through the cache")
    }
}
