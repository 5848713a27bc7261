// SPDX-License-Identifier: Apache-2.0

import RepriseLocking
import RepriseTestSupport

@testable import Reprise

extension ZTAPIParityTests {
    /// A server on a real socket, and what it was asked.
    struct Site: Sendable {
        private let server: ScriptedServer
        private let log: Locked<[RawRequest]>

        /// What was asked, in the order in which it was complete.
        var requests: [RawRequest] { log.withLock { $0 } }
        var url: String { "http://127.0.0.1:\(server.port)" }

        /// Starts one.
        ///
        /// - Parameter answer: makes the response to a request; its number is from 1 on.
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

        /// A client that talks to it.
        ///
        /// - Parameters:
        ///   - transport: what it talks through; nil for a live one of its own.
        ///   - configuration: what it has besides a guard against hanging.
        func client(
            through transport: (any Transport)? = nil,
            _ configuration: Client.Configuration = .init()
        ) -> Client {
            var configuration = configuration
            configuration.timeout = .seconds(180)
            let way = Way(transport: transport ?? Self.live(), site: self)
            return Client(url, transport: way, configuration: configuration)
        }

        /// The way to a server, which is there for as long as someone may go it.
        private struct Way: Transport {
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

        /// A live transport that waits for a machine under load.
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
