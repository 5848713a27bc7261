// SPDX-License-Identifier: Apache-2.0

/// Parses request heads, one after another, from the bytes of a connection (RFC 9112).
///
/// ```swift
/// var parser = RequestParser()
/// if try parser.parseHead(input) {
///     respond(to: parser.head, in: input)
///     parser.reset()
/// }
/// ```
///
/// The parser stops at the end of the input and later continues from there. It reads every byte once, and the result
/// does not depend on how the input is split. After an error, reset the parser before using it again.
public struct RequestParser: Sendable {
    /// The parsed head, valid after ``parseHead(_:)`` returns true and until ``reset()``. Read it in place, because a
    /// copy that is still alive at the reset costs an allocation.
    public internal(set) var head = RequestHead()

    /// Takes bytes off the start of the path in ``head``.
    public mutating func removePathPrefix(_ count: Int) { head.removePathPrefix(count) }

    /// Replaces the complete head by that of other bytes, until ``reset()``.
    public mutating func replaceHead(_ head: RequestHead) { self.head = head }

    var state = State.start
    var position = 0
    var emptyLines = 0
    var partStart = 0
    /// The offset of the first `?` in the target.
    var queryMark: Int?
    private var section = FieldSectionScanner()
    private var framing = FramingFields()
    private var hasHost = false
    private var hasExpectation = false
    private let limits: Limits

    enum State: UInt8 {
        case start, startLineFeed, method, target, version, lineFeed, fields, complete
    }

    static let maximumEmptyLines = 4
    static let maximumMethodLength = 64

    /// Creates a parser that enforces `limits`.
    public init(limits: Limits = Limits()) {
        self.limits = limits
        head.fields.reserveCapacity(min(limits.fields, 32))
    }

    /// Whether the parser has received no bytes of a message other than empty lines.
    public var isIdle: Bool { state == .start || state == .startLineFeed }

    /// The number of input bytes already read, which will not be read again.
    var consumed: Int { state == .fields || state == .complete ? section.position : position }

    /// Continues parsing a head.
    ///
    /// - Parameter input: All bytes of the message so far, including empty lines before it: those of the previous
    ///   call, followed by any new ones.
    /// - Returns: Whether ``head`` is complete.
    /// - Throws: ``ParsingError`` as soon as the head is known to be invalid. Do not use the bytes that follow.
    public mutating func parseHead(_ input: Span<UInt8>) throws(ParsingError) -> Bool {
        if state != .fields {
            if state == .complete { return true }
            guard try parseRequestLine(input, limits: limits) else { return false }
            section = FieldSectionScanner(at: position, limit: limits.headerSection, fields: limits.fields)
        }
        while true {
            switch try section.next(input) {
            case .field: try note(section.field, of: input)
            case .end:
                try finish(at: section.position)
                return true
            case .needsMore: return false
            }
        }
    }

    /// Prepares the parser for the next message.
    public mutating func reset() {
        head.reset()
        state = .start
        position = 0
        emptyLines = 0
        queryMark = nil
        framing = FramingFields()
        hasHost = false
        hasExpectation = false
    }

    @inline(__always)
    private mutating func note(_ field: FieldRange, of input: Span<UInt8>) throws(ParsingError) {
        head.fields.append(field)
        switch FieldName.known(field.name, tail: section.nameTail, of: input) {
        case nil: break
        case .host: try noteHost(field.value, of: input)
        case .contentType: if head.contentType == nil { head.contentType = field.value }
        case .contentLength: try framing.noteContentLength(field.value, of: input)
        case .transferEncoding: try framing.noteTransferEncoding(field.value, of: input)
        case .connection: framing.noteConnection(field.value, of: input)
        case .expect: try noteExpectation(field.value, of: input)
        }
    }

    /// RFC 9112 section 3.2: at most one Host field, which must be valid. It is empty if the target URI has no
    /// authority.
    private mutating func noteHost(_ value: Range<Int>, of input: Span<UInt8>) throws(ParsingError) {
        if hasHost { throw ParsingError(.repeatedHost, at: value.lowerBound) }
        guard value.isEmpty || AuthoritySyntax.isValid(value, of: input) else {
            throw ParsingError(.invalidHost, at: value.lowerBound)
        }
        hasHost = true
        // Section 3.2.2: the authority in the target takes precedence.
        head.host = head.authority ?? value
    }

    /// Records an expectation (RFC 9110 section 10.1.1).
    private mutating func noteExpectation(_ value: Range<Int>, of input: Span<UInt8>) throws(ParsingError) {
        var list = FieldValue.List(value)
        while let expectation = list.next(in: input) {
            guard FieldValue.matches(expectation, of: input, "100-continue") else {
                throw ParsingError(.unsupportedExpectation, at: expectation.lowerBound)
            }
            hasExpectation = true
        }
    }

    private mutating func finish(at end: Int) throws(ParsingError) {
        if !hasHost {
            if head.minorVersion >= 1 { throw ParsingError(.missingHost, at: end) }
            head.host = head.authority
        }
        try framing.checkTransferCodings()
        if framing.isChunked {
            head.body = .chunked
        } else if let length = framing.contentLength {
            if length > limits.body { throw ParsingError(.oversizedBody, at: end) }
            head.body = .length(length)
        }
        head.isKeepAlive = framing.isKeepAlive(minorVersion: head.minorVersion)
        // RFC 9110 section 10.1.1: an HTTP/1.0 client does not understand a 100 response.
        head.expectsContinue =
            hasExpectation && head.minorVersion >= 1 && head.body != .none && head.body != .length(0)
        head.length = end
        state = .complete
    }
}
