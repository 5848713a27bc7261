// SPDX-License-Identifier: Apache-2.0

public import Dispatch

extension Call {
    /// Sends the call and tells the main actor what became of it: for code without `async`.
    ///
    /// ```swift
    /// let started = api.get("/users/me").start(as: User.self) { result in
    ///     if case .success(let me) = result { greet(me) }
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - type: what the content is to be.
    ///   - completion: called exactly once, also if the call is cancelled; the error is what ``value(as:)`` throws.
    /// - Returns: what cancels the call.
    @discardableResult
    public func start<Value: Decodable & Sendable>(
        as type: Value.Type = Value.self,
        completion: @escaping @MainActor @Sendable (Result<Value, any Error>) -> Void
    ) -> StartedCall {
        started({ try await value(as: type) }, completion)
    }

    /// Sends the call and tells the main actor its response, with all of its content.
    ///
    /// - Parameter completion: called exactly once, also if the call is cancelled; the error is what ``response()``
    ///   throws.
    /// - Returns: what cancels the call.
    @discardableResult
    public func start(
        completion: @escaping @MainActor @Sendable (Result<BufferedResponse, any Error>) -> Void
    ) -> StartedCall {
        started({ try await response() }, completion)
    }

    /// Sends the call and tells a queue what became of it.
    ///
    /// - Parameters:
    ///   - type: what the content is to be.
    ///   - queue: where `completion` is called.
    ///   - completion: called exactly once, also if the call is cancelled; the error is what ``value(as:)`` throws.
    /// - Returns: what cancels the call.
    @discardableResult
    public func start<Value: Decodable & Sendable>(
        as type: Value.Type = Value.self,
        on queue: DispatchQueue,
        completion: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) -> StartedCall {
        started({ try await value(as: type) }) { result in queue.async { completion(result) } }
    }

    /// Sends the call and tells a queue its response, with all of its content.
    ///
    /// - Parameters:
    ///   - queue: where `completion` is called.
    ///   - completion: called exactly once, also if the call is cancelled; the error is what ``response()`` throws.
    /// - Returns: what cancels the call.
    @discardableResult
    public func start(
        on queue: DispatchQueue,
        completion: @escaping @Sendable (Result<BufferedResponse, any Error>) -> Void
    ) -> StartedCall {
        started({ try await response() }) { result in queue.async { completion(result) } }
    }

    /// Runs `work` and tells `completion` what became of it, on the actor that it belongs to.
    func started<Value: Sendable>(
        _ work: @escaping @Sendable () async throws -> Value,
        _ completion: @escaping @isolated(any) @Sendable (Result<Value, any Error>) -> Void
    ) -> StartedCall {
        StartedCall {
            let result: Result<Value, any Error>
            do {
                result = .success(try await work())
            } catch {
                result = .failure(error)
            }
            await completion(result)
        }
    }
}
