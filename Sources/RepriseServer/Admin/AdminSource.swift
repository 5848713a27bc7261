// SPDX-License-Identifier: Apache-2.0

internal import RepriseAdmin
internal import RepriseAnswers
internal import RepriseIO
internal import RepriseText
internal import RepriseWire

/// Answers one request to the admin API: checks access, collects the content, lets the API answer off the loop, and
/// sends large answers in pieces, so that other connections of the loop don't wait. Used only on its loop's thread.
final class AdminSource {
    private let gate: AdminGate
    private let worker: LoopState
    private let peer: String
    private let session: SessionID?
    private var sink: (any ResponseSink)?
    private var request: AdminRequest?
    private var content: [UInt8] = []
    /// The part of the memory for bodies that the content takes.
    private let share: MemoryBudget.Share
    private var answer: AdminResponse?
    /// The part of the memory for answers that a large one takes.
    private var answerShare: MemoryBudget.Share?
    /// The stream of events that is being sent; nil for other requests.
    private var events: EventStream?
    /// The number of pieces of the answer that were passed on.
    private var sent = 0
    /// The place among the answers without an end; nil for other answers.
    private var place: MemoryBudget.Share?
    private var task: Task<Void, Never>?
    /// Whether ``send()`` is on the call stack.
    private var isSending = false

    /// The number of pieces to send before the loop does other work.
    private static let burst = 4

    /// - Parameter session: The session that the request belongs to.
    init(_ gate: AdminGate, on worker: LoopState, peer: String, session: SessionID? = nil) {
        self.session = session
        self.gate = gate
        self.worker = worker
        self.peer = peer
        share = MemoryBudget.Share(of: worker.bodies)
    }
}

extension AdminSource: ResponseSource {
    var name: String { "admin API" }
    var isAdministrative: Bool { true }
    var endsWithClient: Bool { place != nil }

    func start(_ incoming: IncomingRequest, for sink: any ResponseSink) {
        let (bytes, head) = (incoming.bytes, incoming.head)
        worker.adoptChanges()
        let caller = AdminAccess.Caller(peer: peer, bytes, head)
        if let refusal = gate.access.refusal(of: caller, servesForeignPages: worker.state.servesForeignPages) {
            return sink.respond(with: refusal.response)
        }
        var target = bytes.text(head.path.dropFirst(AdminGate.path.count))
        if let query = head.query { target += "?" + bytes.text(query) }
        let request = AdminRequest(method: bytes.text(head.method), target: target, session: session)
        do throws(AdminFailure) {
            if EventStream.isTarget(bytes, head), let api = gate.current {
                return try begin(eventsFor: request, of: api.control, sink)
            }
            if AdminAPI.waits(request) { place = try gate.takePlace() }
        } catch {
            return sink.respond(with: ServerResponse(error.response))
        }
        self.sink = sink
        self.request = request
        self.request?.accept = head.firstField(named: "accept", in: bytes).map { bytes.text($0) }
        if incoming.awaitsContinue { sink.sendContinue() }
        guard !incoming.contentFollows else { return }
        if !incoming.content.isEmpty { take([UInt8](bytes: incoming.content)) }
        contentIsComplete()
    }

    func take(_ content: [UInt8]) {
        guard request != nil else { return }
        let count = self.content.count + content.count
        guard count <= AdminAPI.contentLimit else {
            let detail = "expected at most \(AdminAPI.contentLimit) bytes; send the stubs in several requests"
            return refuse(AdminFailure(413, "Content too large", detail))
        }
        guard share.grow(to: count) else {
            return refuse(
                .overloaded(
                    "expected bodies of at most \(worker.bodies.limit) bytes in all requests in progress, found more; "
                        + "try again, or raise --body-bytes"
                )
            )
        }
        self.content += content
    }

    private func refuse(_ failure: AdminFailure) {
        request = nil
        content = []
        finish(failure.response)
    }

    func contentIsComplete() {
        guard var request else { return }
        self.request = nil
        request.content = content
        content = []
        guard let api = gate.current else { return finish(AdminFailure.unavailable("the server is stopping").response) }
        let source = LoopBound(local: self, on: worker.loop)
        let complete = request
        task = Task {
            let answer = await api.answer(complete)
            await source.run { $0.finish(answer) }
        }
    }

    func outputHasRoom() {
        events?.send()
        send()
    }

    func serverIsStopping() {
        events?.serverIsStopping()
    }

    func abandon() {
        events?.finish()
        // Nobody reads what would still be found.
        task?.cancel()
        sink = nil
        request = nil
        content = []
        answer = nil
    }
}

extension AdminSource {
    private func begin(
        eventsFor request: AdminRequest,
        of control: ServerControl,
        _ sink: any ResponseSink
    ) throws(AdminFailure) {
        let filter = try EventFilter(request)
        if let id = filter.scope?.session, !worker.isOpen(id) {
            throw .notFound(
                "expected an open session, found '\(shown(id.text))'; GET /__admin/reprise/sessions lists them"
            )
        }
        place = try gate.takePlace()
        let events = EventStream(control, among: worker.eventStreams, filter: filter)
        self.events = events
        events.begin(sink, head(of: AdminResponse(contentType: "text/event-stream")))
    }

    private func head(of answer: AdminResponse, _ more: [HeaderLine] = []) -> ResponseHead {
        var lines = answer.lines
        if let type = answer.contentType { lines.append(HeaderLine(name: "Content-Type", value: type)) }
        lines += more
        let date = worker.date.line(at: worker.loop.now())
        if let line = HeaderLine(bytes: Array(date.dropLast(2))) { lines.append(line) }
        let reason = Array(ReasonPhrase.standard(for: answer.status).utf8)
        return ResponseHead(status: answer.status, reasonBytes: reason, headers: lines)
    }
}

// Sending the answer.
extension AdminSource {
    private func finish(_ answer: AdminResponse) {
        guard let sink else { return }
        if answer.content.count <= 1 {
            self.sink = nil
            return sink.respond(with: ServerResponse(answer))
        }
        let length = answer.content.reduce(0) { $0 + $1.count }
        let share = MemoryBudget.Share(of: gate.answers)
        guard share.grow(to: length) else {
            return finish(
                AdminFailure.overloaded(
                    "expected at most \(gate.answers.limit) bytes of unread answers, found more; finish reading "
                        + "earlier answers and try again"
                )
                .response
            )
        }
        answerShare = share
        self.answer = answer
        sink.begin(
            head(of: answer, [HeaderLine(name: "Content-Length", value: "\(length)")]),
            framing: .contentLength
        )
        send()
    }

    /// Passes on pieces until the client must read before more can be sent.
    private func send() {
        guard !isSending, let answer else { return }
        isSending = true
        defer { isSending = false }
        for _ in 0..<Self.burst {
            guard let sink, sink.backlog < OutputBuffer.limit else { return }
            guard sent < answer.content.count else {
                self.sink = nil
                self.answer = nil
                return sink.end(trailers: [])
            }
            let piece = answer.content[sent]
            sent += 1
            sink.append(piece.span, leftOfChunk: 0)
            sink.flush()
        }
        worker.loop.executeLater { self.send() }
    }
}

extension AdminResponse {
    fileprivate var lines: [HeaderLine] {
        [
            HeaderLine(name: "Cache-Control", value: "no-store"),
            HeaderLine(name: "X-Content-Type-Options", value: "nosniff"),
        ] + headers
    }
}

extension ServerResponse {
    fileprivate init(_ answer: AdminResponse) {
        self.init(
            status: answer.status,
            reason: ReasonPhrase.standard(for: answer.status),
            headers: answer.lines
        )
        contentType = answer.contentType ?? contentType
        content = answer.content.first ?? []
        // CORS header fields would let a page of another origin read the answer.
        isPreflight = true
    }
}
