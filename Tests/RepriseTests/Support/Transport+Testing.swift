// SPDX-License-Identifier: Apache-2.0

@testable import Reprise

extension HTTPRequest {
    /// A request to `https://api.example.com`.
    init(path: String, method: Method, _ fields: HTTPFields = [:]) {
        self.init(method: method, scheme: "https", authority: "api.example.com", path: path, headerFields: fields)
    }
}

extension Transport {
    /// Sends a request without content to `https://api.example.com`.
    func send(_ method: HTTPRequest.Method, _ path: String) async throws(TransportError) -> Response {
        try await send(HTTPRequest(path: path, method: method))
    }
}

extension Response {
    /// The content as UTF-8.
    func text() async throws -> String {
        String(decoding: try await body.collect(), as: UTF8.self)
    }
}
