// SPDX-License-Identifier: Apache-2.0

import Reprise
import RepriseLocking

/// A transport that answers with a closure and records its requests.
final class ClosureTransport: Transport {
    typealias Answer = @Sendable (HTTPRequest, Body?, RequestOptions) async throws(TransportError) -> Response

    let enforcesTimeout: Bool
    private let answer: Answer
    private let log = Locked<[(head: HTTPRequest, body: Body?, options: RequestOptions)]>([])

    init(enforcesTimeout: Bool = true, _ answer: @escaping Answer) {
        self.enforcesTimeout = enforcesTimeout
        self.answer = answer
    }

    /// Creates a transport that answers all requests with this response.
    convenience init(
        _ status: HTTPResponse.Status = .ok,
        headers: HTTPFields = [:],
        body: Body = .empty,
        enforcesTimeout: Bool = true
    ) {
        self.init(enforcesTimeout: enforcesTimeout) { _, _, _ in
            Response(HTTPResponse(status: status, headerFields: headers), body: body)
        }
    }

    func send(
        _ request: HTTPRequest,
        body: Body?,
        options: RequestOptions
    ) async throws(TransportError) -> Response {
        log.withLock { $0.append((request, body, options)) }
        return try await answer(request, body, options)
    }

    var requests: [HTTPRequest] { log.withLock { $0.map(\.head) } }
    var bodies: [Body?] { log.withLock { $0.map(\.body) } }
    var options: [RequestOptions] { log.withLock { $0.map(\.options) } }
}
