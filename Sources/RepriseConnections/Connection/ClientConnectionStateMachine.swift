// SPDX-License-Identifier: Apache-2.0

internal import RepriseText
internal import RepriseWire

/// What a client's connection makes of what comes in, decided from values alone: no socket, no clock, no loop.
///
/// ```
/// idle -> head -> body -> idle       the connection can be used again
///   |       |       |---> closed     it cannot
///   `-------`-------`---> closed     the server is at fault, or gone
/// ```
///
/// A request goes in by ``begin(_:)``, bytes by ``receive(_:from:)``, which says what they are, event by event, and any
/// split of them gives the same response. The request's body goes out beside that: see ``Upload``.
struct ClientConnectionStateMachine {
    /// Where the response stands.
    enum Phase: Equatable {
        /// Nothing is asked, nothing may come.
        case idle
        /// The head of a response is awaited, or has begun.
        case head
        /// Within the body.
        case body
        /// No more requests.
        case closed
    }

    /// Where the request's body stands.
    enum Upload: Equatable {
        /// It is held back for `100 Continue` (RFC 9110 section 10.1.1).
        case awaitsContinue
        /// It is being sent.
        case open
        /// The request is sent in full.
        case complete
        /// The response came first and made it pointless (RFC 9112 section 9.5): nothing of it is sent any more.
        case abandoned
    }

    /// What the input amounts to.
    enum Event {
        /// All of the input is used up.
        case needsMore
        /// An interim response (RFC 9110 section 15.2), which is for the connection alone.
        case interim(status: Int, consumed: Int)
        /// The head of the final response.
        case head(IncomingHead, consumed: Int)
        /// A part of the body.
        case content(Range<Int>, endsChunk: Bool)
        /// The response is complete, with these trailer lines. If the connection can be used again it is idle now.
        case complete(trailers: [[UInt8]])
        /// The server is at fault. Nothing that comes can be trusted.
        case failed(Fault)
    }

    /// What a server can do wrong.
    enum Fault: Error, Equatable {
        case malformed(ParsingError)
        /// More interim responses than anyone needs.
        case interimFlood
        /// 101 without having been asked for it (RFC 9110 section 15.2.2).
        case unexpectedUpgrade
        /// Bytes that answer nothing.
        case unsolicited
    }

    /// What the end of the connection means.
    enum Ending: Equatable {
        /// There was no request; nothing is lost.
        case idle
        /// Not a byte of a response has come: the request may be sent again elsewhere.
        case unanswered
        /// A part of the response is missing.
        case truncated
        /// The response was to end with the connection, and is complete.
        case complete
    }

    private(set) var phase = Phase.idle
    private(set) var upload = Upload.complete
    /// Whether a byte has come since the last request, also of an interim response.
    private(set) var hasResponseBegun = false
    /// How the end of the response's body is told.
    private(set) var framing = ResponseBodyFraming.none
    /// How much of the chunk that is being read is still to come.
    private(set) var leftOfChunk = 0

    private let maximumInterimResponses: Int
    private var parser: ResponseParser
    private var decoder = BodyDecoder(response: .none, limit: .max)
    private var traits = RequestTraits()
    /// The beginning of a head whose end has not come yet.
    private var partialHead: [UInt8] = []
    private var interimResponses = 0
    private var isKeepAlive = true

    init(configuration: ConnectionPool.Configuration = ConnectionPool.Configuration()) {
        parser = ResponseParser(limits: configuration.responseLimits)
        maximumInterimResponses = configuration.maximumInterimResponses
    }

    /// A request is being sent. Only in the phase `idle`.
    mutating func begin(_ traits: RequestTraits) {
        precondition(phase == .idle, "one request at a time")
        self.traits = traits
        phase = .head
        upload = traits.awaitsContinue ? .awaitsContinue : .open
        hasResponseBegun = false
        interimResponses = 0
    }

    /// The next event in `input`, from `offset` on.
    mutating func receive(_ input: Span<UInt8>, from offset: Int) -> Event {
        do throws(Fault) {
            switch phase {
            case .head: return try receiveHead(input, from: offset)
            case .body: return try receiveBody(input, from: offset)
            case .idle where offset < input.count: throw .unsolicited
            case .idle, .closed: return .needsMore
            }
        } catch {
            phase = .closed
            return .failed(error)
        }
    }

    /// The connection has ended.
    ///
    /// - Parameter isClean: whether the server ended it on purpose: FIN, and with TLS a notice before.
    mutating func end(isClean: Bool) -> Ending {
        defer { phase = .closed }
        switch phase {
        case .idle, .closed: return .idle
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

    /// How much of the body is still to come; nil if the head does not tell.
    var remainingLength: Int? {
        if case .length(let length) = framing { length - decoder.received } else { nil }
    }

    // MARK: The request's body

    /// The body need not wait for `100 Continue` any longer.
    mutating func releaseUpload() {
        if upload == .awaitsContinue { upload = .open }
    }

    /// All of the request is given to the system.
    mutating func uploadIsComplete() {
        if upload == .open { upload = .complete }
    }

    /// The connection takes nothing any more; a response may have come all the same.
    mutating func abandonUpload() {
        if upload != .complete { upload = .abandoned }
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
        let length = parser.head.length
        return try finishHead([UInt8](bytes: message.extracting(0..<length)), consumed: offset + length)
    }

    private mutating func receiveRestOfHead(_ rest: Span<UInt8>, at offset: Int) throws(Fault) -> Event {
        let known = partialHead.count
        partialHead.append(bytes: rest)
        let message = partialHead[...]
        guard try parse(message.span) else { return .needsMore }
        let length = parser.head.length
        partialHead = []
        return try finishHead(Array(message.prefix(length)), consumed: offset + length - known)
    }

    private mutating func parse(_ message: Span<UInt8>) throws(Fault) -> Bool {
        do throws(ParsingError) {
            return try parser.parseHead(message, answering: traits.kind)
        } catch {
            throw .malformed(error)
        }
    }

    private mutating func finishHead(_ bytes: [UInt8], consumed: Int) throws(Fault) -> Event {
        defer { parser.reset() }
        let status = parser.head.status
        if parser.head.isInterim {
            interimResponses += 1
            if interimResponses > maximumInterimResponses { throw .interimFlood }
            if status == 100 { releaseUpload() }
            return .interim(status: status, consumed: consumed)
        }
        if status == 101, !traits.asksForUpgrade { throw .unexpectedUpgrade }
        // A server that does not go on reading must not be written to; one that answers 2xx early may well read on.
        if status >= 300 || upload == .awaitsContinue { abandonUpload() }
        framing = parser.head.body
        isKeepAlive = parser.head.isKeepAlive && traits.isKeepAlive
        decoder = BodyDecoder(response: framing, limit: .max)
        phase = .body
        return .head(IncomingHead(parser.head, bytes: bytes), consumed: consumed)
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

    /// RFC 9112 section 9.3: what comes behind a response without having been asked for is not the next one.
    private mutating func complete(hasMore: Bool) -> Event {
        let isReusable = isKeepAlive && upload == .complete && !hasMore
        phase = isReusable ? .idle : .closed
        return .complete(trailers: framing == .chunked ? decoder.trailers.lines : [])
    }
}
