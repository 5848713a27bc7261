// SPDX-License-Identifier: Apache-2.0

internal import RepriseText
internal import RepriseWire

/// Decides what the bytes that a client receives on a connection mean. It uses only values: no socket, no clock, and no
/// loop.
///
/// ```
/// idle -> head -> body -> idle       the connection can be used again
///   |       |       |---> uploading  the rest of the request is still being sent, then idle
///   |       |       |---> closed     it cannot
///   `-------`-------`---> closed     the server is at fault, or gone
/// ```
///
/// Start a request with ``begin(_:)`` and pass received bytes to ``receive(_:from:)``, which returns one event after
/// another. The response does not depend on how the bytes are split. The request's body is sent independently; see
/// ``Upload``.
struct ClientConnectionStateMachine {
    /// The phase of the response.
    enum Phase: Equatable {
        /// No request has been sent and no bytes are expected.
        case idle
        /// A response head is expected or has begun.
        case head
        /// The body is being received.
        case body
        /// The response is complete, but the request is not.
        case uploading
        /// The connection accepts no more requests.
        case closed
    }

    /// The state of the request's body.
    enum Upload: Equatable {
        /// The body waits for `100 Continue` (RFC 9110 section 10.1.1).
        case awaitsContinue
        /// The body is being sent.
        case open
        /// The request has been sent completely.
        case complete
        /// The response arrived first and made the body unnecessary (RFC 9112 section 9.5). No more of it is sent.
        case abandoned
    }

    /// An event in the input.
    enum Event {
        /// All input has been consumed.
        case needsMore
        /// An interim response (RFC 9110 section 15.2). Another head follows.
        case interim(IncomingHead, consumed: Int)
        /// The head of the final response.
        case head(IncomingHead, consumed: Int)
        /// A part of the body.
        case content(Range<Int>, endsChunk: Bool)
        /// The response is complete, with these trailer lines. If the connection can be reused, it is now idle.
        case complete(trailers: [[UInt8]])
        /// The server violated the protocol. Do not use the bytes that follow.
        case failed(Fault)
    }

    /// A protocol violation by a server.
    enum Fault: Error, Equatable {
        case malformed(ParsingError)
        /// The server sent more interim responses than the limit.
        case interimFlood
        /// The server sent 101, which the request did not ask for (RFC 9110 section 15.2.2).
        case unexpectedUpgrade
        /// The server sent bytes that belong to no request.
        case unsolicited
    }

    /// The meaning of the connection's end.
    enum Ending: Equatable {
        /// There was no request, so nothing was lost.
        case idle
        /// No byte of a response was received, so the request may be sent again over another connection.
        case unanswered
        /// A part of the response is missing.
        case truncated
        /// The response was delimited by the end of the connection and is complete.
        case complete
    }

    private(set) var phase = Phase.idle
    private(set) var upload = Upload.complete
    /// Whether a byte has been received since the last request, including one of an interim response.
    private(set) var hasResponseBegun = false
    private(set) var framing = ResponseBodyFraming.none
    /// The number of bytes left in the current chunk.
    private(set) var leftOfChunk = 0
    var bodyRepairs: ResponseRepairs { decoder.repairs }

    private let maximumInterimResponses: Int
    private let repairs: Bool
    private var parser: ResponseParser
    private var decoder = BodyDecoder(response: .none, limit: .max)
    private var traits = RequestTraits()
    /// The start of a head that is still incomplete.
    private var partialHead: [UInt8] = []
    private var interimResponses = 0
    private var isKeepAlive = true

    init(configuration: ConnectionPool.Configuration = ConnectionPool.Configuration()) {
        repairs = configuration.repairsResponses
        parser = ResponseParser(limits: configuration.responseLimits, repairs: repairs)
        maximumInterimResponses = configuration.maximumInterimResponses
    }

    /// Starts a request. Only in the phase `idle`.
    mutating func begin(_ traits: RequestTraits) {
        precondition(phase == .idle, "only one request at a time")
        self.traits = traits
        phase = .head
        upload = traits.awaitsContinue ? .awaitsContinue : .open
        hasResponseBegun = false
        interimResponses = 0
    }

    /// Returns the next event in `input`, starting at `offset`.
    mutating func receive(_ input: Span<UInt8>, from offset: Int) -> Event {
        do throws(Fault) {
            switch phase {
            case .head: return try receiveHead(input, from: offset)
            case .body: return try receiveBody(input, from: offset)
            case .idle where offset < input.count, .uploading where offset < input.count: throw .unsolicited
            case .idle, .uploading, .closed: return .needsMore
            }
        } catch {
            phase = .closed
            return .failed(error)
        }
    }

    /// Handles the end of the connection.
    ///
    /// - Parameter isClean: Whether the server ended the connection deliberately, with FIN and, over TLS, a closure
    ///   alert.
    mutating func end(isClean: Bool) -> Ending {
        defer { phase = .closed }
        switch phase {
        case .idle, .closed: return .idle
        case .uploading: return .complete
        case .head: return hasResponseBegun ? .truncated : .unanswered
        case .body:
            let isComplete: Bool
            do throws(ParsingError) {
                try decoder.endOfInput()
                isComplete = isClean
            } catch {
                isComplete = false
            }
            return isComplete ? .complete : .truncated
        }
    }

    /// The number of bytes left in the body, or nil if the head does not specify it.
    var remainingLength: Int? {
        if case .length(let length) = framing { length - decoder.received } else { nil }
    }

    // MARK: The request's body

    /// Releases the body if it is waiting for `100 Continue`.
    mutating func releaseUpload() {
        if upload == .awaitsContinue { upload = .open }
    }

    /// Records that the whole request has been passed to the system.
    mutating func uploadIsComplete() {
        guard upload == .open else { return }
        upload = .complete
        if phase == .uploading { phase = .idle }
    }

    /// Stops the upload because the connection accepts no more bytes. A response may still have arrived.
    mutating func abandonUpload() {
        guard upload != .complete else { return }
        upload = .abandoned
        if phase == .uploading { phase = .closed }
    }
}

// MARK: - Heads

extension ClientConnectionStateMachine {
    private mutating func receiveHead(_ input: Span<UInt8>, from offset: Int) throws(Fault) -> Event {
        guard offset < input.count else { return .needsMore }
        hasResponseBegun = true
        let message = input.extracting(offset..<input.count)
        guard partialHead.isEmpty else { return try receiveRestOfHead(message, at: offset) }
        guard try parse(message) else {
            partialHead.append(bytes: message)
            return .needsMore
        }
        return try finishHead(message, consumed: offset + parser.receivedLength)
    }

    private mutating func receiveRestOfHead(_ rest: Span<UInt8>, at offset: Int) throws(Fault) -> Event {
        let known = partialHead.count
        partialHead.append(bytes: rest)
        let message = partialHead[...]
        guard try parse(message.span) else { return .needsMore }
        partialHead = []
        return try finishHead(message.span, consumed: offset + parser.receivedLength - known)
    }

    private mutating func parse(_ message: Span<UInt8>) throws(Fault) -> Bool {
        do throws(ParsingError) {
            return try parser.parseHead(message, answering: traits.kind)
        } catch {
            throw .malformed(error)
        }
    }

    /// Handles the complete head at the start of `message`.
    private mutating func finishHead(_ message: Span<UInt8>, consumed: Int) throws(Fault) -> Event {
        defer { parser.reset() }
        let received = IncomingHead(
            parser.head,
            bytes: parser.repaired?.bytes ?? [UInt8](bytes: message.extracting(0..<parser.head.length)),
            repairs: parser.repaired?.repairs ?? []
        )
        let status = parser.head.status
        if parser.head.isInterim {
            interimResponses += 1
            if interimResponses > maximumInterimResponses { throw .interimFlood }
            if status == 100 { releaseUpload() }
            return .interim(received, consumed: consumed)
        }
        if status == 101, !traits.asksForUpgrade { throw .unexpectedUpgrade }
        // Send no more to a server that may have stopped reading. After an early 2xx, it probably keeps reading.
        if status >= 300 || upload == .awaitsContinue { abandonUpload() }
        framing = parser.head.body
        isKeepAlive = parser.head.isKeepAlive && traits.isKeepAlive
        decoder = BodyDecoder(response: framing, limit: .max, repairs: repairs)
        phase = .body
        return .head(received, consumed: consumed)
    }
}

// MARK: - Bodies

extension ClientConnectionStateMachine {
    private mutating func receiveBody(_ input: Span<UInt8>, from start: Int) throws(Fault) -> Event {
        var offset = start
        while true {
            let event: BodyEvent
            do throws(ParsingError) {
                event = try decoder.decode(input, from: offset)
            } catch {
                throw .malformed(error)
            }
            offset = event.consumedTo
            switch event {
            case .chunkStart(let size, _): leftOfChunk = size
            case .chunkEnd: break
            case .data(let range):
                guard framing == .chunked else { return .content(range, endsChunk: true) }
                leftOfChunk -= range.count
                return .content(range, endsChunk: leftOfChunk == 0)
            case .end: return complete(hasMore: offset < input.count)
            case .needsMore: return .needsMore
            }
        }
    }

    /// RFC 9112 section 9.3: bytes that follow a response without another request are not the next response.
    private mutating func complete(hasMore: Bool) -> Event {
        switch upload {
        case .complete where isKeepAlive && !hasMore: phase = .idle
        // A server that keeps the connection open reads the whole request. Closing it would cut off the content of a
        // request that succeeded.
        case .open where isKeepAlive && !hasMore: phase = .uploading
        default: phase = .closed
        }
        return .complete(trailers: framing == .chunked ? decoder.trailers.lines : [])
    }
}
