// SPDX-License-Identifier: Apache-2.0

internal import RepriseAnswers
internal import RepriseFixtures
internal import RepriseStubAnswers
internal import RepriseText
internal import RepriseWire

/// What answers one request, independent of the protocol.
enum Reply: Sendable {
    /// The answer of a fixture or stub, by its number in `answers`.
    case fixture(JournalRing.Answer, of: EncodedAnswers, ReplyDelay = .own)
    /// An answer that was made for this request.
    case plan(ResponsePlan, JournalRing.Answer, PlanTraits = PlanTraits())
    /// An answer of the server's own.
    case response(ServerResponse, isMiss: Bool = false)
    /// The answer of another server.
    case forwarded(AnsweringServer)
    /// No answer, because finding it takes longer than a loop may be held up. The request has to be answered with
    /// another ``WorkLimit``, on another thread. `turn` is the turn of a stub that was taken already, if its answer
    /// takes that long.
    case unfinished(turn: StubLookup.Turn?)

    /// The delay, date, files, and server of a plan.
    struct PlanTraits: Sendable {
        var delay = ReplyDelay.own
        /// Whether a Date line is added if the head has none.
        var isDated = false
        /// The files whose versions the head describes, if the plan does not send them.
        var describedFiles: [FileSource] = []
        /// The name of the server, or the path of the file, that answers, for the request log; nil for this server.
        var server: String?
    }

    /// The answer for the journal.
    var played: JournalRing.Answer {
        switch self {
        case .fixture(let played, _, _), .plan(_, let played, _): played
        case .response(_, isMiss: true): .miss
        case .response(let response, _): .none(status: response.status)
        case .forwarded, .unfinished: .none(status: 0)
        }
    }

    /// The fixture or stub that was matched, even if its answer comes from another server.
    var answering: JournalRing.Answer {
        if case .forwarded(.stub(_, _, let played)) = self { played } else { played }
    }

    /// The name of the server, or the path of the file, that answers; nil for this server.
    var server: String? {
        if case .plan(_, _, let traits) = self { traits.server } else { nil }
    }

    /// Returns the files that must be open before the head is sent.
    func files(forHead request: IncomingRequest) -> [FileSource] {
        let (plan, files): (ResponsePlan, [FileSource])
        switch self {
        case .fixture(let played, let answers, _):
            if answers.isImmediate(played.fixture) { return [] }
            (plan, files) = (answers.plans[played.fixture], answers.files(of: played.fixture))
        case .plan(let made, _, let traits):
            (plan, files) = (made, made.files + traits.describedFiles)
        case .response, .forwarded, .unfinished:
            return []
        }
        // An answer without content needs only the files that its head describes.
        return files.isEmpty || plan.framing != .none && !request.isHead ? files : files.filter { $0.version != nil }
    }
}

/// The delay before the head of an answer.
struct ReplyDelay: Sendable, Equatable {
    /// The nanoseconds to wait instead of the latency of the answer itself; nil for that latency.
    var replacement: UInt64?
    /// The nanoseconds to wait in addition.
    var further: UInt64 = 0

    /// Only the latency of the answer itself.
    static let own = ReplyDelay()
}

/// The other server that answers a request.
enum AnsweringServer: Sendable {
    case upstream
    /// The server that a request through the proxy names.
    case origin
    /// A server that answers instead of a stub.
    case stub(StubProxy.Target, delay: UInt64, JournalRing.Answer)
}

/// An answer that comes from the server itself and not from a fixture: to a miss, an invalid request, or a preflight
/// request.
struct ServerResponse {
    var status: Int
    var reason: String
    var headers: [HeaderLine] = []
    var contentType = "text/plain; charset=utf-8"
    var content: [UInt8] = []
    /// Whether this answers a preflight request. If so, `headers` already contains all cross-origin lines.
    var isPreflight = false

    /// Returns the answer to an invalid request.
    static func refusal(_ error: ParsingError) -> ServerResponse {
        refusal(status: error.status, because: error.reason)
    }

    /// The answer to a request that did not arrive in time (RFC 9110 section 15.5.9).
    static let tooSlow = refusal(status: 408, because: "the request did not arrive in time")

    /// The answer to a request with more content than can be held in memory (RFC 9110 section 15.5.14).
    static let tooLarge = refusal(status: 413, because: "the body is larger than the limit")

    /// Returns the answer to a request whose body the server has no memory for at the moment (RFC 9110 section 15.6.4).
    static func overloaded(_ limit: Int) -> ServerResponse {
        var response = refusal(
            status: 503,
            because: "the bodies of all requests in progress are larger than \(limit) bytes together; try again, or "
                + "raise --body-bytes"
        )
        response.headers = [HeaderLine(name: "Retry-After", value: "1")]
        return response
    }

    /// The answer to a plain HTTP request on a port that serves HTTPS.
    static let plainHTTP = refusal(
        status: 400,
        because: "expected a TLS handshake, found plain HTTP; use https:// in the URL"
    )

    /// The answer to CONNECT that no fixture answers (RFC 9110 section 9.3.6).
    static let noTunnel = refusal(
        status: 501,
        because: """
            this server is not a forward proxy; start it with --proxy, or set it as the client's base URL instead of \
            its proxy
            """
    )

    /// The answer to a WebSocket handshake that no fixture answers (RFC 6455 section 4.2.2).
    static let noWebSocket = refusal(
        status: 501,
        because: """
            WebSocket is not supported yet; connect the client to the real server for it, or let the client fall back \
            to HTTP, such as server-sent events or long polling
            """
    )

    /// Returns the answer to a request for which the upstream gave no response (RFC 9110 section 15.6.3).
    static func noResponse(_ reason: String) -> ServerResponse {
        refusal(status: 502, because: "mockserver got no response. \(reason)")
    }

    /// Returns the answer to a request that is not forwarded (RFC 9110 section 15.6.3).
    static func notForwarded(_ reason: String) -> ServerResponse {
        refusal(status: 502, because: reason)
    }

    /// Returns an answer that says why a request gets no other one.
    static func refusal(status: Int, because reason: String) -> ServerResponse {
        let phrase = ReasonPhrase.standard(for: status)
        return ServerResponse(
            status: status,
            reason: phrase,
            content: Array("\(status) \(phrase): \(reason)\n".utf8)
        )
    }

    /// Returns the answer to an OPTIONS request that no fixture answers (RFC 9110 section 9.3.7).
    static func allowing(_ methods: [String]) -> ServerResponse {
        ServerResponse(
            status: 204,
            reason: "No Content",
            headers: [HeaderLine(name: "Allow", value: methods.joined(separator: ", "))]
        )
    }

    /// Returns the response for a client that uses HTTP/1.1 and keeps its connection open. The bytes are the same as
    /// those of ``plan`` but are built directly, because misses can be as frequent as hits.
    ///
    /// - Parameter date: The Date line with CR LF.
    func bytes(date: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(160 + content.count)
        ResponseHeadEncoder.appendStatusLine(status: status, reason: reason, to: &bytes)
        for line in headers { ResponseHeadEncoder.appendFieldLine(line.bytes, to: &bytes) }
        ResponseHeadEncoder.appendField(name: "Content-Type", value: contentType, to: &bytes)
        ResponseHeadEncoder.appendField(name: "Content-Length", value: content.count, to: &bytes)
        bytes += date
        ResponseHeadEncoder.appendEndOfHead(to: &bytes)
        bytes += content
        return bytes
    }

    /// The response as a plan, so that it is written like any other response.
    var plan: ResponsePlan {
        var lines = headers
        let hasContent = status != 204 && status != 304
        if hasContent {
            lines.append(HeaderLine(name: "Content-Type", value: contentType))
            lines.append(HeaderLine(name: "Content-Length", value: String(content.count)))
        }
        var steps: [ResponsePlan.Step] = [.head(ResponseHead(status: status, reason: reason, headers: lines))]
        if hasContent, !content.isEmpty { steps.append(.bytes(.bytes(content))) }
        steps.append(.end(.complete))
        return ResponsePlan(steps: steps, framing: hasContent ? .contentLength : .none)
    }
}
