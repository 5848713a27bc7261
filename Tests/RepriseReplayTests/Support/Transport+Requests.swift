// SPDX-License-Identifier: Apache-2.0

import Reprise

extension Transport {
    /// Requests a path from `https://api.example.com`.
    func request(
        _ path: String,
        _ method: HTTPRequest.Method = .get,
        body: String? = nil,
        fields: HTTPFields = [:],
        options: RequestOptions = RequestOptions()
    ) async throws(TransportError) -> Response {
        let request = HTTPRequest(
            method: method,
            scheme: "https",
            authority: "api.example.com",
            path: path,
            headerFields: fields
        )
        return try await send(request, body: body.map { Body($0) }, options: options)
    }

    /// Requests a path and returns the content as text.
    func text(_ path: String, _ method: HTTPRequest.Method = .get, body: String? = nil) async throws -> String {
        try await request(path, method, body: body).text()
    }
}

extension Response {
    /// The content as UTF-8.
    func text() async throws -> String {
        String(decoding: try await body.collect(), as: UTF8.self)
    }
}
