// SPDX-License-Identifier: Apache-2.0

import RepriseLocking

@testable import Reprise

/// A transport that answers GET requests for a film, with ranges, and that can break off.
final class FilmServer: Transport {
    struct State {
        var film = Array("0123456789".utf8)
        var fields: HTTPFields = [.eTag: "\"1\""]
        /// The number of bytes to send before the next responses break off.
        var breaks: [Int] = []
        /// Replaces the response to a request with a range.
        var rangeResponse: (@Sendable (_ start: Int) -> Response)?
        var requests: [HTTPRequest] = []
    }

    let state: Locked<State>

    init(breaks: [Int] = [], fields: HTTPFields = [.eTag: "\"1\""]) {
        state = Locked(State(fields: fields, breaks: breaks))
    }

    var requests: [HTTPRequest] { state.withLock { $0.requests } }
    var ranges: [String?] { requests.map { $0.headerFields[.range] } }

    func send(_ request: HTTPRequest, body: Body?, options: RequestOptions) async throws(TransportError) -> Response {
        state.withLock { state in
            state.requests.append(request)
            let range = request.headerFields[.range].flatMap { Int($0.dropFirst(6).dropLast()) }
            if let range, let response = state.rangeResponse { return response(range) }
            let isCurrent = request.headerFields[.ifRange] == state.fields[.eTag] ?? state.fields[.lastModified]
            let start = isCurrent ? range ?? 0 : 0
            var head = HTTPResponse(status: start > 0 ? .partialContent : .ok, headerFields: state.fields)
            let total = state.film.count
            if start > 0 { head.headerFields[.contentRange] = "bytes \(start)-\(total - 1)/\(total)" }
            let rest = Array(state.film[start...])
            guard let limit = state.breaks.first else { return Response(head, body: Body(rest)) }
            state.breaks.removeFirst()
            let parts = rest.prefix(limit).map { Body.Part.bytes([$0], endsChunk: true) }
            let source = ScriptedSource(parts, failing: TransportError(.reset, "the connection was closed"))
            return Response(head, body: Body(source, length: rest.count))
        }
    }
}
