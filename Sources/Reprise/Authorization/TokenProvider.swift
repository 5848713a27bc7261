// SPDX-License-Identifier: Apache-2.0

/// Where a client's bearer tokens come from (RFC 6750 section 2.1).
///
/// ```swift
/// actor Session: TokenProvider {
///     private var tokens: Tokens
///
///     init(_ tokens: Tokens) { self.tokens = tokens }
///
///     func token() -> String? { tokens.access }
///
///     func refresh() async throws -> String? {
///         tokens = try await api.post("/token").form(["refresh_token": tokens.refresh]).value()
///         return tokens.access
///     }
/// }
/// ```
///
/// A refresh may use the client whose tokens it makes, also with calls that are ``Call/authorized(refreshing:)``: those
/// get the token that there is, and no refresh waits for itself. Only in a detached task, which knows nothing of the
/// refresh that began it, such a call would wait for that refresh to end.
public protocol TokenProvider: Sendable {
    /// The token of now; nil if there is none.
    ///
    /// It is asked for before each request that needs one. What it throws, the call throws.
    @concurrent
    func token() async throws -> String?

    /// Gets a new token, and keeps it, so that ``token()`` gives it from then on.
    ///
    /// It runs once for all calls that wait for it, in a task of its own: a call that is cancelled does not end it. What
    /// it throws, all of these calls throw.
    ///
    /// - Returns: the new token; nil, as by default, if there is no way to one.
    @concurrent
    func refresh() async throws -> String?
}

extension TokenProvider {
    /// There is no way to a new token.
    @concurrent
    public func refresh() async throws -> String? { nil }
}
