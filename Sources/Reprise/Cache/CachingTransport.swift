// SPDX-License-Identifier: Apache-2.0

/// A transport that caches another transport's responses in memory and combines equal requests.
///
/// ```swift
/// let cache = CachingTransport(.init(maxAge: .seconds(60)))
/// let api = Client("https://api.example.com", transport: cache)
/// let books: [Book] = try await api.get("/books").value()
/// let newest: [Book] = try await api.get("/books").transport(cache.reading(.networkOnly)).value()
/// ```
///
/// It is a private cache for one user (RFC 9111). It stores responses to GET requests that have no content and ask
/// for the whole response. All other requests are passed on unchanged: other methods, streams, range requests,
/// conditional requests, and requests with `Cache-Control: no-store`. A successful request with an unsafe method
/// clears the responses stored for its URL (RFC 9111 section 4.4).
///
/// The following are not stored: incomplete responses, responses larger than ``Configuration/capacity``, responses to
/// requests that were redirected to another URL, and responses with `Cache-Control: no-store` or `Vary: *`. With any
/// other `Vary`, a response applies only to requests with the same values of those fields. Only the latest response is
/// stored under each key.
///
/// An expired response with an ETag or Last-Modified field is validated with a conditional request, and is fresh
/// again after a 304 (RFC 9111 section 4.3). The same applies to responses that the server or the request marks with
/// `no-cache`.
///
/// Requests that are equal in all fields and options, and in progress at the same time, are sent once. The request
/// continues as long as at least one caller waits for it. The body is received at the speed of the fastest reader.
///
/// A cache without a base sends through ``AmbientTransport``. In a test that has a cassette, the contents are separate
/// from those of other tests and empty at the start. The same applies to each ambient transport that is an object, such
/// as a ``StubTransport``.
public final class CachingTransport: TimekeepingTransport {
    /// The transport's configuration.
    public let configuration: Configuration
    private let base: any Transport
    private let ownStore: CacheStore

    /// Creates a transport with an empty cache.
    ///
    /// - Parameters:
    ///   - base: The transport that sends the requests. By default, it is the client's live transport, which a test
    ///     can replace.
    ///   - configuration: The settings of the cache.
    public convenience init(
        _ base: any Transport = AmbientTransport(),
        _ configuration: Configuration = Configuration()
    ) {
        self.init(base, configuration, CacheStore(capacity: max(configuration.capacity, 0)))
    }

    /// Creates a transport with an empty cache in front of the client's live transport, which a test can replace.
    ///
    /// - Parameter configuration: The settings of the cache.
    public convenience init(_ configuration: Configuration) {
        self.init(AmbientTransport(), configuration)
    }

    private init(_ base: any Transport, _ configuration: Configuration, _ store: CacheStore) {
        self.base = base
        self.configuration = configuration
        ownStore = store
    }

    /// The contents of the cache, which are separate for each ambient transport and in each test that has a cassette.
    private var store: CacheStore { scope(isCreated: true)?.store(for: ownStore) ?? ownStore }

    /// The contents of the cache. Those of an ambient transport exist only after the first request that ends there.
    private var existingStore: CacheStore { scope(isCreated: false)?.store(for: ownStore) ?? ownStore }

    private func scope(isCreated: Bool) -> CacheScope? {
        if let scope = CacheScope.current { return scope }
        guard base is AmbientTransport else { return nil }
        let ambient = (Ambient.ends ?? Ambient.Ends(ambient: Ambient.transport)).ambient
        return AmbientCaches.scope(of: ambient, isCreated: isCreated)
    }

    /// Returns a transport that shares this cache but has another read policy, for example for a single call.
    public func reading(_ policy: ReadPolicy) -> CachingTransport {
        var changed = configuration
        changed.reading = policy
        return CachingTransport(base, changed, ownStore)
    }

    /// Returns a transport that shares this cache but has another write policy, for example for a single call.
    public func writing(_ policy: WritePolicy) -> CachingTransport {
        var changed = configuration
        changed.writing = policy
        return CachingTransport(base, changed, ownStore)
    }

    /// The activity of the cache so far, and the amount that it stores.
    public var statistics: CacheStatistics { existingStore.statistics }

    /// Removes all stored responses. Responses to requests in progress are not stored.
    public func clear() {
        existingStore.clear(nil)
    }

    /// Removes the stored responses for a URL under every key, that is, for all users and variants. Responses to
    /// requests in progress are not stored.
    ///
    /// - Parameter url: An absolute URL with its query. Different spellings of the scheme, host, and port are
    ///   equivalent.
    public func clear(_ url: String) {
        existingStore.clear(HTTPRequest.canonical(url))
    }

    /// Removes all expired responses, including those that the server could still confirm.
    public func removeExpired() {
        existingStore.removeExpired()
    }

    /// Whether the underlying transport enforces timeouts.
    public var enforcesTimeout: Bool { base.enforcesTimeout }

    package func enforcesTimeout(on clock: any Clock<Duration>) -> Bool {
        (base as? any TimekeepingTransport)?.enforcesTimeout(on: clock) ?? false
    }

    /// Answers a request with a stored response or sends it, according to the policies.
    ///
    /// - Throws: ``TransportError/Code/cacheMiss`` if the policy allows only stored responses and none is usable, or
    ///   the error of the underlying transport.
    public func send(
        _ request: HTTPRequest,
        body: Body?,
        options: RequestOptions
    ) async throws(TransportError) -> Response {
        // What is stored serves requests that decode and recordings that do not.
        var options = options
        options.decodesContent = true
        var response = try await answer(request, body: body, options: options)
        // A stored body is shared by all responses that it answers.
        response.body = response.body.readOnce()
        return response
    }

    private func answer(
        _ request: HTTPRequest,
        body: Body?,
        options: RequestOptions
    ) async throws(TransportError) -> Response {
        guard request.isCacheable, body.map({ $0.length == 0 }) ?? true, options.timeoutScope == .wholeResponse else {
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
        return entry.agedResponse
    }

    private func storedOrFetched(
        _ question: CacheFetch.Question
    ) async throws(TransportError) -> Response {
        let demand = CacheDemand(question.request)
        do throws(TransportError) {
            let (response, origin) = try await fetched(question) { demand.isMet(by: $0) }
            switch origin {
            // Already counted when it was found.
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
            guard error.allowsStaleResponse, let fallback = fallback(question) else { throw error }
            return fallback
        }
        return response.status.allowsStaleResponse ? fallback(question) ?? response : response
    }

    private func fallback(_ question: CacheFetch.Question) -> Response? {
        let entry = store.entry(for: question.request, under: question.key)
        let isGood = entry?.isUsableOffline ?? false
        store.count(hits: isGood ? 1 : 0, misses: isGood ? 0 : 1)
        return isGood ? entry?.agedResponse : nil
    }

    // MARK: Fetching

    private enum Origin: Sendable {
        case stored, confirmed, network
    }

    /// Returns the stored response if `mayUse` accepts it, otherwise the response from the network.
    private func fetched(
        _ question: CacheFetch.Question,
        mayUse: ((CacheEntry) -> Bool)?
    ) async throws(TransportError) -> (response: Response, origin: Origin) {
        // A fetch runs in its own task, which would send the request before it learns that its only caller has left.
        if Task.isCancelled { throw .cancelledInCache }
        switch store.answer(to: question, mayUse: mayUse) {
        case .stored(let entry):
            return (entry.agedResponse, .stored)
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
            if !response.wasRedirected(from: request),
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
        let parts = response.body.partsInMemory
        finish(parts)
        response.body = Body(parts: parts)
        return .response(response, finish: nil)
    }
}
