// SPDX-License-Identifier: Apache-2.0

internal import RepriseAdmin
internal import RepriseDocuments
internal import RepriseFixtures
internal import RepriseMatching
internal import RepriseStubs
internal import RepriseText

// The endpoints that WireMock does not have.
extension AdminAPI {
    static let ownRoutes = [
        AdminRoute("POST", "/reprise/explain") { api, request, _ throws(AdminFailure) in try await api.explain(request)
        },
        AdminRoute("GET", "/reprise/journal") { api, request, _ throws(AdminFailure) in try await api.export(request) },
        AdminRoute("GET", "/metrics") { api, request, _ throws(AdminFailure) in
            let format = ServerMetrics.Format(accept: request.accept)
            return .bytes(await api.control.metrics().text(format), format.contentType)
        },
        // `AdminSource` answers GET itself, with an endless stream. This route answers HEAD.
        AdminRoute("GET", "/reprise/events") { _, _, _ throws(AdminFailure) in
            AdminResponse(contentType: "text/event-stream")
        },
        AdminRoute("GET", "/reprise/fixtures") { api, request, _ throws(AdminFailure) in await api.fixtures(request) },
    ]

    /// The endpoints of the journal, with the members that WireMock does not have. Its Java client accepts no others.
    static let detailedRoutes = (requestRoutes.filter { $0.method == "GET" } + nearMissRoutes).map { route in
        AdminRoute(route.method, "/reprise" + route.pattern, route.answer)
    }

    // MARK: Explaining

    /// Explains which fixture or stub would answer a request, without changing anything.
    private func explain(_ request: AdminRequest) async throws(AdminFailure) -> AdminResponse {
        let logged = try request.model(LoggedRequest.self)
        guard let view = await control.served(in: request.session) else {
            throw .notFound("expected an open session, found one that has ended; open another")
        }
        return .json(view.explanation(of: logged.facts(scheme: scheme)))
    }

    // MARK: Fixtures

    /// Lists the fixtures and stubs, each with the number of requests in the journal that it answered.
    private func fixtures(_ request: AdminRequest) async -> AdminResponse {
        var counts: [FixtureSource: Int] = [:]
        var stubCounts: [String: Int] = [:]
        for entry in await control.journal(in: request.session).entries {
            if let stub = entry.stub {
                stubCounts[stub.mapping.id ?? "", default: 0] += 1
            } else if let played = entry.played {
                counts[played.source, default: 0] += 1
            }
        }
        var pieces = AdminPieces()
        pieces.append("{\"fixtures\":")
        pieces.append(
            list: (await control.served(in: request.session)?.fixtures ?? []).lazy.map { fixture in
                let path =
                    switch fixture.pattern.path {
                    case .literal(let bytes): String(decoding: bytes, as: UTF8.self)
                    case .template(let segments): segments.map(\.text).joined()
                    }
                return JSONTree.members([
                    "method": .string(String(decoding: fixture.pattern.method, as: UTF8.self)), "path": .string(path),
                    "query": fixture.pattern.query.map { .string(String(decoding: $0, as: UTF8.self)) },
                    "status": fixture.plan.head.map { .integer($0.status) },
                    "file": .string(fixture.source.file),
                    "line": fixture.source.location.map { .integer($0.line) },
                    "requests": .integer(counts[fixture.source] ?? 0),
                ])
            }
        )
        pieces.append(",\"stubs\":")
        pieces.append(
            list: await control.stubs(in: request.session).lazy.map { stub in
                JSONTree.members([
                    "id": .string(stub.id), "name": stub.mapping.name.map { .string($0) },
                    "request": stub.mapping.request.json, "file": .string(stub.source.file),
                    "line": stub.source.location.map { .integer($0.line) },
                    "requests": .integer(stubCounts[stub.id] ?? 0),
                ])
            }
        )
        pieces.append("}")
        return AdminResponse(content: pieces.all)
    }
}

extension RequestPattern.Segment {
    var text: String {
        switch self {
        case .literal(let bytes): "/\(String(decoding: bytes, as: UTF8.self))"
        case .parameter(let name): "/{\(name)}"
        }
    }
}
