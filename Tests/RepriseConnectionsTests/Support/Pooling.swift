// SPDX-License-Identifier: Apache-2.0
import RepriseIO
import RepriseTestSupport

@testable import RepriseConnections

/// Runs `body` with a pool, and shuts the pool down afterward.
func withPool<Result>(
    _ change: (inout ConnectionPool.Configuration) -> Void = { _ in },
    _ body: (ConnectionPool) async throws -> Result
) async throws -> Result {
    var configuration = ConnectionPool.Configuration()
    // A busy machine must not fail a test. Tests of this limit set it themselves.
    configuration.connectTimeout = .seconds(180)
    change(&configuration)
    let pool = ConnectionPool(configuration)
    do {
        let result = try await body(pool)
        await pool.shutDown()
        return result
    } catch {
        await pool.shutDown()
        throw error
    }
}

extension ScriptedServer {
    var origin: Origin { Origin(isSecure: false, host: "127.0.0.1", port: UInt16(port)) }
}

extension OutgoingRequest {
    static func get(_ target: String = "/", from server: ScriptedServer) -> OutgoingRequest {
        OutgoingRequest("GET", target, at: server.origin)
    }

    static func post(_ body: OutgoingBody, to server: ScriptedServer, _ fields: [Field] = []) -> OutgoingRequest {
        OutgoingRequest("POST", "/", at: server.origin, fields: fields, body: body)
    }
}

extension IncomingResponse {
    var status: Int { head.status }

    /// The complete body.
    func collect() async throws -> IncomingBody.WholeBody {
        switch body {
        case .whole(let body): return body
        case .stream(let stream): return try await stream.collect()
        }
    }

    /// The content as text.
    func text() async throws -> String {
        String(decoding: try await collect().content, as: UTF8.self)
    }

    /// The body as a stream; nil if it arrived whole with its head.
    var stream: BodyStream? {
        if case .stream(let stream) = body { stream } else { nil }
    }
}

extension BodyStream {
    /// The rest of the body, with the parts of each chunk joined.
    func collect() async throws -> IncomingBody.WholeBody {
        var body = IncomingBody.WholeBody()
        var chunk = 0
        while let piece = try await next() {
            switch piece {
            case .trailers(let lines): body.trailers = lines
            case .content(let bytes, let endsChunk):
                body.content += bytes
                chunk += bytes.count
                if endsChunk {
                    body.chunkSizes.append(chunk)
                    chunk = 0
                }
            }
        }
        return body
    }
}

extension ConnectionError {
    /// The kind without its associated values.
    var name: String {
        let text = "\(kind)"
        return String(text.prefix { $0 != "(" })
    }
}

/// The error that `body` throws; nil if it throws none.
func connectionError<Result>(_ body: () async throws -> Result) async -> ConnectionError? {
    do {
        _ = try await body()
        return nil
    } catch {
        return error as? ConnectionError
    }
}

extension ConnectionPool {
    /// Whether another request reuses `connection`.
    func idleConnectionIsUsed(at server: ScriptedServer, _ connection: RawClient) async throws -> Bool {
        async let response = send(.get("/again", from: server))
        let request = try await connection.read(until: "\r\n\r\n").text
        try await connection.send("HTTP/1.1 204 No Content\r\n\r\n")
        let isReused = try await response.timings.isReused
        return request.hasPrefix("GET /again ") && isReused
    }
}
