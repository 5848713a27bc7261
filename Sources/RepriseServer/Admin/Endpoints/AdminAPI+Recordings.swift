// SPDX-License-Identifier: Apache-2.0

internal import RepriseAdmin
internal import RepriseCassettes
internal import RepriseFixtures
internal import RepriseMatching
internal import RepriseStubAnswers
internal import RepriseStubs
internal import RepriseText

// Recording another server while this one runs.
extension AdminAPI {
    static let recordingRoutes = [
        AdminRoute("GET", "/recordings/status") { api, _, _ throws(AdminFailure) in
            .json(["status": .string(await api.control.recordingStatus.rawValue)])
        },
        AdminRoute("POST", "/recordings/start") { api, request, _ throws(AdminFailure) in
            try Self.requireServer(request)
            try await api.control.startRecording(try request.model(RecordingSpec.self))
            return .empty
        },
        AdminRoute("POST", "/recordings/stop") { api, request, _ throws(AdminFailure) in
            try Self.requireServer(request)
            let (mappings, spec) = try await api.control.stopRecording()
            return Self.list(mappings, spec)
        },
        AdminRoute("POST", "/recordings/snapshot") { api, request, _ throws(AdminFailure) in
            try await api.snapshot(request)
        },
        AdminRoute("GET", "/recorder") { _, _, _ throws(AdminFailure) in
            throw .notFound(
                "this server has no recorder page; POST {\"targetBaseUrl\": …} to /__admin/recordings/start instead"
            )
        },
    ]

    private static func requireServer(_ request: AdminRequest) throws(AdminFailure) {
        guard request.session != nil else { return }
        throw .refused("expected the server's own URL, found that of a session; record all sessions there")
    }

    private static func list(_ mappings: [StubMapping], _ spec: RecordingSpec) -> AdminResponse {
        spec.sendsIDs
            ? .list("ids", mappings.lazy.map { .string($0.id ?? "") }) : .list("mappings", mappings.lazy.map(\.json))
    }

    /// Creates stubs from the requests in the journal that another server answered.
    private func snapshot(_ request: AdminRequest) async throws(AdminFailure) -> AdminResponse {
        let spec = request.content.isEmpty ? RecordingSpec() : try request.model(RecordingSpec.self)
        if spec.isPersistent == true { _ = try checkFolder(request) }
        let isPersistent = spec.isPersistent ?? (folder != nil && request.session == nil)
        let filter = try spec.filter.map { pattern throws(AdminFailure) in try compiled(pattern) }
        let entries = await control.journal(in: request.session).entries
        let redaction = try await control.redaction(of: entries, scheme: scheme)
        var exchanges: [Exchange] = []
        for entry in entries {
            guard entry.isForwarded && entry.answer != nil || spec.includesOwnAnswers && !entry.isMiss,
                spec.ids?.contains(identifiers.id(of: entry.key)) ?? true,
                filter?.matches(entry.facts(scheme: scheme)) ?? true,
                let exchange = redaction.redacted(entry).exchange
            else { continue }
            exchanges.append(exchange)
        }
        let mappings = RecordedMappings(Cassette(exchanges: exchanges), spec, isPersistent: isPersistent).mappings
        let saved: [StubFixture]
        do throws(FixtureProblems) {
            let added = try await control.add(mappings, in: request.session)
            saved = isPersistent ? added : []
        } catch {
            throw AdminFailure(error)
        }
        try await save(saved)
        return Self.list(mappings, spec)
    }
}
