// SPDX-License-Identifier: Apache-2.0

internal import RepriseLocking

/// What stands between a client's calls and its ``TokenProvider``, so that one refresh serves all who need it.
final class Authorizer: Sendable {
    private struct State {
        /// How many refreshes have ended.
        var refreshes = 0
        /// How many of them brought a token.
        var renewals = 0
        var flight: Flight<String?>?
    }

    let provider: any TokenProvider
    private let state = Locked(State())

    /// The refreshes that this task belongs to, also those that it has outlived.
    @TaskLocal private static var refreshing: [Flight<String?>] = []

    init(_ provider: any TokenProvider) {
        self.provider = provider
    }

    /// A token, and after how many refreshes it was given: its text may be that of the one before, as in a recording all
    /// of whose tokens are `[redacted]`.
    struct Token: Sendable {
        let text: String
        fileprivate let renewals: Int
    }

    /// The token for a request.
    ///
    /// - Parameter onRefresh: called before a refresh is waited for.
    /// - Returns: nil if there is none, and none to be had.
    func token(refreshing mayRefresh: Bool, onRefresh: () -> Void) async throws -> Token? {
        let refreshes = state.withLock { $0.refreshes }
        var text = try await provider.token()
        if text == nil, mayRefresh { text = try await replacement(for: nil, since: refreshes, onRefresh) }
        return text.map { text in Token(text: text, renewals: state.withLock { $0.renewals }) }
    }

    /// A token in place of one that was refused.
    ///
    /// - Returns: nil if there is none to be had.
    func replacement(for refused: Token, onRefresh: () -> Void) async throws -> String? {
        try await replacement(for: refused, since: nil, onRefresh)
    }

    private func replacement(for refused: Token?, since known: Int?, _ onRefresh: () -> Void) async throws -> String? {
        // A refresh that needs a new token would wait for itself.
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
                // Another call's refresh may have brought a token since this one was sent.
                if let token = try await provider.token(), token != refused?.text || renewals != refused?.renewals {
                    return token
                }
            }
            // Nil if a refresh has ended since the token was looked at.
            if let (flight, isNew) = flight(after: refreshes) {
                // Before the refresh begins, so that the log never shows its request first.
                onRefresh()
                if isNew { start(flight) }
                return try await flight.value()
            }
        }
    }

    /// Whether the refresh that is under way is one that this task belongs to.
    private var isRefreshing: Bool {
        guard !Self.refreshing.isEmpty, let flight = state.withLock({ $0.flight }) else { return false }
        return Self.refreshing.contains { $0 === flight }
    }

    /// The refresh to wait for, which the caller starts if it is new.
    private func flight(after refreshes: Int) -> (Flight<String?>, isNew: Bool)? {
        state.withLock { state in
            if let flight = state.flight { return (flight, false) }
            guard state.refreshes == refreshes else { return nil }
            let flight = Flight<String?>()
            state.flight = flight
            return (flight, true)
        }
    }

    private func start(_ flight: Flight<String?>) {
        let refreshing = Self.refreshing + [flight]
        Task {
            let result = await Self.$refreshing.withValue(refreshing) { () async -> Result<String?, any Error> in
                do {
                    return .success(try await provider.refresh())
                } catch {
                    return .failure(error)
                }
            }
            state.withLock { state in
                state.refreshes += 1
                if case .success(_?) = result { state.renewals += 1 }
                state.flight = nil
            }
            flight.land(result)
        }
    }
}
