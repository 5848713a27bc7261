// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import RepriseConnections
import RepriseDocuments
import RepriseIO
import RepriseText

/// Sends requests to the admin API of a running server, each on its own connection.
struct AdminCaller {
    private let address: Address
    private let tls: TLSClientConfiguration
    private let token: String?

    /// The address of a server.
    struct Address {
        let origin: Origin
        /// The path that names a session, such as `/__session/k3wq7`; empty for the server itself.
        let prefix: String
        let text: String

        /// - Parameter url: An http or https URL without a path, or with the prefix of a session.
        init?(_ url: String) {
            text = url.hasSuffix("/") ? String(url.dropLast()) : url
            guard let mark = text.firstRange(of: "://") else { return nil }
            let rest = text[mark.upperBound...]
            let end = rest.firstIndex(of: "/") ?? rest.endIndex
            prefix = String(rest[end...])
            guard prefix.isEmpty || prefix.hasPrefix("/__session/"),
                let origin = Origin(scheme: String(text[..<mark.lowerBound]), authority: String(rest[..<end]))
            else { return nil }
            self.origin = origin
        }
    }

    init(_ address: Address, tls: TLSClientConfiguration, token: String?) {
        self.address = address
        self.tls = tls
        self.token = token
    }

    /// Sends a request and returns the JSON of the answer.
    ///
    /// - Parameter older: The path to use if the server does not know `path`.
    /// - Throws: `ExitCode` after reporting why the request failed.
    func send(
        _ method: String,
        _ path: String,
        _ content: JSONTree? = nil,
        orElse older: String? = nil
    ) async throws -> JSONTree {
        let answer: ServerCall.Answer
        do {
            answer = try await ServerCall.send(request(method, path, content), tls: tls, limit: .seconds(30))
        } catch {
            throw Report.failure("cannot reach \(address.text): \(error); start a server, or pass --server URL")
        }
        if answer.status == 404, let older { return try await send(method, older, content) }
        let json = try? JSONTree(parsing: answer.content)
        guard answer.status == 200 || answer.status == 201 || answer.status == 204 else {
            throw Report.failure(reason(answer, json))
        }
        return json ?? .object([])
    }

    /// Sends a change, if the server has an admin API. Any other server may answer every request with 200, too.
    ///
    /// - Throws: `ExitCode` after reporting why the change failed.
    func change(_ path: String) async throws {
        guard case .array? = try await send("GET", "/__admin/mappings?limit=1")["mappings"] else {
            throw Report.failure(
                "expected the admin API of a mock server at \(address.text), found another server; check the URL"
            )
        }
        _ = try await send("POST", path)
    }

    private func request(_ method: String, _ path: String, _ content: JSONTree?) -> OutgoingRequest {
        var request = OutgoingRequest(method, address.prefix + path, at: address.origin)
        if let token { request.fields.append(OutgoingRequest.Field("Authorization", "Bearer \(token)")) }
        if let content {
            request.fields.append(OutgoingRequest.Field("Content-Type", "application/json"))
            request.body = .bytes(content.bytes)
        }
        return request
    }

    private func reason(_ answer: ServerCall.Answer, _ json: JSONTree?) -> String {
        if case .array(let errors)? = json?["errors"], let error = errors.first {
            let text = error["detail"]?.text ?? error["title"]?.text ?? "no reason"
            return "\(address.text) answered \(answer.status): \(DisplayText.escaped(text))"
        }
        // A refusal is a line of text that begins with the status. A server of another kind may answer anything.
        let text = String(decoding: answer.content.prefix { $0 != 0x0A }, as: UTF8.self)
        if text.hasPrefix("\(answer.status) "), text.contains("the admin API") {
            return DisplayText.escaped(text, limit: 500)
        }
        return """
            expected the admin API of a mock server at \(address.text), found status \(answer.status); check the URL, and \
            that the server does not run with --no-admin
            """
    }
}

extension JSONTree {
    var text: String? {
        if case .string(let text) = self { text } else { nil }
    }

    var integer: Int? {
        if case .number(let number) = self { Int(number.spelling) } else { nil }
    }
}
