// SPDX-License-Identifier: Apache-2.0

internal import RepriseAdmin
internal import RepriseText

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The admin API, with which clients inspect and change a running server. It runs off the loops.
///
/// The endpoints are those of WireMock, so that its clients work. Those below `/__admin/reprise/` exist only here.
struct AdminAPI: Sendable {
    let control: ServerControl
    /// The folder that stubs and files are saved to; nil if the server has no fixture folder.
    let folder: AdminFolder?
    let configuration: MockServer.Configuration
    let start: Date
    let shutDown: @Sendable () -> Void
    let identifiers: JournalIdentifiers
    /// The certificate, in PEM format, that clients must trust; nil if the server did not generate one.
    let authority: [UInt8]?

    /// The maximum number of bytes in the content of a request.
    static let contentLimit = 16 << 20

    /// `http` or `https`.
    var scheme: String { configuration.tls == nil ? "http" : "https" }

    private static let routes: [AdminRoute] =
        [
            mappingRoutes, requestRoutes, nearMissRoutes, scenarioRoutes, settingsRoutes, serverRoutes, fileRoutes,
            recordingRoutes, ownRoutes, waitingRoutes, sessionRoutes, detailedRoutes,
        ]
        .flatMap { $0 }

    static var endpoints: [(method: String, path: String)] { routes.map { ($0.method, $0.pattern) } }

    @concurrent
    func answer(_ request: AdminRequest) async -> AdminResponse {
        do throws(AdminFailure) {
            let method = request.method == "HEAD" ? "GET" : request.method
            var allowed: [String] = []
            for route in Self.routes {
                guard let parameters = route.parameters(of: request.path) else { continue }
                if route.method == method { return try await route.answer(self, request, parameters) }
                if !allowed.contains(route.method) { allowed.append(route.method) }
            }
            throw Self.unknown(request, allowed: allowed)
        } catch {
            return error.response
        }
    }

    private static func unknown(_ request: AdminRequest, allowed: [String]) -> AdminFailure {
        let path = "/__admin" + request.path.map { "/\($0)" }.joined()
        guard allowed.isEmpty else {
            var failure = AdminFailure.notFound(
                "expected \(allowed.joined(separator: " or ")) for \(shown(path)), found \(shown(request.method))"
            )
            failure.allowed = allowed
            return failure
        }
        var message = "expected an endpoint of the admin API, found \(shown(path))"
        let known = routes.map(\.pattern).filter { !$0.contains("{") && !$0.isEmpty }
        if let near = nearest(to: request.path.map { "/\($0)" }.joined(), among: known) {
            message += "; did you mean /__admin\(near)?"
        } else {
            message += "; see /__admin/docs"
        }
        return .notFound(message)
    }
}
