// SPDX-License-Identifier: Apache-2.0

/// Reads the heads of responses, one after the other, from the bytes of a connection (RFC 9112).
///
/// As ``RequestParser`` does it for requests, and as strictly where the end of a message is concerned. An interim head
/// is one like any other: when ``Head/isInterim`` says so, reset and read the next one.
public struct ResponseParser: Sendable {
    /// The head, once ``parseHead(_:answering:)`` returned true and until ``reset()``. Read it in place: a copy that is
    /// still alive at the reset costs an allocation.
    public internal(set) var head = Head()

    var state = State.version
    var position = 0
    private var section = FieldSectionScanner()
    private var framing = FramingFields()
    private let limits: Limits

    enum State: UInt8 {
        case version, code, reason, lineFeed, fields, complete
    }

    /// What was asked, as far as it decides where the response ends (RFC 9112 section 6.3).
    public enum RequestKind: Sendable, Hashable {
        /// HEAD: the response has no body.
        case head
        /// CONNECT: 2xx opens a tunnel.
        case connect
        /// Any other method.
        case other

        /// The kind of a request with that method.
        public init(method: String) {
            self =
                switch method {
                case "HEAD": .head
                case "CONNECT": .connect
                default: .other
                }
        }
    }

    /// How large a response's head may be, in bytes.
    public struct Limits: Sendable, Hashable {
        /// The status line's length without its line end.
        public let statusLine: Int
        /// The length of the header section, with all line ends and the blank line.
        public let headerSection: Int
        /// The number of field lines.
        public let fields: Int

        /// Limits of which each may be left at its default. Heads are held below 1 GiB whatever the limits say.
        public init(statusLine: Int = 8 * 1024, headerSection: Int = 256 * 1024, fields: Int = 500) {
            // Offsets into a head are kept in 32 bits.
            let bound = 1 << 29
            self.statusLine = min(max(statusLine, 16), bound)
            self.headerSection = min(max(headerSection, 2), bound)
            self.fields = max(fields, 0)
        }
    }

    /// A parser that holds a head to `limits`.
    public init(limits: Limits = Limits()) {
        self.limits = limits
    }

    /// Reads on in a head.
    ///
    /// - Parameters:
    ///   - input: all bytes from the first of the response on: what the last call was given, and more.
    ///   - request: what was asked.
    /// - Returns: whether ``head`` is complete.
    /// - Throws: ``ParsingError`` as soon as the fault is certain; nothing after it can be trusted.
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

    /// Makes ready for the next head.
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
        case .transferEncoding: try framing.noteTransferEncoding(field.value, of: input)
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

    /// RFC 9112 section 6.3, in its order.
    private func bodyFraming(answering request: RequestKind) -> ResponseBodyFraming {
        if head.status == 101 { return .tunnel }
        if request == .head || head.status < 200 || head.status == 204 || head.status == 304 { return .none }
        if request == .connect, head.status < 300 { return .tunnel }
        if framing.isChunked { return .chunked }
        return framing.contentLength.map { .length($0) } ?? .untilClose
    }
}
