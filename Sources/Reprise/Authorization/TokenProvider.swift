// SPDX-License-Identifier: Apache-2.0

/// A source of bearer tokens for a client (RFC 6750 section 2.1).
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
/// A refresh may use the client that it provides tokens for, including calls that use
/// ``Call/authorized(refreshing:)``. Those calls use the current token and never wait for the refresh that they are
/// part of. The exception is a detached task, which does not inherit this context: an authorized call in it waits for
/// the refresh to end.
public protocol TokenProvider: Sendable {
    /// Returns the current token, or nil if there is none.
    ///
    /// This method is called before each request that needs a token. The call rethrows its errors.
    @concurrent
    func token() async throws -> String?

    /// Gets a new token and stores it, so that ``token()`` returns it from then on.
    ///
    /// All calls that wait for a new token share one refresh. It runs in its own task, so canceling a call does not
    /// cancel it. If it throws, all waiting calls throw that error.
    ///
    /// - Returns: The new token, or nil if there is no way to get one. The default implementation returns nil.
    @concurrent
    func refresh() async throws -> String?
}

extension TokenProvider {
    /// Returns nil, because there is no way to get a new token.
    @concurrent
    public func refresh() async throws -> String? { nil }
}
