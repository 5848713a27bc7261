// SPDX-License-Identifier: Apache-2.0

internal import RepriseAdmin
internal import RepriseDocuments
internal import RepriseText

#if canImport(FoundationNetworking)
    internal import Foundation
    internal import FoundationNetworking
#else
    internal import Foundation
#endif

/// Access to the admin API of one server or session.
package protocol AdminRoad: Sendable {
    /// The base URL, for messages.
    var base: String { get }

    /// Calls an endpoint.
    ///
    /// - Parameters:
    ///   - target: The path below `/__admin`, with a query if there is one.
    ///   - content: The content to send; nil for none.
    ///   - timeout: The seconds after which the call fails.
    /// - Returns: The status and the content of the answer.
    func answer(
        _ method: String,
        _ target: String,
        _ content: [UInt8]?,
        timeout: Double
    ) async throws(ControlError) -> (status: Int, content: [UInt8])

    /// Returns access to a session of the same server.
    func road(to session: ServerSession) async throws(ControlError) -> any AdminRoad
}

/// Calls the admin API of one server or session.
struct AdminClient: Sendable {
    let road: any AdminRoad

    var base: String { road.base }

    /// Calls an endpoint and reads its answer. See ``send(_:_:_:timeout:)``.
    func call<Model: AdminModel>(
        _ method: String,
        _ target: String,
        _ body: JSONTree? = nil,
        timeout: Double = 30
    ) async throws(ControlError) -> Model {
        let content = try await send(method, target, body, timeout: timeout)
        do throws(AdminModelError) { return try Model(parsing: content) } catch {
            throw ControlError(
                .unexpectedAnswer,
                "\(asked(method, target)) was answered with JSON that this version does not understand: \(error)"
            )
        }
    }

    /// Calls an endpoint for an answer with the members that WireMock does not have. An older server has them in its
    /// answer at WireMock's path.
    func callDetailed<Model: AdminModel>(
        _ method: String,
        _ target: String,
        _ body: JSONTree? = nil
    ) async throws(ControlError) -> Model {
        do throws(ControlError) { return try await call(method, "/reprise" + target, body) } catch {
            guard error.reason == .notFound else { throw error }
            return try await call(method, target, body)
        }
    }

    /// Calls an endpoint and returns the content of its answer.
    ///
    /// - Parameters:
    ///   - target: The path below `/__admin`, with a query if there is one.
    ///   - body: The JSON to send; nil for none.
    ///   - timeout: The seconds after which the call fails.
    @discardableResult
    func send(
        _ method: String,
        _ target: String,
        _ body: JSONTree? = nil,
        timeout: Double = 30
    ) async throws(ControlError) -> [UInt8] {
        let (status, content) = try await road.answer(method, target, body?.bytes, timeout: timeout)
        guard (200..<300).contains(status) else {
            throw ControlError(status: status, content: content, asked: asked(method, target))
        }
        return content
    }

    private func asked(_ method: String, _ target: String) -> String { "\(method) \(base)/__admin\(target)" }
}

/// Access to a server in another process, over HTTP.
struct HTTPRoad: AdminRoad {
    /// The URL, without a slash at its end.
    let base: String
    let token: String?
    private let session: URLSession

    init(base: String, token: String?) {
        self.base = base
        self.token = token
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil
        configuration.httpCookieStorage = nil
        // On Apple platforms, an open cassette adds a protocol of its own to new configurations.
        configuration.protocolClasses = []
        session = URLSession(configuration: configuration)
    }

    private init(base: String, _ other: HTTPRoad) {
        self.base = base
        token = other.token
        session = other.session
    }

    func answer(
        _ method: String,
        _ target: String,
        _ content: [UInt8]?,
        timeout: Double
    ) async throws(ControlError) -> (status: Int, content: [UInt8]) {
        guard let url = URL(string: "\(base)/__admin\(target)") else {
            throw ControlError(.noServer, "expected the URL of a mock server, found '\(base)'")
        }
        var request = URLRequest(url: url, timeoutInterval: timeout)
        request.httpMethod = method
        if let content {
            request.httpBody = Data(content)
            request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        }
        // Send the field even without a token. Otherwise the server asks for a password, and URLSession on Linux waits
        // for one forever.
        request.setValue("Bearer \(token ?? "none")", forHTTPHeaderField: "Authorization")
        let data: Data
        let response: URLResponse
        do { (data, response) = try await session.data(for: request) } catch {
            throw ControlError(
                .unreachable,
                "no mock server answers at \(base): \(error.localizedDescription); start one, for example "
                    + "with 'mockserver Fixtures/', or correct the URL"
            )
        }
        return ((response as? HTTPURLResponse)?.statusCode ?? 0, Array(data))
    }

    func road(to session: ServerSession) async throws(ControlError) -> any AdminRoad {
        if let url = session.url {
            let own = HTTPRoad(base: url, self)
            let known: ServerSession? = try? await AdminClient(road: own)
                .call("GET", "/reprise/sessions/\(session.id)", timeout: 5)
            if known?.id == session.id { return own }
        }
        // The server knows only its own address. If it runs in a container, its address here differs.
        return HTTPRoad(base: "\(base)/__session/\(session.id)", self)
    }
}
