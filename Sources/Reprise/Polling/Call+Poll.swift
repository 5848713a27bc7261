// SPDX-License-Identifier: Apache-2.0

extension Call {
    /// Sends the call again and again, until the value of its response is as it should be.
    ///
    /// ```swift
    /// let done = try await api.get("/jobs/7").poll(until: { (job: Job) in job.isDone })
    /// ```
    ///
    /// Each time the whole call is made, with its own attempts, token and timeout. It says that no cache is to answer by
    /// itself, unless it has a Cache-Control of its own.
    ///
    /// - Parameters:
    ///   - type: what the content is to be.
    ///   - policy: how often, and for how long.
    ///   - isDone: whether a value is as it should be.
    /// - Returns: the first value for which `isDone` says so.
    /// - Throws: ``ClientError/Code/pollTimeout`` with the last response, what the call throws, and what `isDone` does.
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

    /// Sends the call again and again, until its response is as it should be.
    ///
    /// - Parameters:
    ///   - policy: how often, and for how long.
    ///   - isDone: whether a response is as it should be.
    /// - Returns: the first response for which `isDone` says so.
    /// - Throws: ``ClientError/Code/pollTimeout`` with the last response, what the call throws, and what `isDone` does.
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
        // What a cache has stored would be the same each time.
        let call = headers.contains(.cacheControl) ? self : header(.cacheControl, "no-cache")
        do {
            let watch = PollWatch(policy: policy, clock: clock)
            var count = 0
            while true {
                let response = try await watch.run { try await call.response() }
                count += 1
                if let value = try await take(response) { return value }
                if body?.isReplayable == false {
                    throw ClientError(
                        .invalidParameters,
                        "the call was to be sent again, and its body can be sent only once",
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
