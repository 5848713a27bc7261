// SPDX-License-Identifier: Apache-2.0

import RepriseConnections
import RepriseIO

/// Sends one request to a running server, on its own connection.
enum ServerCall {
    /// An answer with its whole content.
    struct Answer {
        var head: IncomingHead
        var content: [UInt8]

        var status: Int { head.status }
        var statusLine: String { String(decoding: head.statusLine, as: UTF8.self) }
    }

    /// - Parameters:
    ///   - tls: The TLS settings for an https server.
    ///   - limit: The longest time until the answer is complete.
    static func send(
        _ request: OutgoingRequest,
        tls: TLSClientConfiguration,
        limit: Duration
    ) async throws(ConnectionError) -> Answer {
        var configuration = ConnectionPool.Configuration()
        configuration.tls = tls
        let pool = ConnectionPool(configuration)
        var request = request
        request.connectTimeout = limit
        request.totalTimeout = limit
        let result: Result<Answer, ConnectionError>
        do throws(ConnectionError) {
            result = .success(try await answer(request, pool))
        } catch {
            result = .failure(error)
        }
        await pool.shutDown()
        return try result.get()
    }

    private static func answer(
        _ request: OutgoingRequest,
        _ pool: ConnectionPool
    ) async throws(ConnectionError) -> Answer {
        let response = try await pool.send(request)
        var answer = Answer(head: response.head, content: [])
        switch response.body {
        case .whole(let body): answer.content = body.content
        case .stream(let stream):
            while let piece = try await stream.next() {
                if case .content(let bytes, _) = piece { answer.content += bytes }
            }
        }
        return answer
    }
}
