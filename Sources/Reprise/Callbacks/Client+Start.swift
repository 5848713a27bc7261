// SPDX-License-Identifier: Apache-2.0

public import Dispatch

extension Client {
    /// Sends an endpoint's call and delivers the value of its response to the main actor, for code without `async`.
    ///
    /// ```swift
    /// let started = api.start(GetUser(id: "a/b")) { result in
    ///     if case .success(let user) = result { greet(user) }
    /// }
    /// ```
    ///
    /// If the conformance of `E` or of its response is isolated to the main actor, call this method there.
    ///
    /// - Parameters:
    ///   - endpoint: The endpoint. Its call is created before this method returns.
    ///   - completion: A closure that is called exactly once, even if the call is canceled. Its error is one that
    ///     ``send(_:)`` throws.
    /// - Returns: A handle that cancels the call.
    @discardableResult
    public func start<E: Endpoint & SendableMetatype>(
        _ endpoint: E,
        completion: @escaping @MainActor @Sendable (Result<E.Response, any Error>) -> Void
    ) -> StartedCall where E.Response: Sendable {
        let call = call(endpoint)
        return call.started({ try await call.value(of: E.self) }, completion)
    }

    /// Sends an endpoint's call, creates the value of its response on the main actor, and delivers it there.
    ///
    /// This overload is for endpoints and values whose conformances are isolated to the main actor.
    @_disfavoredOverload
    @_documentation(visibility: internal)
    @discardableResult
    @MainActor
    public func start<E: Endpoint>(
        _ endpoint: E,
        completion: @escaping @MainActor @Sendable (Result<E.Response, any Error>) -> Void
    ) -> StartedCall {
        let call = call(endpoint)
        return call.startedOnMainActor({ try await call.value(of: E.self) }, completion)
    }

    /// Sends an endpoint's call and delivers the value of its response to a dispatch queue.
    ///
    /// - Parameters:
    ///   - endpoint: The endpoint. Its call is created before this method returns.
    ///   - queue: The queue that `completion` is called on.
    ///   - completion: A closure that is called exactly once, even if the call is canceled. Its error is one that
    ///     ``send(_:)`` throws.
    /// - Returns: A handle that cancels the call.
    @discardableResult
    public func start<E: Endpoint & SendableMetatype>(
        _ endpoint: E,
        on queue: DispatchQueue,
        completion: @escaping @Sendable (Result<E.Response, any Error>) -> Void
    ) -> StartedCall where E.Response: Sendable {
        let call = call(endpoint)
        return call.started({ try await call.value(of: E.self) }) { result in queue.async { completion(result) } }
    }
}
