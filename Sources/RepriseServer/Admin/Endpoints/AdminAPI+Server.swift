// SPDX-License-Identifier: Apache-2.0

internal import RepriseAdmin
internal import RepriseDocuments
internal import RepriseText

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

// The server itself.
extension AdminAPI {
    static let serverRoutes = [
        AdminRoute("POST", "/reset") { api, request, _ throws(AdminFailure) in
            try await api.reset(request)
            return .empty
        },
        AdminRoute("POST", "/shutdown") { api, request, _ throws(AdminFailure) in
            guard request.session == nil else {
                throw .refused("expected the server's own URL, found that of a session; DELETE the session instead")
            }
            api.shutDown()
            return .empty
        },
        AdminRoute("GET", "/health") { api, _, _ throws(AdminFailure) in
            let now = Date.now
            return .model(
                ServerHealth(
                    version: Self.version,
                    uptime: Int(now.timeIntervalSince(api.start)),
                    time: Int(now.timeIntervalSince1970 * 1000)
                )
            )
        },
        AdminRoute("GET", "/version") { _, _, _ throws(AdminFailure) in .model(ServerVersion(Self.version)) },
        AdminRoute("GET", "/docs") { _, _, _ throws(AdminFailure) in .text(Self.docs, "text/html; charset=utf-8") },
        AdminRoute("GET", "/docs/swagger") { _, _, _ throws(AdminFailure) in .json(Self.description) },
        AdminRoute("GET", "/certs/wiremock-ca.crt") { api, _, _ throws(AdminFailure) in
            guard let authority = api.authority else {
                throw .notFound(
                    "expected a server with a generated certificate, found none; start it with --tls or --proxy"
                )
            }
            return .bytes(authority, "application/x-pem-file")
        },
    ]

    static let version = RepriseVersion.current

    private static var docs: String {
        let lines = endpoints.map { endpoint in
            "<tr><td>\(endpoint.method)</td><td>/__admin\(endpoint.path)</td></tr>"
        }
        return """
            <!DOCTYPE html>
            <html lang="en">
            <head><meta charset="utf-8"><title>The admin API of mockserver</title></head>
            <body>
            <h1>The admin API of mockserver</h1>
            <p>The endpoints are those of WireMock, and those of mockserver below /__admin/reprise.
            <a href="/__admin/docs/swagger">OpenAPI</a></p>
            <table>
            \(lines.joined(separator: "\n"))
            </table>
            </body>
            </html>

            """
    }

    private static var description: JSONTree {
        var paths: [JSONTree.Member] = []
        for endpoint in endpoints {
            let path = "/__admin" + endpoint.path.replacing("…", with: "")
            let operation = JSONTree.Member(
                endpoint.method.lowercased(),
                ["responses": ["default": ["description": "See the article The Admin API"]]]
            )
            if let place = paths.firstIndex(where: { $0.name == path }) {
                guard case .object(let operations) = paths[place].value else { continue }
                paths[place].value = .object(operations + [operation])
            } else {
                paths.append(JSONTree.Member(path, .object([operation])))
            }
        }
        return [
            "openapi": "3.0.0", "info": ["title": "mockserver", "version": .string(version)],
            "paths": .object(paths),
        ]
    }
}
