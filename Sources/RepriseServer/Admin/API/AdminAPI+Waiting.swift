// SPDX-License-Identifier: Apache-2.0

internal import RepriseAdmin
internal import RepriseStubMatching
internal import RepriseText

// Waiting for requests.
extension AdminAPI {
    static let waitingRoutes = [
        AdminRoute("POST", "/reprise/requests/next") { api, request, _ throws(AdminFailure) in
            try await api.next(request)
        }
    ]

    /// The longest wait.
    private static let longestWait = Duration.seconds(60)

    /// Answers with the first matching request after those to skip, as soon as it arrives. If it does not arrive in
    /// time, the list is empty.
    private func next(_ request: AdminRequest) async throws(AdminFailure) -> AdminResponse {
        let wait = try request.shape(RequestWait.self)
        let pattern = try compiled(wait.request)
        let limit = min(.milliseconds(wait.milliseconds), Self.longestWait)
        let awaited = await withTaskGroup(of: JournalEntry?.self) { group in
            group.addTask { await arrived(pattern, skip: wait.skip, in: request.session) }
            group.addTask {
                try? await Task.sleep(for: limit)
                return nil
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
        // If the wait is very short, it can end before the search does.
        let late = awaited == nil ? await last(pattern, skip: wait.skip, in: request.session) : nil
        guard let found = awaited ?? late else { return .shape(LoggedRequestList([])) }
        return .shape(LoggedRequestList([LoggedRequest(found, found.facts(scheme: scheme))]))
    }

    /// Returns the request once it has arrived; nil if the task is canceled.
    private func arrived(_ pattern: CompiledStubRequest, skip: Int, in session: SessionID?) async -> JournalEntry? {
        let signal = await control.beginWaiting()
        var found: JournalEntry?
        while !Task.isCancelled {
            let count = signal.count
            found = await last(pattern, skip: skip, in: session)
            if found != nil { break }
            await signal.wait(beyond: count)
        }
        await control.endWaiting()
        return found
    }

    private func last(_ pattern: CompiledStubRequest, skip: Int, in session: SessionID?) async -> JournalEntry? {
        await control.journal(in: session).entries.lazy
            .filter { pattern.matches($0.facts(scheme: scheme)) }
            .dropFirst(skip).first
    }
}
