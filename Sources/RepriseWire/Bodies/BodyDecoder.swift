// SPDX-License-Identifier: Apache-2.0

/// Takes a body out of its framing (RFC 9112 sections 6 and 7), event by event.
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
/// What is consumed need not be kept, and any split of the input gives the same content, chunks and trailers.
public struct BodyDecoder: Sendable {
    /// The trailer fields of a chunked body; complete with ``BodyEvent/end(consumedTo:)``.
    public var trailers: TrailerSection { chunks.trailers }
    /// How much content there was so far, in bytes.
    public private(set) var received = 0

    private var framing: ResponseBodyFraming
    private var remaining = 0
    private let limit: Int
    private var chunks: ChunkedDecoder

    /// A decoder of a request's body.
    ///
    /// - Parameters:
    ///   - framing: what the head says.
    ///   - limit: how much content there may be, in bytes.
    ///   - trailerSection: how long the trailer section may be, in bytes.
    ///   - trailerFields: how many trailer fields there may be.
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
        self.init(response: framing, limit: limit, trailerSection: trailerSection, trailerFields: trailerFields)
    }

    /// A decoder of a response's body. Of a tunnel, all that follows is content.
    ///
    /// - Parameters:
    ///   - framing: what the head and the request say.
    ///   - limit: how much content there may be, in bytes.
    ///   - trailerSection: how long the trailer section may be, in bytes.
    ///   - trailerFields: how many trailer fields there may be.
    public init(
        response framing: ResponseBodyFraming,
        limit: Int,
        trailerSection: Int = 64 * 1024,
        trailerFields: Int = 100
    ) {
        self.framing = framing
        self.limit = max(limit, 0)
        if case .length(let length) = framing { remaining = max(length, 0) }
        let bounds = RequestParser.Limits(headerSection: trailerSection, fields: trailerFields)
        chunks = ChunkedDecoder(trailerSection: bounds.headerSection, trailerFields: bounds.fields)
    }

    /// The next event. After ``BodyEvent/end(consumedTo:)`` it is that again, and nothing is consumed.
    ///
    /// - Parameters:
    ///   - input: bytes of the connection.
    ///   - offset: where the bytes start that no event has consumed yet, at most `input.count`.
    /// - Throws: ``ParsingError``; nothing after it can be trusted.
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

    /// Says that the connection has ended and no more bytes will come.
    ///
    /// - Throws: ``ParsingError`` of kind `truncatedMessage` if the body is not complete with that (RFC 9112 section
    ///   8).
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
