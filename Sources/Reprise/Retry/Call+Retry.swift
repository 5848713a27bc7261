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
    /// - Throws: `error` if there is to be none.
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
        attempt.answered?.note(nil)
    }
}
