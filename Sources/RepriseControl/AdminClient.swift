// SPDX-License-Identifier: Apache-2.0

internal import RepriseAdmin
internal import RepriseText

#if canImport(FoundationNetworking)
    internal import Foundation
    internal import FoundationNetworking
#else
    internal import Foundation
#endif

/// Calls the admin API of one server, or of one session.
struct AdminClient: Sendable {
    /// The URL of the server, without a slash at its end.
    let base: String
    let token: String?
    private let session: URLSession

    init(base: String, token: String?) {
        self.base = base
        self.token = token
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil
        configuration.httpCookieStorage = nil
        session = URLSession(configuration: configuration)
    }

    private init(base: String, _ other: AdminClient) {
        self.base = base
        token = other.token
        session = other.session
    }

    /// Returns a client for another base URL of the same server.
    func based(on base: String) -> AdminClient { AdminClient(base: base, self) }

    /// Calls an endpoint and reads its answer.
    ///
    /// - Parameters:
    ///   - path: The path below `/__admin`, with a query if there is one.
    ///   - body: The content of the request; nil for none.
    ///   - timeout: The seconds after which the call fails.
    func call<Shape: AdminShape>(
        _ method: String,
        _ path: String,
        _ body: JSONTree? = nil,
        timeout: Double = 30
    ) async throws(ControlError) -> Shape {
        let content = try await send(method, path, body, timeout: timeout)
        do throws(AdminShapeError) { return try Shape(parsing: content) } catch {
            throw ControlError(
                .unexpectedAnswer,
                "\(asked(method, path)) was answered with JSON that this version does not understand: \(error)"
            )
        }
    }

    /// Calls an endpoint and returns the content of its answer.
    @discardableResult
    func send(
        _ method: String,
        _ path: String,
        _ body: JSONTree? = nil,
        timeout: Double = 30
    ) async throws(ControlError) -> [UInt8] {
        guard let url = URL(string: "\(base)/__admin\(path)") else {
            throw ControlError(.noServer, "expected the URL of a mock server, found '\(base)'")
        }
        var request = URLRequest(url: url, timeoutInterval: timeout)
        request.httpMethod = method
        if let body {
            request.httpBody = Data(body.bytes)
            request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        }
        if let token { request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization") }
        let content: Data
        let response: URLResponse
        do { (content, response) = try await session.data(for: request) } catch {
            throw ControlError(
                .unreachable,
                "no mock server answers at \(base): \(error.localizedDescription); start it, such as with "
                    + "'mockserver Fixtures/', or correct the URL"
            )
        }
        let status = (response as? HTTPURLResponse)?.statusCode ?? 0
        guard (200..<300).contains(status) else {
            throw ControlError(status: status, content: Array(content), asked: asked(method, path))
        }
        return Array(content)
    }

    private func asked(_ method: String, _ path: String) -> String { "\(method) \(base)/__admin\(path)" }
}
