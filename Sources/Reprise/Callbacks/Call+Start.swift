// SPDX-License-Identifier: Apache-2.0

public import Dispatch

extension Call {
    /// Sends the call and delivers the value of its response to the main actor, for code without `async`.
    ///
    /// ```swift
    /// let started = api.get("/users/me").start(as: User.self) { result in
    ///     if case .success(let me) = result { greet(me) }
    /// }
    /// ```
    ///
    /// If the conformance of `Value` to `Decodable` is isolated to the main actor, call this method there.
    ///
    /// - Parameters:
    ///   - type: The type to decode the content as.
    ///   - completion: A closure that is called exactly once, even if the call is canceled. Its error is one that
    ///     ``value(as:)`` throws.
    /// - Returns: A handle that cancels the call.
    @discardableResult
    public func start<Value: Decodable & Sendable>(
        as type: Value.Type = Value.self,
        completion: @escaping @MainActor @Sendable (Result<Value, any Error>) -> Void
    ) -> StartedCall {
        started({ try await value(as: type) }, completion)
    }

    /// Sends the call, decodes the value of its response on the main actor, and delivers it there.
    ///
    /// This overload is for types whose conformance to `Decodable` is isolated to the main actor.
    @_disfavoredOverload
    @_documentation(visibility: internal)
    @discardableResult
    @MainActor
    public func start<Value: Decodable>(
        as type: Value.Type = Value.self,
        completion: @escaping @MainActor @Sendable (Result<Value, any Error>) -> Void
    ) -> StartedCall {
        startedOnMainActor({ try await value(as: type) }, completion)
    }

    /// Sends the call and delivers its complete response to the main actor.
    ///
    /// - Parameter completion: A closure that is called exactly once, even if the call is canceled. Its error is one
    ///   that ``send()`` throws.
    /// - Returns: A handle that cancels the call.
    @discardableResult
    public func start(
        completion: @escaping @MainActor @Sendable (Result<BufferedResponse, any Error>) -> Void
    ) -> StartedCall {
        started({ try await send() }, completion)
    }

    /// Sends the call and delivers the value of its response to a dispatch queue.
    ///
    /// - Parameters:
    ///   - type: The type to decode the content as.
    ///   - queue: The queue that `completion` is called on.
    ///   - completion: A closure that is called exactly once, even if the call is canceled. Its error is one that
    ///     ``value(as:)`` throws.
    /// - Returns: A handle that cancels the call.
    @discardableResult
    public func start<Value: Decodable & Sendable>(
        as type: Value.Type = Value.self,
        on queue: DispatchQueue,
        completion: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) -> StartedCall {
        started({ try await value(as: type) }) { result in queue.async { completion(result) } }
    }

    /// Sends the call and delivers its complete response to a dispatch queue.
    ///
    /// - Parameters:
    ///   - queue: The queue that `completion` is called on.
    ///   - completion: A closure that is called exactly once, even if the call is canceled. Its error is one that
    ///     ``send()`` throws.
    /// - Returns: A handle that cancels the call.
    @discardableResult
    public func start(
        on queue: DispatchQueue,
        completion: @escaping @Sendable (Result<BufferedResponse, any Error>) -> Void
    ) -> StartedCall {
        started({ try await send() }) { result in queue.async { completion(result) } }
    }

    /// Runs `work` and passes its result to `completion`, on the actor that the closure is isolated to.
    func started<Value: Sendable>(
        _ work: @escaping @Sendable () async throws -> Value,
        _ completion: @escaping @isolated(any) @Sendable (Result<Value, any Error>) -> Void
    ) -> StartedCall {
        StartedCall { await completion(await Result(of: work)) }
    }

    /// Runs `work` and passes its result to `completion`, both on the main actor.
    @MainActor
    func startedOnMainActor<Value>(
        _ work: @escaping @MainActor @Sendable () async throws -> Value,
        _ completion: @escaping @MainActor @Sendable (Result<Value, any Error>) -> Void
    ) -> StartedCall {
        StartedCall { @MainActor in completion(await Result(of: work)) }
    }
}
