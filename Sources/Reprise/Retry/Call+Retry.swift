// SPDX-License-Identifier: Apache-2.0

extension Call {
    /// Tries the call again when it fails, in place of what the client or the endpoint says.
    ///
    /// Everything further in happens anew with each attempt: a token is asked for, interceptors run, and the timeout
    /// begins. A stream is tried again until its head is there. See ``RetryPolicy``.
    public consuming func retry(_ policy: RetryPolicy = .exponential()) -> Call {
        retry = policy
        return self
    }

    /// Attempts at the call, until one gives something or there are no more.
    nonisolated(nonsending) func attempts<Value>(
        at request: HTTPRequest,
        _ send: nonisolated(nonsending) (inout Attempt) async throws -> Value
    ) async throws -> Value {
        var attempt = Attempt(request: request)
        guard let policy = retry ?? client.shared.configuration.retry else { return try await send(&attempt) }
        while true {
            do {
                return try await send(&attempt)
            } catch {
                let error = ClientError.outermost(error, request: request)
                let failure = attempt.failed(with: error)
                guard body?.isReplayable ?? true, let delay = await policy.delay(after: failure) else { throw error }
                try await RetryPolicy.sleep(for: delay, on: clock)
                attempt.number += 1
                attempt.response = nil
            }
        }
    }
}
