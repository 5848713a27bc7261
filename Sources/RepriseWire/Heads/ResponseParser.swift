// SPDX-License-Identifier: Apache-2.0

/// Parses response heads, one after another, from the bytes of a connection (RFC 9112).
///
/// It works like ``RequestParser`` and is equally strict about where a message ends. An interim head is parsed like
/// any other. If ``Head/isInterim`` is true, reset the parser and parse the next head.
public struct ResponseParser: Sendable {
    /// The parsed head, valid after ``parseHead(_:answering:)`` returns true and until ``reset()``. Read it in place,
    /// because a copy that is still alive at the reset costs an allocation.
    public internal(set) var head = Head()

    var state = State.version
    var position = 0
    private var section = FieldSectionScanner()
    private var framing = FramingFields()
    private let limits: Limits

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
    public init(limits: Limits = Limits()) {
        self.limits = limits
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
        state = .version
        position = 0
        framing = FramingFields()
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
