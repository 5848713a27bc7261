// SPDX-License-Identifier: Apache-2.0

/// Extracts the content of a body from its framing (RFC 9112 sections 6 and 7), event by event.
///
/// ```swift
/// while true {
///     let event = try decoder.decode(input, from: offset)
///     offset = event.consumedTo
///     switch event {
///     case .data(let range): take(range)
///     case .chunkStart, .chunkEnd: continue
///     case .end: return finish()
///     case .needsMore: return
///     }
/// }
/// ```
///
/// Consumed bytes need not be kept. The content, chunks and trailers do not depend on how the input is split.
public struct BodyDecoder: Sendable {
    /// The trailer fields of a chunked body. They are complete when ``BodyEvent/end(consumedTo:)`` is returned.
    public var trailers: TrailerSection { chunks.trailers }
    /// What was repaired in the framing and the trailer fields so far.
    public var repairs: ResponseRepairs { chunks.repairs }
    /// The number of content bytes decoded so far.
    public private(set) var received = 0

    private var framing: ResponseBodyFraming
    private var remaining = 0
    private let limit: Int
    private var chunks: ChunkedDecoder

    /// Creates a decoder for a request body.
    ///
    /// - Parameters:
    ///   - framing: The framing that the head specifies.
    ///   - limit: The maximum size of the content, in bytes.
    ///   - trailerSection: The maximum length of the trailer section, in bytes. The default is 64 KiB.
    ///   - trailerFields: The maximum number of trailer fields. The default is 100.
    public init(
        _ framing: BodyFraming,
        limit: Int,
        trailerSection: Int = 64 * 1024,
        trailerFields: Int = 100
    ) {
        let framing: ResponseBodyFraming =
            switch framing {
            case .none: .none
            case .length(let length): .length(length)
            case .chunked: .chunked
            }
        self.init(framing, limit, RequestParser.Limits(headerSection: trailerSection, fields: trailerFields))
    }

    /// Creates a decoder for a response body. In a tunnel, all bytes that follow are content.
    /// Folded trailer lines are joined with a space (RFC 9112 section 5.2).
    ///
    /// - Parameters:
    ///   - framing: The framing that the head and the request specify.
    ///   - limit: The maximum size of the content, in bytes.
    ///   - trailerSection: The maximum length of the trailer section, in bytes. The default is 64 KiB.
    ///   - trailerFields: The maximum number of trailer fields. The default is 100.
    ///   - repairs: Whether to repair more framing that can only mean one thing. The default is false.
    public init(
        response framing: ResponseBodyFraming,
        limit: Int,
        trailerSection: Int = 64 * 1024,
        trailerFields: Int = 100,
        repairs: Bool = false
    ) {
        let bounds = RequestParser.Limits(headerSection: trailerSection, fields: trailerFields)
        self.init(framing, limit, bounds, repairs: repairs, joinsFoldedLines: true)
    }

    private init(
        _ framing: ResponseBodyFraming,
        _ limit: Int,
        _ bounds: RequestParser.Limits,
        repairs: Bool = false,
        joinsFoldedLines: Bool = false
    ) {
        self.framing = framing
        self.limit = max(limit, 0)
        if case .length(let length) = framing { remaining = max(length, 0) }
        chunks = ChunkedDecoder(
            trailerSection: bounds.headerSection,
            trailerFields: bounds.fields,
            repairs: repairs,
            joinsFoldedLines: joinsFoldedLines
        )
    }

    /// Returns the next event. After ``BodyEvent/end(consumedTo:)``, returns the same event again and consumes
    /// nothing.
    ///
    /// - Parameters:
    ///   - input: Bytes received on the connection.
    ///   - offset: The offset of the first byte that has not been consumed by an event, at most `input.count`.
    /// - Throws: ``ParsingError`` if the body is malformed. Do not use the bytes that follow.
    public mutating func decode(_ input: Span<UInt8>, from offset: Int) throws(ParsingError) -> BodyEvent {
        precondition(0...input.count ~= offset, "The offset lies outside the input")
        let event: BodyEvent
        switch framing {
        case .none: return .end(consumedTo: offset)
        case .chunked: event = try chunks.decode(input, from: offset, capacity: limit - received)
        case .length: event = try takeLength(input, from: offset)
        case .untilClose, .tunnel: event = try takeAll(input, from: offset)
        }
        if case .data(let range) = event { received += range.count }
        return event
    }

    /// Checks that the body is complete at the end of the connection, when no more bytes will arrive.
    ///
    /// - Throws: ``ParsingError`` of kind `truncatedMessage` if the body is incomplete (RFC 9112 section 8).
    public func endOfInput() throws(ParsingError) {
        let isComplete =
            switch framing {
            case .none, .untilClose, .tunnel: true
            case .length: remaining == 0
            case .chunked: chunks.isComplete
            }
        if !isComplete { throw ParsingError(.truncatedMessage, at: 0) }
    }

    private mutating func takeLength(_ input: Span<UInt8>, from offset: Int) throws(ParsingError) -> BodyEvent {
        if remaining == 0 { return .end(consumedTo: offset) }
        if remaining > limit - received { throw ParsingError(.oversizedBody, at: offset) }
        let count = min(remaining, input.count - offset)
        if count == 0 { return .needsMore(consumedTo: offset) }
        remaining -= count
        return .data(offset..<offset + count)
    }

    private mutating func takeAll(_ input: Span<UInt8>, from offset: Int) throws(ParsingError) -> BodyEvent {
        if offset == input.count { return .needsMore(consumedTo: offset) }
        let count = min(limit - received, input.count - offset)
        if count == 0 { throw ParsingError(.oversizedBody, at: offset) }
        return .data(offset..<offset + count)
    }
}
