// SPDX-License-Identifier: Apache-2.0

internal import RepriseText
internal import RepriseWire

/// Reads the requests of a connection, and tracks its state. It uses only values: no socket, no clock, and no loop.
///
/// ```
/// head -> body -> responding -> head       the connection's next request
///   |       |         |-> ended -> closed  the response ends the connection, in one of three ways
///   |       |         `-> handedOver       another session continues
///   |-------|--> responding                the request is refused
///   `-------`--> sourced -> responding     a source answers; content is passed on as it arrives
/// ```
///
/// While the machine reads, ``advance(_:from:)`` feeds it input. A request is answered before the next one is read, so
/// pipelined requests wait in the session's buffer and nothing is queued here.
struct ConnectionStateMachine {
    enum Phase: Equatable {
        /// Between requests, or within the head of one.
        case head
        /// Within the content of a request.
        case body
        /// A source answers; the request's content may still be arriving.
        case sourced
        /// A response is being written.
        case responding
        /// The response is written and ends the connection; further input is discarded. For
        /// ``EncodedResponse/End/close``, the write side is closed. For `reset`, a reset follows once the peer has
        /// received the earlier output. For `stall`, nothing more is written until the peer closes.
        case ended(EncodedResponse.End)
        /// The response is written, and another session continues with the input that follows.
        case handedOver
        /// The connection is closed.
        case closed
    }

    /// The result of reading input.
    enum InputAction {
        /// More input is needed; present everything after `consumed` again.
        case needsMore(consumed: Int)
        /// A head that announces content is complete and in ``pendingHead``. The caller decides how much of the
        /// content to keep, sends `100 Continue` if the client waits for it, and calls again.
        case contentFollows(consumed: Int, awaitsContinue: Bool)
        /// A request without content is complete; its head is at this range of the input.
        case request(head: Range<Int>)
        /// A request with content is complete and in ``pendingHead`` and ``content``.
        case requestWithContent(consumed: Int)
        /// The input is invalid: answer and close.
        case refuse(ParsingError)
    }

    private(set) var phase = Phase.head
    private var parser: RequestParser
    /// Whether the parser still has the head of the previous request. It is forgotten when the next one is read: while
    /// others hold a copy of it, its memory cannot be used again.
    private var hasPreviousHead = false
    private(set) var decoder: BodyDecoder?
    /// The head of a request whose content is being read.
    private(set) var pendingHead: [UInt8] = []
    /// The kept part of the content read so far.
    private(set) var content: [UInt8] = []
    /// The trailer lines of the content, after all of it has been read.
    private(set) var trailers: [[UInt8]] = []
    /// The head of the current request.
    var head: RequestHead { parser.head }
    /// The number of content bytes read, whether kept or not.
    private(set) var contentLength = 0
    /// The maximum number of content bytes to keep: everything if the content is compared, otherwise the start of it
    /// for the journal.
    var contentToKeep = Int.max
    /// Whether the machine can use input now.
    var wantsInput: Bool { phase == .head || phase == .body || phase == .sourced && decoder != nil }
    /// Whether any byte of the current request's head has arrived.
    var hasStartedHead: Bool { !hasPreviousHead && !parser.isIdle }

    /// The size up to which kept content grows as it arrives, in bytes. An announced length costs its sender nothing.
    private static let largestGrowth = 1 << 20

    private let bodyLimit: Int

    init(limits: RequestParser.Limits) {
        parser = RequestParser(limits: limits)
        bodyLimit = limits.body
    }

    /// Takes bytes off the start of the path of the current request.
    mutating func removePathPrefix(_ count: Int) { parser.removePathPrefix(count) }

    /// Replaces the head of the current request, which is then in ``pendingHead``.
    mutating func replaceHead(_ bytes: [UInt8], _ head: RequestHead) {
        pendingHead = bytes
        parser.replaceHead(head)
    }

    /// Reads `input` from `offset`. Call it only while ``wantsInput`` is true.
    mutating func advance(_ input: Span<UInt8>, from offset: Int) -> InputAction {
        do throws(ParsingError) {
            return phase == .head ? try advanceHead(input, from: offset) : try advanceContent(input, from: offset)
        } catch {
            return .refuse(error)
        }
    }

    private mutating func advanceHead(_ input: Span<UInt8>, from offset: Int) throws(ParsingError) -> InputAction {
        if hasPreviousHead {
            parser.reset()
            hasPreviousHead = false
        }
        let message = input.extracting(offset..<input.count)
        guard try parser.parseHead(message) else { return .needsMore(consumed: offset) }
        let length = parser.head.length
        // No 100 response either if there are no bytes to wait for (RFC 9110 section 10.1.1).
        if parser.head.body == .none || parser.head.body == .length(0) {
            return .request(head: offset..<(offset + length))
        }
        pendingHead.removeAll(keepingCapacity: true)
        pendingHead.append(bytes: message.extracting(0..<length))
        decoder = BodyDecoder(parser.head.body, limit: bodyLimit)
        content.removeAll(keepingCapacity: true)
        contentLength = 0
        phase = .body
        // No 100 response if the content has begun to arrive (RFC 9110 section 10.1.1).
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
                if !decoder.trailers.isEmpty { trailers = decoder.trailers.lines }
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
        if content.count + kept > max(content.capacity, Self.largestGrowth), case .length(let length) = parser.head.body
        {
            // Growing step by step would copy tens of megabytes at once, and hold up the loop.
            content.reserveCapacity(min(length, contentToKeep))
        }
        content.append(bytes: input.extracting(range.prefix(kept)))
    }

    /// Limits the content that follows to `limit` bytes, because it is held in memory.
    ///
    /// - Returns: `false` if the head announces more than `limit` bytes.
    mutating func limitContent(to limit: Int) -> Bool {
        if case .length(let length) = parser.head.body, length > limit { return false }
        decoder = BodyDecoder(parser.head.body, limit: limit)
        return true
    }

    /// Lets a source answer the request whose head is complete. ``takeContent()`` returns its content, if any.
    mutating func awaitSource() {
        contentToKeep = .max
        phase = .sourced
    }

    /// Returns the content read since the last call.
    mutating func takeContent() -> [UInt8] {
        let taken = content
        content = []
        return taken
    }

    /// Records that the response to a complete or refused request has started.
    mutating func respond() {
        decoder = nil
        phase = .responding
    }

    /// Records that the response was sent. The next request may follow.
    mutating func didRespond() {
        hasPreviousHead = true
        phase = .head
        contentToKeep = .max
        if !trailers.isEmpty { trailers = [] }
        // Release the memory of a large request while the connection is idle.
        if content.capacity > 512 { content = [] }
        if pendingHead.capacity > 512 { pendingHead = [] }
    }

    /// Records that the response was sent, and ends the connection.
    mutating func end(_ end: EncodedResponse.End) {
        phase = .ended(end)
    }

    /// Records that another session continues.
    mutating func handOver() {
        phase = .handedOver
    }

    /// Records that the connection is closed, by either side.
    mutating func close() {
        phase = .closed
    }
}
