// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import RepriseIO
import RepriseText

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Sends requests to the admin API of a running server, each on a connection of its own.
struct AdminClient {
    private let address: Address
    private let tls: TLSContext?
    private let token: String?

    /// The address of a server.
    struct Address {
        let host: String
        let port: Int
        let isSecure: Bool
        /// The URL as given, without a path.
        let text: String

        /// - Parameter url: An http or https URL without a path.
        init?(_ url: String) {
            guard let parts = URLComponents(string: url), let scheme = parts.scheme?.lowercased(),
                scheme == "http" || scheme == "https", let host = parts.host, !host.isEmpty,
                parts.path.isEmpty || parts.path == "/", parts.user == nil, parts.query == nil
            else { return nil }
            isSecure = scheme == "https"
            self.host = host
            port = parts.port ?? (isSecure ? 443 : 80)
            text = url.hasSuffix("/") ? String(url.dropLast()) : url
        }

        /// The value of the Host field.
        var authority: String {
            let name = host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host
            return port == (isSecure ? 443 : 80) ? name : "\(name):\(port)"
        }
    }

    init(_ address: Address, tls: TLSContext?, token: String?) {
        self.address = address
        self.tls = tls
        self.token = token
    }

    /// Sends a request and returns the JSON of the answer.
    ///
    /// - Throws: `ExitCode` after reporting why there is no such answer.
    func send(_ method: String, _ path: String, _ content: JSONTree? = nil) async throws -> JSONTree {
        let answer: AdminCall.Answer
        do {
            answer = try await AdminCall.run(
                request(method, path, content),
                host: address.host,
                port: address.port,
                tls: tls,
                limit: .seconds(30)
            )
        } catch {
            throw failure("cannot reach \(address.text): \(error); start a server, or pass --server URL")
        }
        let json = try? JSONTree(parsing: answer.content)
        guard answer.status == 200 || answer.status == 201 || answer.status == 204 else {
            throw failure(reason(answer, json))
        }
        return json ?? .object([])
    }

    private func request(_ method: String, _ path: String, _ content: JSONTree?) -> [UInt8] {
        var head = "\(method) \(path) HTTP/1.1\r\nHost: \(address.authority)\r\nConnection: close\r\n"
        if let token { head += "Authorization: Bearer \(token)\r\n" }
        guard let content else { return Array("\(head)\r\n".utf8) }
        var body: [UInt8] = []
        content.append(to: &body)
        head += "Content-Type: application/json\r\nContent-Length: \(body.count)\r\n\r\n"
        return Array(head.utf8) + body
    }

    private func reason(_ answer: AdminCall.Answer, _ json: JSONTree?) -> String {
        if case .array(let errors)? = json?["errors"], let error = errors.first {
            let text = error["detail"]?.text ?? error["title"]?.text ?? "no reason"
            return "\(address.text) answered \(answer.status): \(DisplayText.escaped(text))"
        }
        // A refusal is a line of text that begins with the status. Another server may answer anything.
        let text = String(decoding: answer.content.prefix { $0 != 0x0A }, as: UTF8.self)
        if text.hasPrefix("\(answer.status) "), text.contains("the admin API") {
            return DisplayText.escaped(text, limit: 500)
        }
        return """
            expected the admin API of a mock server at \(address.text), found status \(answer.status); check the URL, and \
            that the server does not run with --no-admin
            """
    }

    private func failure(_ text: String) -> ExitCode {
        Report.failure(text)
        return ExitCode(1)
    }
}

extension JSONTree {
    /// The string, if the value is one.
    var text: String? {
        if case .string(let text) = self { text } else { nil }
    }

    /// The integer, if the value is one.
    var integer: Int? {
        if case .number(let number) = self { Int(number.spelling) } else { nil }
    }
}
