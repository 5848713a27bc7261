// SPDX-License-Identifier: Apache-2.0

internal import Reprise
internal import RepriseLocking
internal import RepriseRecording
internal import RepriseText

/// One exchange that passes through a recording transport.
final class RecordedExchange: Sendable {
    private let recording: ExchangeRecording
    let name: String
    private let start: ContinuousClock.Instant
    private let note: @Sendable (String) -> Void
    private let sent = Locked(SentBody())

    /// How much of a request's body was recorded. A body may be sent again, on another connection.
    private struct SentBody {
        var count = 0
        var isOver = false
    }

    init(
        _ request: HTTPRequest,
        _ body: Body?,
        recorder: CassetteRecorder,
        since start: ContinuousClock.Instant,
        note: @escaping @Sendable (String) -> Void
    ) {
        self.start = start
        self.note = note
        name = "\(request.method) \(request.shownURL)"
        recording = recorder.begin(request.recorded(), at: start.duration(to: .now))
        // Transports never request a chunk of a body that is known to be empty.
        if body == nil || body?.length == 0 { endRequest() }
    }

    var isRunning: Bool { recording.isRunning }

    private var now: Duration { start.duration(to: .now) }

    // MARK: The request

    /// Returns the request's body, recording it as it is read.
    func tee(_ body: Body?) -> Body? {
        guard let body else { return nil }
        guard !body.isInMemory else {
            // The transport sends the body with its length, as it does without a recording.
            for case .bytes(let bytes, _) in body.partsInMemory { recording.requestBytes(bytes) }
            endRequest()
            return body
        }
        return Body(SentChunks(body: body, exchange: self), length: body.length, isReplayable: body.isReplayable)
    }

    /// Records a chunk that starts at `offset`, except for bytes that were sent before.
    ///
    /// - Parameter length: The length of the whole body, if known. A transport that knows the length might not read
    ///   the end of the body.
    fileprivate func sent(_ chunk: [UInt8], at offset: Int, of length: Int?) {
        let known = sent.withLock { sent in
            defer { sent.count = max(sent.count, offset + chunk.count) }
            return sent.count
        }
        let new = known > offset ? Array(chunk.dropFirst(known - offset)) : chunk
        if !new.isEmpty { recording.requestBytes(new) }
        if let length, offset + chunk.count >= length { endRequest() }
    }

    fileprivate func endRequest() {
        let isFirst = sent.withLock { sent in
            defer { sent.isOver = true }
            return !sent.isOver
        }
        if isFirst { recording.requestEnd(at: now) }
    }

    // MARK: The response

    /// Returns the response, recording its body as it is read.
    func tee(_ response: Response) -> Response {
        let head = RecordedHead(response)
        recording.head(
            status: head.status,
            reasonBytes: head.reason,
            httpVersion: head.httpVersion,
            headers: head.lines,
            at: now
        )
        if head.lostLines > 0 { note("\(name): \(head.lostLines) invalid header lines were not recorded") }
        var response = response
        guard response.body.isInMemory else {
            response.body = response.body.observed { [self] event in
                switch event {
                case .part(let part): received(part)
                case .complete: recording.end(.complete, at: now)
                case .failed(let error): breakOff(error)
                case .canceled: recording.end(.cancelled, at: now)
                }
            }
            return response
        }
        for part in response.body.partsInMemory { received(part) }
        recording.end(.complete, at: now)
        response.body = response.body.readOnce()
        return response
    }

    private func received(_ part: Body.Part) {
        switch part {
        case .bytes(let bytes, let endsChunk):
            recording.bytes(bytes, endsChunk: endsChunk, at: now)
        case .trailers(let lines):
            recording.trailers(lines.compactMap(HeaderLine.init(bytes:)))
        }
    }

    /// Records a body that ended before it was complete.
    private func breakOff(_ error: TransportError) {
        switch error.code {
        case .truncated: recording.end(.truncated, at: now)
        case .timedOut: recording.end(.timedOut, at: now)
        case .cancelled: recording.end(.cancelled, at: now)
        case .reset: recording.end(.reset, at: now)
        default:
            note("\(name): the body ended with \(error.code), which is recorded as a reset")
            recording.end(.reset, at: now)
        }
    }

    func fail(_ error: TransportError) {
        // A transport that does not enforce timeouts is canceled when the request's timeout has passed.
        let isTimeout = error.code == .cancelled && RequestExpiry.current?.isReached ?? false
        let code = isTimeout ? .timedOut : error.code
        if code == .cancelled, sent.withLock({ $0.isOver }) { return recording.fail(.cancelled, at: now) }
        guard let failure = Failure(code) else {
            note("\(name): not recorded, because it ended with \(code)")
            recording.discard()
            return
        }
        recording.fail(failure, at: now)
    }
}

extension Failure {
    /// Creates the failure to record for a transport's error; nil if the error says nothing about the server.
    fileprivate init?(_ code: TransportError.Code) {
        switch code {
        case .connectionRefused: self = .connectionRefused
        case .reset, .truncated: self = .connectionLost
        case .timedOut: self = .timedOut
        case .nameNotResolved: self = .dns
        case .tls: self = .tls
        default: return nil
        }
    }
}

/// The chunks of a request's body, recorded as they are read.
private struct SentChunks: AsyncSequence, Sendable {
    typealias Element = [UInt8]

    let body: Body
    let exchange: RecordedExchange

    func makeAsyncIterator() -> Iterator {
        Iterator(chunks: body.makeAsyncIterator(), exchange: exchange, length: body.length)
    }

    struct Iterator: AsyncIteratorProtocol {
        var chunks: Body.AsyncIterator
        let exchange: RecordedExchange
        let length: Int?
        var offset = 0

        @concurrent
        mutating func next() async throws -> [UInt8]? {
            guard let chunk = try await chunks.next() else {
                exchange.endRequest()
                return nil
            }
            exchange.sent(chunk, at: offset, of: length)
            offset += chunk.count
            return chunk
        }
    }
}
