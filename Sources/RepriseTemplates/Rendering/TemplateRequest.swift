// SPDX-License-Identifier: Apache-2.0

package import RepriseText

/// The request that a template sees. The rest of the model is derived from these values when it is used.
package struct TemplateRequest: Sendable {
    /// The identifier of the request; empty if it has none.
    package var id: String
    package var method: String
    /// The path and the query as they are in the request.
    package var url: String
    package var scheme: String
    /// The host of the Host header field, without the port.
    package var host: String
    package var port: Int
    /// What the base URL has after the port: the prefix of a session, or nothing. It is not a part of ``url``.
    package var basePath = ""
    package var clientIP: String
    /// The header lines, in order.
    package var headers: [HeaderLine]
    /// The content, decoded.
    package var body: [UInt8]
    /// The parameters of the path, for a stub with a path template.
    package var pathParameters: [(name: String, value: String)]
    /// The parts of a multipart body.
    package var parts: @Sendable () -> [Part]

    /// A part of a multipart body.
    package struct Part: Sendable {
        package var name: String
        package var headers: [HeaderLine]
        package var body: [UInt8]

        package init(name: String, headers: [HeaderLine] = [], body: [UInt8]) {
            self.name = name
            self.headers = headers
            self.body = body
        }
    }

    /// Creates a request.
    package init(
        id: String = "",
        method: String,
        url: String,
        scheme: String = "http",
        host: String,
        port: Int,
        clientIP: String = "127.0.0.1",
        headers: [HeaderLine] = [],
        body: [UInt8] = [],
        pathParameters: [(name: String, value: String)] = [],
        parts: @escaping @Sendable () -> [Part] = { [] }
    ) {
        self.id = id
        self.method = method
        self.url = url
        self.scheme = scheme
        self.host = host
        self.port = port
        self.clientIP = clientIP
        self.headers = headers
        self.body = body
        self.pathParameters = pathParameters
        self.parts = parts
    }
}
