// SPDX-License-Identifier: Apache-2.0

internal import RepriseLocking

extension Call {
    /// Retries the call when it fails, instead of using the client's or the endpoint's policy.
    ///
    /// Each attempt sends the call again from the start: it gets a token, runs the interceptors, and starts a new
    /// timeout. A stream is retried only until its head arrives. See ``RetryPolicy``.
    public consuming func retry(_ policy: RetryPolicy = .exponential()) -> Call {
        retry = policy
        return self
    }

    /// Makes attempts at the call until one succeeds or no more are allowed.
    func attempts<Value>(
        _ attempt: inout Attempt,
        _ send: (inout Attempt) async throws -> Value
    ) async throws -> Value {
        guard let policy = retry ?? client.shared.configuration.retry else {
            guard let log = attempt.log else { return try await send(&attempt) }
            do {
                return try await send(&attempt)
            } catch {
                let error = ClientError.outermost(error, request: attempt.request)
                log.failed(attempt.request, attempt: attempt.number, with: error)
                throw error
            }
        }
        while true {
            do {
                return try await send(&attempt)
            } catch {
                let error = ClientError.outermost(error, request: attempt.request)
                try await waitForNext(&attempt, after: error, policy)
            }
        }
    }

    /// Waits until the next attempt is due.
    ///
    /// - Throws: `error` if there is no further attempt.
    private func waitForNext(_ attempt: inout Attempt, after error: any Error, _ policy: RetryPolicy) async throws {
        let failure = attempt.failed(with: error)
        guard body?.isReplayable ?? true, let delay = await policy.delay(after: failure) else {
            attempt.log?.failed(attempt.request, attempt: attempt.number, with: error)
            throw error
        }
        attempt.log?.retrying(attempt.request, attempt: attempt.number, after: error, in: delay)
        do {
            try await RetryPolicy.sleep(for: delay, on: clock)
        } catch {
            attempt.log?.failed(
                attempt.request,
                attempt: attempt.number,
                with: ClientError(error, request: attempt.request)
            )
            throw error
        }
        attempt.number += 1
        attempt.response = nil
        attempt.answered?.withLock { $0 = nil }
    }
}
