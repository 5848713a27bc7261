// SPDX-License-Identifier: Apache-2.0

import RepriseLocking
import RepriseTestSupport

@testable import Reprise

extension ZTAPIParityTests {
    /// A server on a real socket that records its requests.
    struct Site: Sendable {
        private let server: ScriptedServer
        private let log: Locked<[RawRequest]>

        /// The requests, in the order in which they were complete.
        var requests: [RawRequest] { log.withLock { $0 } }
        var url: String { "http://127.0.0.1:\(server.port)" }

        /// Starts a server.
        ///
        /// - Parameter answer: Returns the response to a request. Requests are numbered from 1.
        static func start(
            _ answer: @escaping @Sendable (_ request: RawRequest, _ number: Int) -> String
        ) async throws -> Site {
            let log = Locked<[RawRequest]>([])
            let server = try await ScriptedServer.answering { request in
                let number = log.withLock { log in
                    log.append(request)
                    return log.count
                }
                return answer(request, number)
            }
            return Site(server: server, log: log)
        }

        /// A client of this server.
        ///
        /// - Parameters:
        ///   - transport: The transport; nil creates a live one.
        ///   - configuration: The configuration. Its timeout is replaced by a guard against hanging.
        func client(
            through transport: (any Transport)? = nil,
            _ configuration: Client.Configuration = .init()
        ) -> Client {
            var configuration = configuration
            configuration.timeout = .seconds(180)
            let retaining = RetainingTransport(transport: transport ?? Self.live(), site: self)
            return Client(url, transport: retaining, configuration: configuration)
        }

        /// Keeps the server alive as long as the client.
        private struct RetainingTransport: Transport {
            let transport: any Transport
            let site: Site

            var enforcesTimeout: Bool { transport.enforcesTimeout }

            func send(
                _ request: HTTPRequest,
                body: Body?,
                options: RequestOptions
            ) async throws(TransportError) -> Response {
                try await transport.send(request, body: body, options: options)
            }
        }

        /// A live transport that tolerates a machine under load.
        static func live() -> any Transport {
            #if os(Linux)
                SocketTransport(.init(proxies: .none, connectTimeout: .seconds(180)))
            #else
                URLSessionTransport()
            #endif
        }

        /// A response as it goes over the wire.
        static func response(_ status: String = "200 OK", _ fields: String = "", _ body: String = "") -> String {
            "HTTP/1.1 \(status)\r\n\(fields)Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
        }

        /// JSON as it goes over the wire.
        static func json(_ text: String) -> String {
            response("200 OK", "Content-Type: application/json\r\n", text)
        }
    }
}
