// SPDX-License-Identifier: Apache-2.0

internal import RepriseAdmin
internal import RepriseMatching
internal import RepriseText

// Waiting for requests.
extension AdminAPI {
    static let waitingRoutes = [
        AdminRoute("POST", "/reprise/requests/next") { api, request, _ throws(AdminFailure) in
            try await api.next(request)
        }
    ]

    /// Whether a request waits for another one, so that its answer takes as long as its client wants.
    static func waits(_ request: AdminRequest) -> Bool { request.path == ["reprise", "requests", "next"] }

    private static let longestWait = Duration.seconds(60)

    /// Answers with the first matching request after those to skip, as soon as it arrives. If it does not arrive in
    /// time, the list is empty.
    private func next(_ request: AdminRequest) async throws(AdminFailure) -> AdminResponse {
        let wait = try request.model(RequestWait.self)
        let pattern = try compiled(wait.request)
        let limit = min(.milliseconds(wait.milliseconds), Self.longestWait)
        let found = await withTaskGroup(of: JournalEntry?.self, returning: JournalEntry?.self) { group in
            group.addTask { await arrived(pattern, skip: wait.skip, in: request.session) }
            group.addTask {
                try? await Task.sleep(for: limit)
                return nil
            }
            let first: JournalEntry? = await group.next() ?? nil
            group.cancelAll()
            if let first { return first }
            // The time is over, and the search ends after a last look.
            return await group.next() ?? nil
        }
        guard let found else { return .model(AdminList<LoggedRequest>([])) }
        return .model(AdminList<LoggedRequest>([LoggedRequest(found, found.facts(scheme: scheme))]))
    }

    /// Returns the request once it has arrived; nil if it has not when the task is canceled. Looks at each request of
    /// the journal once.
    private func arrived(_ pattern: CompiledStubRequest, skip: Int, in session: SessionID?) async -> JournalEntry? {
        let signal = await control.beginWaiting()
        var (found, skipped, places): (JournalEntry?, Int, [Int]) = (nil, 0, [])
        while true {
            let (count, isFirst) = (signal.count, places.isEmpty)
            let (entries, next) = await control.journal(in: session, after: places)
            places = next
            let matching = entries.lazy.filter { pattern.matches($0.facts(scheme: scheme)) }
                .prefix(skip - skipped + 1)
            for entry in matching {
                if skipped == skip { found = entry } else { skipped += 1 }
            }
            if found != nil || Task.isCancelled { break }
            // Together, the waiting tasks look at most 200 times a second, however many requests arrive.
            if !isFirst { try? await Task.sleep(for: .milliseconds(5 * (await control.waitingTasks))) }
            await signal.wait(beyond: count)
        }
        await control.endWaiting()
        return found
    }
}
