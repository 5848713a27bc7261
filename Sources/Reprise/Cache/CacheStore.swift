// SPDX-License-Identifier: Apache-2.0

internal import RepriseLocking
internal import RepriseText

/// The stored responses and the requests in progress, shared by all copies of one ``CachingTransport``.
final class CacheStore: Sendable {
    private struct State {
        var contents: BoundedCache<CacheKey, CacheEntry>
        var fetches: [CacheFetch.Question: CacheFetch] = [:]
        var statistics = CacheStatistics()
    }

    private let state: Locked<State>
    private let capacity: Int

    init(capacity: Int) {
        self.capacity = capacity
        state = Locked(State(contents: BoundedCache(capacity: capacity)))
    }

    /// Returns empty contents with the same capacity.
    func emptyCopy() -> CacheStore { CacheStore(capacity: capacity) }

    var statistics: CacheStatistics {
        state.withLock { state in
            var statistics = state.statistics
            (statistics.count, statistics.size) = (state.contents.count, state.contents.size)
            return statistics
        }
    }

    func hasRoom(for length: Int?) -> Bool { length ?? 0 <= capacity }

    func entry(for request: HTTPRequest, under key: CacheKey) -> CacheEntry? {
        state.withLock { state in
            state.contents.use(key).flatMap { $0.isFor(request) ? $0 : nil }
        }
    }

    /// A stored response, or the request that fetches it, which may already be in progress.
    enum Answer {
        case stored(CacheEntry)
        case fetch(CacheFetch, id: Int, isNew: Bool, expired: CacheEntry?)
    }

    /// Returns the stored response or the request that fetches it.
    ///
    /// The lookup and the decision are one step, so only one of two simultaneous equal requests uses the network.
    ///
    /// - Parameters:
    ///   - question: The request.
    ///   - mayUse: Whether a stored response may be used. If nil, stored responses are ignored.
    func answer(to question: CacheFetch.Question, mayUse: ((CacheEntry) -> Bool)?) -> Answer {
        state.withLock { state in
            var question = question
            var expired: CacheEntry?
            if let mayUse, let entry = state.contents.use(question.key), entry.isFor(question.request) {
                if mayUse(entry) {
                    state.statistics.hits += 1
                    return .stored(entry)
                }
                if let conditional = entry.condition(on: question.request) {
                    question.request = conditional
                    expired = entry
                }
            }
            if let fetch = state.fetches[question], let id = fetch.join() {
                state.statistics.joined += 1
                return .fetch(fetch, id: id, isNew: false, expired: expired)
            }
            let fetch = CacheFetch(question, limit: capacity)
            guard let id = fetch.join() else { preconditionFailure("a new fetch can always be joined") }
            state.fetches[question] = fetch
            return .fetch(fetch, id: id, isNew: true, expired: expired)
        }
    }

    func count(hits: Int = 0, misses: Int = 0, confirmations: Int = 0) {
        state.withLock { state in
            state.statistics.hits += hits
            state.statistics.misses += misses
            state.statistics.confirmations += confirmations
        }
    }

    func end(_ fetch: CacheFetch, with entry: CacheEntry?) {
        state.withLock { state in
            if state.fetches[fetch.question] === fetch { state.fetches[fetch.question] = nil }
            if let entry, fetch.isStorable { state.contents.insert(entry, for: entry.key, size: entry.size) }
        }
    }

    /// Removes stored responses, and keeps requests in progress from being stored.
    ///
    /// - Parameter url: The URL in canonical form, or nil for all.
    func clear(_ url: String?) {
        state.withLock { state in
            state.contents.removeAll { url == nil || $0.url == url }
            for (question, fetch) in state.fetches where url == nil || question.request.canonicalURL == url {
                fetch.forget()
                state.fetches[question] = nil
            }
        }
    }

    func removeExpired() {
        state.withLock { $0.contents.removeAll { !$0.isFresh } }
    }
}
