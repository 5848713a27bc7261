// SPDX-License-Identifier: Apache-2.0

internal import RepriseLocking

/// What is stored and what is on its way: what all that come from one ``CachingTransport`` share.
final class CacheStore: Sendable {
    private struct State {
        var contents: CacheContents
        var fetches: [CacheFetch.Question: CacheFetch] = [:]
        var statistics = CacheStatistics()
    }

    private let state: Locked<State>
    private let capacity: Int

    init(capacity: Int) {
        self.capacity = capacity
        state = Locked(State(contents: CacheContents(capacity: capacity)))
    }

    var statistics: CacheStatistics {
        state.withLock { state in
            var statistics = state.statistics
            (statistics.count, statistics.size) = (state.contents.count, state.contents.size)
            return statistics
        }
    }

    /// Whether a body of this length can be stored.
    func hasRoom(for length: Int?) -> Bool { length ?? 0 <= capacity }

    /// What is stored for a request.
    func entry(for request: HTTPRequest, under key: CacheKey) -> CacheEntry? {
        state.withLock { state in
            state.contents.use(key).flatMap { $0.isFor(request) ? $0 : nil }
        }
    }

    /// What is stored, or the request that is to get it, which may be under way.
    enum Answer {
        case stored(CacheEntry)
        case fetch(CacheFetch, id: Int, isNew: Bool, expired: CacheEntry?)
    }

    /// What answers a question: looked for and agreed upon in one step, so that of two who ask at the same time one
    /// asks the network.
    ///
    /// - Parameter mayUse: whether what is stored will do for an answer; nil if nothing of it is of interest.
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
            guard let id = fetch.join() else { preconditionFailure("nobody has left yet") }
            state.fetches[question] = fetch
            return .fetch(fetch, id: id, isNew: true, expired: expired)
        }
    }

    /// Counts requests.
    func count(hits: Int = 0, misses: Int = 0, confirmations: Int = 0) {
        state.withLock { state in
            state.statistics.hits += hits
            state.statistics.misses += misses
            state.statistics.confirmations += confirmations
        }
    }

    /// A fetch has ended, with an entry to store if there is one.
    func end(_ fetch: CacheFetch, with entry: CacheEntry?) {
        state.withLock { state in
            if state.fetches[fetch.question] === fetch { state.fetches[fetch.question] = nil }
            if let entry, fetch.isStorable { state.contents.insert(entry) }
        }
    }

    /// Lets go of what is stored, and of what is on its way to be.
    ///
    /// - Parameter url: in one spelling; nil for all.
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
