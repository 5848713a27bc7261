// SPDX-License-Identifier: Apache-2.0

internal import RepriseAdmin
internal import RepriseText

// Sessions, which keep parallel tests apart.
extension AdminAPI {
    static let sessionRoutes = [
        AdminRoute("POST", "/reprise/sessions") { api, request, _ throws(AdminFailure) in
            do throws(SessionError) {
                return .model(ServerSession(try await api.control.openSession()), status: 201)
            } catch {
                throw .unavailable("\(error)")
            }
        },
        AdminRoute("GET", "/reprise/sessions") { api, request, _ throws(AdminFailure) in
            .json(["sessions": .array(await api.control.sessions.map { ServerSession($0).json })])
        },
        AdminRoute("GET", "/reprise/sessions/{id}") { api, request, parameters throws(AdminFailure) in
            guard let session = await api.control.sessions.first(where: { $0.id.text == parameters.first }) else {
                throw Self.noSession(parameters.first)
            }
            return .model(ServerSession(session))
        },
        AdminRoute("DELETE", "/reprise/sessions/{id}") { api, request, parameters throws(AdminFailure) in
            guard await api.control.closeSession(SessionID(parameters.first)) else {
                throw Self.noSession(parameters.first)
            }
            return .empty
        },
    ]

    private static func noSession(_ id: String) -> AdminFailure {
        .notFound(
            "expected the id of an open session, found '\(shown(id))'; GET /__admin/reprise/sessions lists the sessions"
        )
    }
}

extension ServerSession {
    init(_ info: SessionInfo) {
        self.init(
            id: info.id.text,
            url: info.url,
            prefixURL: info.prefixURL,
            header: NamedValues(SessionRoute.header, [info.id.text])
        )
    }
}
