// SPDX-License-Identifier: Apache-2.0

internal import RepriseAdmin
internal import RepriseFixtures
internal import RepriseMatching
internal import RepriseStubs
internal import RepriseText

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

// The journal.
extension AdminAPI {
    static let requestRoutes = [
        AdminRoute("GET", "/requests") { api, request, _ throws(AdminFailure) in try await api.events(request) },
        AdminRoute("DELETE", "/requests") { api, request, _ throws(AdminFailure) in
            await api.control.resetJournal(in: request.session)
            return .empty
        },
        AdminRoute("POST", "/requests/reset") { api, request, _ throws(AdminFailure) in
            await api.control.resetJournal(in: request.session)
            return .empty
        },
        AdminRoute("POST", "/requests/count") { api, request, _ throws(AdminFailure) in
            .model(VerificationCount(try await api.matching(request).count))
        },
        AdminRoute("POST", "/requests/find") { api, request, _ throws(AdminFailure) in
            api.list(try await api.matching(request))
        },
        AdminRoute("POST", "/requests/remove") { api, request, _ throws(AdminFailure) in
            await api.remove(try await api.matching(request).map(\.entry), request)
        },
        AdminRoute("POST", "/requests/remove-by-metadata") { api, request, _ throws(AdminFailure) in
            let matcher = try MetadataMatcher(request)
            let entries = await api.control.journal(in: request.session).entries
            return await api.remove(entries.filter { $0.stub.map { matcher.matches($0.mapping) } ?? false }, request)
        },
        AdminRoute("GET", "/requests/unmatched") { api, request, _ throws(AdminFailure) in
            api.list(await api.misses(request))
        },
        AdminRoute("GET", "/requests/{id}") { api, request, parameters throws(AdminFailure) in
            let entry = try await api.entry(parameters.first, request)
            return .model(api.event(entry, request))
        },
        AdminRoute("DELETE", "/requests/{id}") { api, request, parameters throws(AdminFailure) in
            guard let key = api.identifiers.key(of: parameters.first) else {
                guard UUIDText.isUUID(Array(parameters.first.utf8).span) else { throw Self.noRequest(parameters.first) }
                // As in WireMock, removing a request that does not exist succeeds.
                return .empty
            }
            // Requests of other sessions cannot be removed here.
            if await api.control.journalEntry(key, in: request.session) != nil {
                await api.control.removeFromJournal([key])
            }
            return .empty
        },
    ]

    /// A request in the journal, ready to be compared.
    struct Logged {
        let entry: JournalEntry
        let facts: DecodedRequest
    }

    // MARK: Reading

    private func events(_ request: AdminRequest) async throws(AdminFailure) -> AdminResponse {
        let limit = try request.count("limit")
        let since = try request.parameter("since").map { text throws(AdminFailure) in
            guard let date = Self.date(text) else {
                throw AdminFailure(
                    status: 400,
                    [
                        AdminErrors.Reason(
                            code: 10,
                            pointer: "since",
                            title: "\(shown(text)) is not a valid ISO8601 date",
                            detail: "expected a date such as 2026-01-31T12:00:00Z, found '\(shown(text))'"
                        )
                    ]
                )
            }
            return date
        }
        let isUnmatched = request.parameter("unmatched") == "true"
        let stub = request.parameter("matchingStub")?.lowercased()
        let journal = await control.journal(in: request.session)
        var entries = journal.entries.reversed().filter { entry in
            if let since, entry.received < since { return false }
            if isUnmatched, !entry.isMiss { return false }
            return stub == nil || entry.stub?.mapping.id == stub
        }
        if let limit { entries = Array(entries.prefix(limit)) }
        let dropped = request.isDetailed ? journal.dropped : 0
        let meta = AdminList<ServeEvent>([], total: journal.entries.count, dropped: dropped).meta ?? .object([])
        let more = ",\"meta\":\(String(decoding: meta.bytes, as: UTF8.self)),\"requestJournalDisabled\":false"
        return .list("requests", entries.lazy.map { event($0, request).json }, more: more)
    }

    /// Parses a date in ISO 8601, with or without fractions of a second.
    private static func date(_ text: String) -> Date? {
        if let date = try? Date(text, strategy: .iso8601) { return date }
        if let date = try? Date.ISO8601FormatStyle(includingFractionalSeconds: true).parse(text) { return date }
        let day = Date.ISO8601FormatStyle().year().month().day()
        return text.utf8.count == 10 ? try? day.parse(text) : nil
    }

    private func event(_ entry: JournalEntry, _ request: AdminRequest) -> ServeEvent {
        var event = ServeEvent(entry, entry.facts(scheme: scheme), id: identifiers.id(of: entry.key))
        if !request.isDetailed { event.origin = nil }
        return event
    }

    private func entry(_ id: String, _ request: AdminRequest) async throws(AdminFailure) -> JournalEntry {
        guard let key = identifiers.key(of: id),
            let entry = await control.journalEntry(key, in: request.session)
        else { throw Self.noRequest(id) }
        return entry
    }

    private static func noRequest(_ id: String) -> AdminFailure {
        .notFound("expected the id of a request in the journal, found '\(shown(id))'; GET /__admin/requests lists them")
    }

    /// Returns the requests that match the pattern in a request's content, oldest first.
    private func matching(_ request: AdminRequest) async throws(AdminFailure) -> [Logged] {
        let pattern = try compiled(try request.pattern())
        return await control.journal(in: request.session).entries.lazy
            .map { Logged(entry: $0, facts: $0.facts(scheme: scheme)) }
            .filter { pattern.matches($0.facts) }
    }

    func compiled(_ pattern: StubRequest) throws(AdminFailure) -> CompiledStubRequest {
        do throws(StubMatcherProblem) { return try CompiledStubRequest(pattern) } catch {
            // The pointer is relative to a mapping, in which the pattern is the member "request".
            let prefix = "/request"
            let pointer =
                error.pointer.hasPrefix(prefix) ? String(error.pointer.dropFirst(prefix.count)) : error.pointer
            throw .unreadable(pointer, error.message)
        }
    }

    /// Returns the requests that nothing answered, newest first as in WireMock.
    func misses(_ request: AdminRequest) async -> [Logged] {
        await control.journal(in: request.session).entries
            .filter(\.isMiss)
            .reversed()
            .map { Logged(entry: $0, facts: $0.facts(scheme: scheme)) }
    }

    private func list(_ requests: [Logged]) -> AdminResponse {
        let list = requests.lazy.map { LoggedRequest($0.entry, $0.facts).json }
        return .list("requests", list, more: ",\"requestJournalDisabled\":false")
    }

    // MARK: Removing

    private func remove(_ entries: [JournalEntry], _ request: AdminRequest) async -> AdminResponse {
        await control.removeFromJournal(entries.map(\.key))
        return .list("serveEvents", entries.lazy.map { event($0, request).json })
    }
}
