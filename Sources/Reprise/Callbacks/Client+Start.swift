// SPDX-License-Identifier: Apache-2.0

public import Dispatch

extension Client {
    /// Sends an endpoint's call and tells the main actor what became of it: for code without `async`.
    ///
    /// ```swift
    /// let started = api.start(GetUser(id: "a/b")) { result in
    ///     if case .success(let user) = result { greet(user) }
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - endpoint: what is asked for. Its call is put together here and now.
    ///   - completion: called exactly once, also if the call is cancelled; the error is what ``send(_:)`` throws.
    /// - Returns: what cancels the call.
    @discardableResult
    public func start<E: Endpoint & SendableMetatype>(
        _ endpoint: E,
        completion: @escaping @MainActor @Sendable (Result<E.Response, any Error>) -> Void
    ) -> StartedCall where E.Response: Sendable {
        let call = call(endpoint)
        return call.started({ try await call.value(of: E.self) }, completion)
    }

    /// Sends an endpoint's call and tells a queue what became of it.
    ///
    /// - Parameters:
    ///   - endpoint: what is asked for. Its call is put together here and now.
    ///   - queue: where `completion` is called.
    ///   - completion: called exactly once, also if the call is cancelled; the error is what ``send(_:)`` throws.
    /// - Returns: what cancels the call.
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
