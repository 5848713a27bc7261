// SPDX-License-Identifier: Apache-2.0

internal import RepriseLocking

/// Gets tokens from a client's ``TokenProvider`` and shares one refresh among all calls that need it.
final class Authorizer: Sendable {
    private struct State {
        /// The number of refreshes that have ended.
        var refreshes = 0
        /// The number of refreshes that returned a token.
        var renewals = 0
        var refresh: SharedRefresh?
    }

    let provider: any TokenProvider
    private let state = Locked(State())

    /// The refreshes that this task runs in, including those that have already ended.
    @TaskLocal private static var refreshing: [SharedRefresh] = []

    init(_ provider: any TokenProvider) {
        self.provider = provider
    }

    /// A token and the number of renewals before it.
    ///
    /// The text alone does not identify a token: in a cassette of format 1, all tokens are `[redacted]`.
    struct Token: Sendable {
        let text: String
        fileprivate let renewals: Int
    }

    /// Returns the token for a request.
    ///
    /// - Parameters:
    ///   - mayRefresh: Whether to refresh if the provider has no token.
    ///   - onRefresh: A closure that is called before waiting for a refresh.
    /// - Returns: The token, or nil if there is none and a refresh does not return one.
    func token(refreshing mayRefresh: Bool, onRefresh: () -> Void) async throws -> Token? {
        let refreshes = state.withLock { $0.refreshes }
        var text = try await provider.token()
        if text == nil, mayRefresh { text = try await replacement(for: nil, since: refreshes, onRefresh) }
        return text.map { text in Token(text: text, renewals: state.withLock { $0.renewals }) }
    }

    /// Returns a token that replaces one the server refused.
    ///
    /// - Returns: The new token, or nil if there is none.
    func replacement(for refused: Token, onRefresh: () -> Void) async throws -> String? {
        try await replacement(for: refused, since: nil, onRefresh)
    }

    private func replacement(for refused: Token?, since known: Int?, _ onRefresh: () -> Void) async throws -> String? {
        // A refresh that waits for a new token would wait for itself.
        if isRefreshing { return nil }
        var known = known
        while true {
            let refreshes: Int
            if let counted = known {
                refreshes = counted
                known = nil
            } else {
                let renewals: Int
                (refreshes, renewals) = state.withLock { ($0.refreshes, $0.renewals) }
                // Another call's refresh may have returned a token since this request was sent.
                if let token = try await provider.token(), token != refused?.text || renewals != refused?.renewals {
                    return token
                }
            }
            // Nil if a refresh has ended since the provider was asked.
            if let (refresh, isNew) = self.refresh(after: refreshes) {
                // Called before the refresh starts. Otherwise the log could show the refresh request first.
                onRefresh()
                if isNew { start(refresh) }
                return try await refresh.value()
            }
        }
    }

    /// Whether this task runs in the current refresh.
    private var isRefreshing: Bool {
        guard !Self.refreshing.isEmpty, let refresh = state.withLock({ $0.refresh }) else { return false }
        return Self.refreshing.contains { $0 === refresh }
    }

    /// Returns the refresh to wait for. The caller starts it if it is new.
    private func refresh(after refreshes: Int) -> (SharedRefresh, isNew: Bool)? {
        state.withLock { state in
            if let refresh = state.refresh { return (refresh, false) }
            guard state.refreshes == refreshes else { return nil }
            let refresh = SharedRefresh()
            state.refresh = refresh
            return (refresh, true)
        }
    }

    private func start(_ refresh: SharedRefresh) {
        let refreshing = Self.refreshing + [refresh]
        Task {
            let result = await Self.$refreshing.withValue(refreshing) {
                await Result(of: { try await provider.refresh() })
            }
            state.withLock { state in
                state.refreshes += 1
                if case .success(_?) = result { state.renewals += 1 }
                state.refresh = nil
            }
            refresh.end(with: result)
        }
    }
}
