// SPDX-License-Identifier: Apache-2.0

internal import RepriseAdmin
internal import RepriseFixtures
internal import RepriseMatching
internal import RepriseStubs
internal import RepriseText

// The requests and stubs that almost match.
extension AdminAPI {
    static let nearMissRoutes = [
        AdminRoute("GET", "/requests/unmatched/near-misses") { api, request, _ throws(AdminFailure) in
            var nearMisses: [RepriseAdmin.NearMiss] = []
            for logged in await api.misses(request) where !Task.isCancelled {
                nearMisses += await api.nearMisses(
                    LoggedRequest(logged.entry, logged.facts),
                    logged.facts,
                    request.session
                )
            }
            return Self.answer(nearMisses, request)
        },
        AdminRoute("POST", "/near-misses/request") { api, request, _ throws(AdminFailure) in
            let logged = try request.model(LoggedRequest.self)
            let facts = logged.facts(scheme: api.scheme)
            return Self.answer(await api.nearMisses(logged.completed(with: facts), facts, request.session), request)
        },
        AdminRoute("POST", "/near-misses/request-pattern") { api, request, _ throws(AdminFailure) in
            let pattern = try request.pattern()
            return Self.answer(await api.nearMisses(of: try api.compiled(pattern), pattern, request.session), request)
        },
    ]

    /// The largest number of near misses for one request or pattern, as in WireMock.
    private static let limit = 3

    private static func answer(_ nearMisses: [RepriseAdmin.NearMiss], _ request: AdminRequest) -> AdminResponse {
        var nearMisses = nearMisses
        if !request.isDetailed { for index in nearMisses.indices { nearMisses[index].conditions = [] } }
        return .model(AdminList(nearMisses))
    }

    /// Returns the stubs that are nearest to a request.
    private func nearMisses(
        _ request: LoggedRequest,
        _ facts: DecodedRequest,
        _ session: SessionID?
    ) async -> [RepriseAdmin.NearMiss] {
        guard let view = await control.served(in: session) else { return [] }
        return view.stubs.nearStubs(facts, view.play, limit: Self.limit, hiding: nil).map { near, stub in
            RepriseAdmin.NearMiss(
                request,
                stub: stub.stub.mapping,
                distance: near.distance,
                conditions: near.conditions.map(RepriseAdmin.NearMiss.Condition.init)
            )
        }
    }

    /// Returns the requests of the journal that are nearest to a pattern.
    private func nearMisses(
        of compiled: CompiledStubRequest,
        _ pattern: StubRequest,
        _ session: SessionID?
    ) async -> [RepriseAdmin.NearMiss] {
        var nearest: [(distance: Double, logged: Logged)] = []
        // Among equal distances, the newest request comes first.
        for entry in await control.journal(in: session).entries.reversed() where !Task.isCancelled {
            let logged = Logged(entry: entry, facts: entry.facts(scheme: scheme))
            let distance = compiled.matches(logged.facts) ? 0 : compiled.distance(from: logged.facts)
            guard nearest.count < Self.limit || distance < nearest[Self.limit - 1].distance else { continue }
            let place = nearest.firstIndex { $0.distance > distance } ?? nearest.count
            nearest.insert((distance, logged), at: place)
            if nearest.count > Self.limit { nearest.removeLast() }
        }
        return nearest.map { distance, logged in
            RepriseAdmin.NearMiss(
                LoggedRequest(logged.entry, logged.facts),
                pattern: pattern,
                distance: distance,
                conditions: compiled.verdicts(on: logged.facts).map(RepriseAdmin.NearMiss.Condition.init)
            )
        }
    }
}

extension RepriseAdmin.NearMiss.Condition {
    /// Describes a condition of a stub.
    init(_ verdict: StubVerdict) {
        self.init(
            field: verdict.field,
            expected: verdict.expected,
            found: verdict.found,
            isMatch: verdict.isMatch,
            isUndecided: verdict.isUndecided
        )
    }
}

extension LoggedRequest {
    /// The request with the members that WireMock computes, if they are missing.
    fileprivate func completed(with facts: DecodedRequest) -> LoggedRequest {
        let computed = LoggedRequest(facts)
        var completed = self
        completed.absoluteURL = absoluteURL ?? computed.absoluteURL
        completed.scheme = scheme ?? computed.scheme
        completed.host = host ?? computed.host
        completed.port = port ?? computed.port
        if query.isEmpty { completed.query = computed.query }
        return completed
    }
}
