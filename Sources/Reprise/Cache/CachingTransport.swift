// SPDX-License-Identifier: Apache-2.0

/// A transport that stores another one's responses in memory, and asks for the same thing once.
///
/// ```swift
/// let cache = CachingTransport(SocketTransport.shared, .init(maxAge: .seconds(60)))
/// let api = Client("https://api.example.com", transport: cache)
/// let books: [Book] = try await api.get("/books").value()
/// let newest: [Book] = try await api.get("/books").transport(cache.reading(.networkOnly)).value()
/// ```
///
/// It is a cache of one user's (RFC 9111), which keeps responses to GET without content that are asked for as a whole.
/// Whatever else is asked passes through as it is: other methods, streams, ranges, and requests with conditions of their
/// own or with `Cache-Control: no-store`. A request that changes something clears its own URL when it succeeds (RFC 9111
/// section 4.4).
///
/// Not stored are incomplete responses, those that are larger than ``Configuration/capacity``, those of another URL that
/// the request was redirected to, those with `Cache-Control: no-store` and those with `Vary: *`. With any other `Vary` a
/// response is for requests with the same values of these fields; under one key there is one response, the last.
///
/// What has expired and has an ETag or a Last-Modified is asked for on condition, and on 304 good again (RFC 9111
/// section 4.3). So is what the server or the request wants to be confirmed with `no-cache`.
///
/// Requests that are equal, with all of their fields and options, and under way at the same time are one request. It
/// lasts as long as one of those who wait for it; its body comes to all of them as fast as to the fastest.
public final class CachingTransport: TimekeepingTransport {
    /// How it stores responses.
    public let configuration: Configuration
    private let base: any Transport
    private let store: CacheStore

    /// A transport with nothing stored.
    ///
    /// - Parameters:
    ///   - base: what sends the requests.
    ///   - configuration: how responses are stored.
    public convenience init(_ base: any Transport, _ configuration: Configuration = Configuration()) {
        self.init(base, configuration, CacheStore(capacity: max(configuration.capacity, 0)))
    }

    private init(_ base: any Transport, _ configuration: Configuration, _ store: CacheStore) {
        self.base = base
        self.configuration = configuration
        self.store = store
    }

    /// The same cache with another policy, for one call say.
    public func reading(_ policy: ReadPolicy) -> CachingTransport {
        var changed = configuration
        changed.reading = policy
        return CachingTransport(base, changed, store)
    }

    /// The same cache with another policy, for one call say.
    public func writing(_ policy: WritePolicy) -> CachingTransport {
        var changed = configuration
        changed.writing = policy
        return CachingTransport(base, changed, store)
    }

    /// What it has done so far, and what it holds.
    public var statistics: CacheStatistics { store.statistics }

    /// Lets go of all that is stored. What is under way is not stored.
    public func clear() {
        store.clear(nil)
    }

    /// Lets go of what is stored for a URL, under whatever key: for all users, and all variants. What is under way is
    /// not stored.
    ///
    /// - Parameter url: an absolute URL with its query; how scheme, host and port are spelled does not matter.
    public func clear(_ url: String) {
        store.clear(HTTPRequest.canonical(url))
    }

    /// Lets go of what is not good any more, and cannot be confirmed either then.
    public func removeExpired() {
        store.removeExpired()
    }

    /// As the transport underneath.
    public var enforcesTimeout: Bool { base.enforcesTimeout }

    package func enforcesTimeout(on clock: any Clock<Duration>) -> Bool {
        (base as? any TimekeepingTransport)?.enforcesTimeout(on: clock) ?? false
    }

    /// Answers a request with what is stored, or sends it, as the policies say.
    ///
    /// - Throws: ``TransportError/Code/cacheMiss`` if nothing is stored and nothing else may answer, and what the
    ///   transport underneath throws.
    public func send(
        _ request: HTTPRequest,
        body: Body?,
        options: RequestOptions
    ) async throws(TransportError) -> Response {
        guard request.isForCaches, body.map({ $0.length == 0 }) ?? true, options.timeoutScope == .wholeResponse else {
            return try await passOn(request, body: body, options: options)
        }
        let question = CacheFetch.Question(
            key: configuration.key(request),
            request: request,
            options: options,
            writing: configuration.writing
        )
        switch configuration.reading {
        case .cacheOnly: return try stored(question)
        case .networkOnly: return try await fetched(question, mayUse: nil).response
        case .cacheElseNetwork: return try await storedOrFetched(question)
        case .networkElseCache: return try await fetchedOrStored(question)
        }
    }

    private func passOn(
        _ request: HTTPRequest,
        body: Body?,
        options: RequestOptions
    ) async throws(TransportError) -> Response {
        let response = try await base.send(request, body: body, options: options)
        if !request.method.isSafe, [.successful, .redirection].contains(response.status.kind) {
            store.clear(request.canonicalURL)
        }
        return response
    }

    // MARK: Policies

    private func stored(_ question: CacheFetch.Question) throws(TransportError) -> Response {
        let entry = store.entry(for: question.request, under: question.key)
        guard let entry, entry.isFresh else {
            store.count(misses: 1)
            throw TransportError(cacheMiss: question.request, isExpired: entry != nil)
        }
        store.count(hits: 1)
        return entry.response
    }

    private func storedOrFetched(
        _ question: CacheFetch.Question
    ) async throws(TransportError) -> Response {
        let demand = CacheDemand(question.request)
        do throws(TransportError) {
            let (response, origin) = try await fetched(question) { demand.isMet(by: $0) }
            switch origin {
            // It was counted when it was found.
            case .stored: break
            case .confirmed: store.count(hits: 1, confirmations: 1)
            case .network: store.count(misses: 1)
            }
            return response
        } catch {
            store.count(misses: 1)
            throw error
        }
    }

    private func fetchedOrStored(
        _ question: CacheFetch.Question
    ) async throws(TransportError) -> Response {
        let response: Response
        do throws(TransportError) {
            response = try await fetched(question) { _ in false }.response
        } catch {
            guard error.letsCacheStepIn, let fallback = fallback(question) else { throw error }
            return fallback
        }
        return response.status.letsCacheStepIn ? fallback(question) ?? response : response
    }

    private func fallback(_ question: CacheFetch.Question) -> Response? {
        let entry = store.entry(for: question.request, under: question.key)
        let isGood = entry?.isGoodEnoughOffline ?? false
        store.count(hits: isGood ? 1 : 0, misses: isGood ? 0 : 1)
        return isGood ? entry?.response : nil
    }

    // MARK: Fetching

    /// Where a response is from.
    private enum Origin: Sendable {
        case stored, confirmed, network
    }

    /// What is stored if `mayUse` takes it, or else what the network has.
    private func fetched(
        _ question: CacheFetch.Question,
        mayUse: ((CacheEntry) -> Bool)?
    ) async throws(TransportError) -> (response: Response, origin: Origin) {
        switch store.answer(to: question, mayUse: mayUse) {
        case .stored(let entry):
            return (entry.response, .stored)
        case .fetch(let fetch, let id, let isNew, let expired):
            if isNew { start(fetch, plain: question.request, expired: expired) }
            guard let response = try await fetch.response(for: id) else {
                return (try await base.send(question.request, body: nil, options: question.options), .network)
            }
            return (response, fetch.isConfirmation ? .confirmed : .network)
        }
    }

    private func start(_ fetch: CacheFetch, plain request: HTTPRequest, expired: CacheEntry?) {
        fetch.start { [self] in
            do throws(TransportError) {
                return try await arrival(of: fetch, plain: request, expired: expired)
            } catch {
                store.end(fetch, with: nil)
                return .failure(error)
            }
        }
    }

    private func arrival(
        of fetch: CacheFetch,
        plain request: HTTPRequest,
        expired: CacheEntry?
    ) async throws(TransportError) -> CacheFetch.Arrival {
        let options = fetch.question.options
        var response = try await base.send(fetch.question.request, body: nil, options: options)
        let age = (configuration.clock ?? Ambient.clock ?? ContinuousClock()).stopwatch()
        if let expired, response.status == .notModified {
            if !response.isElsewhere(than: request),
                let renewed = expired.renewed(by: response.head, maxAge: configuration.maxAge, age: age)
            {
                store.end(fetch, with: renewed)
                fetch.confirm()
                return .response(renewed.response, finish: nil)
            }
            response = try await base.send(request, body: nil, options: options)
        }
        guard response.isStorable, store.hasRoom(for: response.body.length) else {
            store.end(fetch, with: nil)
            return .alone(response)
        }
        let isStored = configuration.takes(response, to: request)
        let (head, key, maxAge) = (response, fetch.question.key, configuration.maxAge)
        let finish: @Sendable ([Body.Part]?) -> Void = { [store] parts in
            guard isStored, let parts else { return store.end(fetch, with: nil) }
            var whole = head
            whole.body = Body(parts: parts)
            store.end(fetch, with: CacheEntry(whole, to: request, under: key, maxAge: maxAge, age: age))
        }
        guard response.body.isInMemory else { return .response(response, finish: finish) }
        finish(response.body.partsInMemory)
        return .response(response, finish: nil)
    }
}
