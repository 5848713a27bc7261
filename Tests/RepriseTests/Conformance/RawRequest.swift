// SPDX-License-Identifier: Apache-2.0

import Reprise
import RepriseTestSupport

/// A request as received over a connection, with its content unframed.
struct RawRequest {
    var line = ""
    var fields: [(name: String, value: String)] = []
    var body: [UInt8] = []

    var method: String { String(line.prefix { $0 != " " }) }
    var target: String { String(line.drop { $0 != " " }.dropFirst().prefix { $0 != " " }) }
    var text: String { String(decoding: body, as: UTF8.self) }

    /// The value of the first field with that name, in any case.
    subscript(name: String) -> String? {
        fields.first { $0.name.lowercased() == name.lowercased() }?.value
    }
}

extension RawClient {
    /// Reads the request line and the fields of the next request.
    func readRequestHead() async throws -> RawRequest {
        var request = RawRequest()
        // In Swift, CR LF is one character.
        let lines = try await read(until: "\r\n\r\n").text.split(separator: "\r\n")
        request.line = String(lines.first ?? "")
        for line in lines.dropFirst() {
            let name = line.prefix { $0 != ":" }
            let value = line.dropFirst(name.count + 1).drop { $0 == " " }
            request.fields.append((String(name), String(value)))
        }
        return request
    }

    /// Reads the next request with its content, in any framing (RFC 9112 section 6).
    func readRequest() async throws -> RawRequest {
        var request = try await readRequestHead()
        if let length = request["Content-Length"].flatMap({ Int($0) }) {
            request.body = try await read(count: length).bytes
        } else if request["Transfer-Encoding"] != nil {
            while let chunk = try await readChunk() { request.body += chunk }
        }
        return request
    }

    /// Reads the next chunk of chunked content; nil at its end.
    func readChunk() async throws -> [UInt8]? {
        let size = Int(try await read(until: "\r\n").text.dropLast(), radix: 16) ?? 0
        let chunk = try await read(count: size).bytes
        try await read(count: 2)
        return size == 0 ? nil : chunk
    }

    /// Waits until the other side has ended the connection.
    func waitForEnd() async throws {
        try await readToEnd()
    }
}

extension ScriptedServer {
    /// A request to this server.
    func request(
        _ method: HTTPRequest.Method = .get,
        _ path: String = "/",
        _ fields: HTTPFields = [:],
        scheme: String = "http"
    ) -> HTTPRequest {
        HTTPRequest(
            method: method,
            scheme: scheme,
            authority: "127.0.0.1:\(port)",
            path: path,
            headerFields: fields
        )
    }

    /// Starts a server that answers each request with the result of `answer`.
    ///
    /// - Parameters:
    ///   - closes: whether it closes the connection after an answer.
    ///   - answer: returns the bytes of the answer on the wire.
    static func answering(
        andCloses closes: Bool = false,
        _ answer: @escaping @Sendable (RawRequest) -> String
    ) async throws -> ScriptedServer {
        try await start { connection in
            repeat {
                try await connection.send(answer(try await connection.readRequest()))
            } while !closes
        }
    }
}
