// SPDX-License-Identifier: Apache-2.0

/// Parses response heads, one after another, from the bytes of a connection (RFC 9112).
///
/// It works like ``RequestParser`` and is equally strict about where a message ends, except that it joins folded lines
/// with a space, as a user agent must (RFC 9112 section 5.2). An interim head is parsed like any other. If
/// ``Head/isInterim`` is true, reset the parser and parse the next head.
///
/// A parser that repairs accepts more: a head that is not valid, but can only mean one thing, is rewritten. Then
/// ``repaired`` contains the bytes that the ranges in ``head`` refer to.
public struct ResponseParser: Sendable {
    /// The parsed head, valid after ``parseHead(_:answering:)`` returns true and until ``reset()``. Read it in place,
    /// because a copy that is still alive at the reset costs an allocation.
    public internal(set) var head = Head()
    /// The rewritten head, if it had to be repaired.
    public private(set) var repaired: Repaired?

    /// A head that was rewritten.
    public struct Repaired: Sendable, Hashable {
        /// The valid head. The ranges in ``ResponseParser/head`` refer to it.
        public let bytes: [UInt8]
        /// What was repaired.
        public let repairs: ResponseRepairs
        /// The length of the head as received, including empty lines before it.
        public let receivedLength: Int
    }

    /// The length of the head as received.
    public var receivedLength: Int { repaired?.receivedLength ?? head.length }

    var state = State.version
    var position = 0
    private var section = FieldSectionScanner()
    private var framing = FramingFields()
    private let limits: Limits
    private let repairs: Bool
    /// The search for the end of a head that has to be repaired.
    private var end: BlankLineScanner?
    /// Why a strict parser rejects the head.
    private var rejection: ParsingError?

    enum State: UInt8 {
        case version, code, reason, lineFeed, fields, complete
    }

    /// The kind of request, as far as it determines where the response ends (RFC 9112 section 6.3).
    public enum RequestKind: Sendable, Hashable {
        /// HEAD: the response has no body.
        case head
        /// CONNECT: 2xx opens a tunnel.
        case connect
        /// Any other method.
        case other

        /// Creates the kind for a request method.
        public init(method: String) {
            self =
                switch method {
                case "HEAD": .head
                case "CONNECT": .connect
                default: .other
                }
        }
    }

    /// The maximum sizes of the parts of a response head, in bytes.
    public struct Limits: Sendable, Hashable {
        /// The maximum length of the status line, without its line end.
        public let statusLine: Int
        /// The maximum length of the header section, including line ends and the blank line.
        public let headerSection: Int
        /// The maximum number of field lines.
        public let fields: Int

        /// Creates limits. The defaults are 8 KiB, 256 KiB and 500 lines. Heads are always limited to less than 1
        /// GiB.
        public init(statusLine: Int = 8 * 1024, headerSection: Int = 256 * 1024, fields: Int = 500) {
            // Offsets into a head are stored in 32 bits.
            let bound = 1 << 29
            self.statusLine = min(max(statusLine, 16), bound)
            self.headerSection = min(max(headerSection, 2), bound)
            self.fields = max(fields, 0)
        }
    }

    /// Creates a parser that enforces `limits`.
    ///
    /// - Parameters:
    ///   - limits: The maximum sizes.
    ///   - repairs: Whether to repair more than folded lines in heads that can only mean one thing. The default is false.
    public init(limits: Limits = Limits(), repairs: Bool = false) {
        self.limits = limits
        self.repairs = repairs
    }

    /// Continues parsing a head.
    ///
    /// - Parameters:
    ///   - input: All bytes of the response so far: those of the previous call, followed by any new ones.
    ///   - request: The kind of request that the response answers. The default is `.other`.
    /// - Returns: Whether ``head`` is complete.
    /// - Throws: ``ParsingError`` as soon as the head is known to be invalid. Do not use the bytes that follow.
    public mutating func parseHead(
        _ input: Span<UInt8>,
        answering request: RequestKind = .other
    ) throws(ParsingError) -> Bool {
        if end != nil { return try parseRepaired(input, answering: request) }
        do throws(ParsingError) {
            return try parseStrictly(input, answering: request)
        } catch {
            if error.offset == 0, state == .version, let foreign = ForeignProtocol(startOf: input) {
                guard let kind = foreign.errorKind else { return false }
                throw ParsingError(kind, at: 0)
            }
            guard repairs ? error.kind.mayBeRepaired : error.kind == .foldedLine else { throw error }
            end = BlankLineScanner()
            rejection = error
            return try parseRepaired(input, answering: request)
        }
    }

    private mutating func parseStrictly(
        _ input: Span<UInt8>,
        answering request: RequestKind
    ) throws(ParsingError) -> Bool {
        if state != .fields {
            if state == .complete { return true }
            guard try parseStatusLine(input, limit: limits.statusLine) else { return false }
            section = FieldSectionScanner(at: position, limit: limits.headerSection, fields: limits.fields)
        }
        while true {
            switch try section.next(input) {
            case .field: try note(section.field, of: input)
            case .end:
                finish(at: section.position, answering: request)
                return true
            case .needsMore: return false
            }
        }
    }

    /// Prepares the parser for the next head.
    public mutating func reset() {
        head.reset()
        restart()
        repaired = nil
        end = nil
        rejection = nil
    }

    private mutating func restart() {
        state = .version
        position = 0
        framing = FramingFields()
    }

    /// Looks for the end of a head that a strict parser rejected, then repairs it and parses it again.
    private mutating func parseRepaired(
        _ input: Span<UInt8>,
        answering request: RequestKind
    ) throws(ParsingError) -> Bool {
        if repaired != nil { return true }
        if let rejection, !Self.mayBeHTTP(input) { throw rejection }
        let length = end?.scan(input)
        let limit = limits.statusLine + limits.headerSection
        if (length ?? input.count) > limit { throw ParsingError(.oversizedHeaderSection, at: limit) }
        guard let length else { return false }
        let section = SectionRepair(input.extracting(0..<length), hasStatusLine: true)
        if let rejection, !repairs, section.repairs != .foldedLines { throw rejection }
        head.reset()
        restart()
        let bytes = section.bytes[...]
        do throws(ParsingError) {
            // The rewritten head ends with its only blank line.
            guard try parseStrictly(bytes.span, answering: request), head.length == section.bytes.count else {
                throw ParsingError(.truncatedMessage, at: section.bytes.count)
            }
        } catch {
            let offset = min(section.received(error.offset), length)
            throw ParsingError(error.kind, at: offset, found: error.found)
        }
        if section.repairs.isFramingInDoubt { head.isKeepAlive = false }
        repaired = Repaired(bytes: section.bytes, repairs: section.repairs, receivedLength: length)
        return true
    }

    /// Whether a head that a strict parser rejected may be one of HTTP/1.1. Anything else is rejected at once, because
    /// it may never contain a blank line.
    private static func mayBeHTTP(_ input: Span<UInt8>) -> Bool {
        var start = 0
        while start < input.count, input[start] == Byte.carriageReturn || input[start] == Byte.lineFeed { start += 1 }
        guard start < input.count else { return true }
        let name = "HTTP/"
        let range = start..<min(input.count, start + name.utf8.count)
        for (index, byte) in zip(range, name.utf8) where input[index] & 0xDF != byte & 0xDF { return false }
        return true
    }

    private mutating func note(_ field: FieldRange, of input: Span<UInt8>) throws(ParsingError) {
        head.fields.append(field)
        switch FieldName.known(field.name, tail: section.nameTail, of: input) {
        case nil, .host, .expect: break
        case .contentType: if head.contentType == nil { head.contentType = field.value }
        case .contentLength: try framing.noteContentLength(field.value, of: input)
        case .transferEncoding:
            try framing.noteTransferEncoding(field.value, of: input)
            try framing.checkTransferCodings()
        case .connection: framing.noteConnection(field.value, of: input)
        }
    }

    private mutating func finish(at end: Int, answering request: RequestKind) {
        head.length = end
        head.body = bodyFraming(answering: request)
        head.isKeepAlive =
            switch head.body {
            case .untilClose, .tunnel: false
            case .none, .length, .chunked: framing.isKeepAlive(minorVersion: head.minorVersion)
            }
        state = .complete
    }

    /// Applies the rules of RFC 9112 section 6.3 in their order.
    private func bodyFraming(answering request: RequestKind) -> ResponseBodyFraming {
        if head.status == 101 { return .tunnel }
        if request == .head || head.status < 200 || head.status == 204 || head.status == 304 { return .none }
        if request == .connect, head.status < 300 { return .tunnel }
        if framing.isChunked { return .chunked }
        return framing.contentLength.map { .length($0) } ?? .untilClose
    }
}
