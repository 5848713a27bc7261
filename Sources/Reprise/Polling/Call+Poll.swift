// SPDX-License-Identifier: Apache-2.0

extension Call {
    /// Sends the call repeatedly until the value of its response satisfies a condition.
    ///
    /// ```swift
    /// let done = try await api.get("/jobs/7").poll(until: { (job: Job) in job.isDone })
    /// ```
    ///
    /// Each poll sends the complete call, with its own attempts, token, and timeout. Unless the call already has a
    /// Cache-Control field, it is sent with `no-cache`, so that no cache answers it without asking the server.
    ///
    /// - Parameters:
    ///   - type: The type to decode the content as.
    ///   - policy: The waits between polls and the overall timeout.
    ///   - isDone: Whether a value satisfies the condition.
    /// - Returns: The first value that satisfies the condition.
    /// - Throws: ``ClientError/Code/pollTimeout`` with the last response, or any error that the call or `isDone`
    ///   throws.
    public func poll<Value: Decodable>(
        as type: Value.Type = Value.self,
        _ policy: PollPolicy = PollPolicy(),
        until isDone: (Value) async throws -> Bool
    ) async throws -> Value {
        try await polled(policy) { response in
            let value = try response.decode(as: type)
            return try await isDone(value) ? value : nil
        }
    }

    /// Sends the call repeatedly until its response satisfies a condition.
    ///
    /// - Parameters:
    ///   - policy: The waits between polls and the overall timeout.
    ///   - isDone: Whether a response satisfies the condition.
    /// - Returns: The first response that satisfies the condition.
    /// - Throws: ``ClientError/Code/pollTimeout`` with the last response, or any error that the call or `isDone`
    ///   throws.
    public func poll(
        _ policy: PollPolicy = PollPolicy(),
        until isDone: (BufferedResponse) async throws -> Bool
    ) async throws -> BufferedResponse {
        try await polled(policy) { response in try await isDone(response) ? response : nil }
    }

    private func polled<Value>(
        _ policy: PollPolicy,
        _ take: (BufferedResponse) async throws -> Value?
    ) async throws -> Value {
        let request = try request()
        // A stored response would be the same each time.
        let call = headers.contains(.cacheControl) ? self : header(.cacheControl, "no-cache")
        do {
            let watch = PollWatch(policy: policy, clock: clock)
            var count = 0
            while true {
                let response = try await watch.run { try await call.send() }
                count += 1
                if let value = try await take(response) { return value }
                if body?.isReplayable == false {
                    throw ClientError(
                        .invalidParameters,
                        "expected a replayable body for polling, found one that can be sent only once",
                        response: response
                    )
                }
                try await watch.wait(after: count, response)
            }
        } catch {
            throw ClientError.outermost(error, request: request)
        }
    }
}
