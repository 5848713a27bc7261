// SPDX-License-Identifier: Apache-2.0

internal import RepriseText
internal import RepriseWire

/// What a connection does next, decided from values alone: no socket, no clock, no loop.
///
/// ```
/// head -> body -> responding -> head            the next request of the connection
///   |       |         `-> ended -> closed   the response ends the connection, in one of three ways
///   |-------|--> responding                 the request is refused
///   `-------`--> sourced -> responding      a source answers; content is passed on as it comes
/// ```
///
/// Input goes in by ``advance(_:from:)`` while the machine reads; a response goes in by ``respond(with:)`` and comes out
/// step by step by ``nextOutput()``. A request is answered before the next one is read, so pipelined requests wait in
/// the connection's buffer and nothing is queued.
struct ConnectionStateMachine {
    /// Where the connection stands.
    enum Phase: Equatable {
        /// Between requests, or within the head of one.
        case head
        /// Within the content of a request.
        case body
        /// A source answers; content of the request may still come.
        case sourced
        /// A response is being written.
        case responding
        /// The response is written and ends the connection; input is thrown away. By ``WireScript/End/close`` the write
        /// side is closed, by `reset` a reset follows once the peer has what was written before it, by `stall` nothing
        /// is written until the peer closes.
        case ended(WireScript.End)
        /// It is over.
        case closed
    }

    /// What the input amounts to.
    enum InputAction {
        /// More input is needed; what lies behind `consumed` is to be presented again.
        case needsMore(consumed: Int)
        /// A head with content to come is complete: ``pendingHead`` holds it. Decide how much of the content to keep,
        /// send `100 Continue` if the client waits for it, and call again.
        case contentFollows(consumed: Int, awaitsContinue: Bool)
        /// A request without content is complete: its head lies in the input at this range.
        case request(head: Range<Int>)
        /// A request with content is complete: ``pendingHead`` and ``content`` hold it.
        case requestWithContent(consumed: Int)
        /// The input is not acceptable: answer and close.
        case refuse(ParsingError)
    }

    /// What to write next.
    enum OutputAction: Equatable {
        case send([UInt8], offset: Int)
        case sendFile(FileSource, offset: Int)
        /// Go on when this many nanoseconds have passed since the first step was done.
        case wait(untilOffset: UInt64)
        /// That was the last step. After ``WireScript/End/keepAlive``, read on; otherwise the connection has
        /// ``Phase/ended(_:)`` so.
        case end(WireScript.End)
    }

    private(set) var phase = Phase.head
    private(set) var parser: RequestParser
    private(set) var decoder: BodyDecoder?
    /// The head of a request whose content is being read.
    private(set) var pendingHead: [UInt8] = []
    /// The content read so far, as far as it is kept.
    private(set) var content: [UInt8] = []
    /// The number of bytes of content read, kept or not.
    private(set) var contentLength = 0
    /// How much of the content to keep: all of it if it is compared, a part for the journal otherwise.
    var contentToKeep = Int.max
    /// Whether input is of use now.
    var wantsInput: Bool { phase == .head || phase == .body || phase == .sourced && decoder != nil }
    /// Whether a byte of the current request's head has come.
    var hasStartedHead: Bool { !parser.isIdle }

    private let bodyLimit: Int
    private var script = WireScript(steps: [], end: .keepAlive)
    private var step = 0
    private var offset = 0
    private var waited: UInt64 = 0

    init(limits: RequestParser.Limits) {
        parser = RequestParser(limits: limits)
        bodyLimit = limits.body
    }

    /// Reads on in `input` from `offset`. Only while it ``wantsInput``.
    mutating func advance(_ input: Span<UInt8>, from offset: Int) -> InputAction {
        do throws(ParsingError) {
            return phase == .head ? try advanceHead(input, from: offset) : try advanceContent(input, from: offset)
        } catch {
            return .refuse(error)
        }
    }

    private mutating func advanceHead(_ input: Span<UInt8>, from offset: Int) throws(ParsingError) -> InputAction {
        let message = input.extracting(offset..<input.count)
        guard try parser.parseHead(message) else { return .needsMore(consumed: offset) }
        let length = parser.head.length
        if case .none = parser.head.body {
            return .request(head: offset..<(offset + length))
        }
        pendingHead.removeAll(keepingCapacity: true)
        pendingHead.append(bytes: message.extracting(0..<length))
        decoder = BodyDecoder(parser.head.body, limit: bodyLimit)
        content.removeAll(keepingCapacity: true)
        contentLength = 0
        phase = .body
        // RFC 9110 section 10.1.1: no 100 when the content has begun to arrive.
        let awaitsContinue = parser.head.expectsContinue && offset + length == input.count
        return .contentFollows(consumed: offset + length, awaitsContinue: awaitsContinue)
    }

    private mutating func advanceContent(_ input: Span<UInt8>, from start: Int) throws(ParsingError) -> InputAction {
        var offset = start
        while true {
            guard var decoder else { preconditionFailure("content is read only with a decoder") }
            let event = try decoder.decode(input, from: offset)
            self.decoder = decoder
            offset = event.consumedTo
            switch event {
            case .data(let range):
                keep(input, range)
            case .chunkStart, .chunkEnd:
                continue
            case .end:
                self.decoder = nil
                return .requestWithContent(consumed: offset)
            case .needsMore:
                return .needsMore(consumed: offset)
            }
        }
    }

    private mutating func keep(_ input: Span<UInt8>, _ range: Range<Int>) {
        contentLength += range.count
        let kept = min(range.count, max(0, contentToKeep - content.count))
        content.append(bytes: input.extracting(range.prefix(kept)))
    }

    /// The content that follows is held in memory: it may have `limit` bytes at most.
    ///
    /// - Returns: `false` if the head announces more than `limit`.
    mutating func limitContent(to limit: Int) -> Bool {
        if case .length(let length) = parser.head.body, length > limit { return false }
        decoder = BodyDecoder(parser.head.body, limit: limit)
        return true
    }

    /// A source answers the request whose head is complete. Its content, if there is any, is for ``takeContent()``.
    mutating func awaitSource() {
        contentToKeep = .max
        phase = .sourced
    }

    /// The content that was read since the last call.
    mutating func takeContent() -> [UInt8] {
        let taken = content
        content = []
        return taken
    }

    /// Takes the response to the request that is complete, or to what was refused.
    mutating func respond(with script: WireScript) {
        decoder = nil
        self.script = script
        step = 0
        offset = 0
        waited = 0
        phase = .responding
    }

    /// The response to a request went out whole, without ``respond(with:)``; the next request may come.
    mutating func didRespond() {
        beginRequest()
    }

    /// What to write next. Only in the phase `responding`.
    mutating func nextOutput() -> OutputAction {
        while step < script.steps.count {
            switch script.steps[step] {
            case .bytes(let bytes):
                if offset < bytes.count { return .send(bytes, offset: offset) }
            case .file(let file):
                if offset < file.size { return .sendFile(file, offset: offset) }
            case .wait(let nanoseconds):
                waited += nanoseconds
                step += 1
                return .wait(untilOffset: waited)
            }
            step += 1
            offset = 0
        }
        let end = script.end
        if end == .keepAlive { beginRequest() } else { phase = .ended(end) }
        return .end(end)
    }

    /// `count` bytes of the step that ``nextOutput()`` gave were taken.
    mutating func didSend(_ count: Int) {
        offset += count
    }

    /// The connection closes after the response that was just completed.
    mutating func drain() {
        phase = .ended(.close)
    }

    /// The connection is closed, by whomever.
    mutating func close() {
        phase = .closed
        script = WireScript(steps: [], end: .close)
    }

    private mutating func beginRequest() {
        parser.reset()
        script.steps = []
        phase = .head
        contentToKeep = .max
        // A connection that once carried a large request must not hold its memory while it is idle.
        if content.capacity > 512 { content = [] }
        if pendingHead.capacity > 512 { pendingHead = [] }
    }
}
