// SPDX-License-Identifier: Apache-2.0

/// Decodes chunked coding (RFC 9112 section 7.1) from input split at any byte.
struct ChunkedDecoder: Sendable {
    private(set) var trailers = TrailerSection()

    private enum State: UInt8 {
        case size, sizeLineFeed, data, dataCarriageReturn, dataLineFeed, trailerStart, lastLineFeed, trailers, complete
    }

    private var state = State.size
    private var size = 0
    private var digits = 0
    private var remaining = 0
    private var extensions: ChunkExtensionScanner
    private var section: FieldSectionScanner
    private let limits: (section: Int, fields: Int)
    private let isRepairing: Bool
    private let joinsFoldedLines: Bool
    private var repaired: ResponseRepairs = []
    /// The search for the end of a trailer section that has to be repaired.
    private var trailerEnd: BlankLineScanner?
    /// Why a strict parser rejects the trailer section.
    private var rejection: ParsingError?

    init(trailerSection: Int, trailerFields: Int, repairs: Bool = false, joinsFoldedLines: Bool = false) {
        self.joinsFoldedLines = joinsFoldedLines
        section = FieldSectionScanner(limit: trailerSection, fields: trailerFields)
        limits = (trailerSection, trailerFields)
        isRepairing = repairs
        extensions = ChunkExtensionScanner(ignoresMalformed: repairs)
    }

    var repairs: ResponseRepairs { repaired.union(extensions.repairs) }

    var isComplete: Bool { state == .complete }

    /// Returns the next event. `capacity` is the number of content bytes still allowed.
    mutating func decode(
        _ input: Span<UInt8>,
        from offset: Int,
        capacity: Int
    ) throws(ParsingError) -> BodyEvent {
        var position = offset
        while state != .complete {
            guard position < input.count else { return .needsMore(consumedTo: position) }
            switch state {
            case .size: try takeSize(input, &position)
            case .sizeLineFeed:
                try takeLineFeed(input, &position, or: .bareCarriageReturn)
                if size > capacity { throw ParsingError(.oversizedBody, at: position - 1) }
                state = size == 0 ? .trailerStart : .data
                remaining = size
                if size > 0 { return .chunkStart(size: size, consumedTo: position) }
            case .data: return takeData(input, position)
            case .dataCarriageReturn where isBareLineFeed(input[position]): state = .dataLineFeed
            case .dataCarriageReturn:
                guard input[position] == Byte.carriageReturn else {
                    throw ParsingError(.unterminatedChunk, at: position, found: input[position])
                }
                position += 1
                state = .dataLineFeed
            case .dataLineFeed:
                try takeLineFeed(input, &position, or: .unterminatedChunk)
                beginSize()
                return .chunkEnd(consumedTo: position)
            case .trailerStart: beginTrailers(input, &position)
            case .lastLineFeed:
                try takeLineFeed(input, &position, or: .bareCarriageReturn)
                state = .complete
            case .trailers: try takeTrailers(input, &position)
            case .complete: break
            }
        }
        return .end(consumedTo: position)
    }

    private mutating func beginSize() {
        state = .size
        size = 0
        digits = 0
    }

    private mutating func takeSize(_ input: Span<UInt8>, _ position: inout Int) throws(ParsingError) {
        while !extensions.isActive, position < input.count {
            let byte = input[position]
            if let digit = byte.hexadecimalValue {
                digits += 1
                // Section 7.1: a recipient must anticipate large sizes. 64 bits hold 16 digits.
                if digits > 16 || size >> 59 != 0 { throw ParsingError(.oversizedChunkSize, at: position) }
                size = size << 4 | Int(digit)
            } else if digits == 0 {
                throw ParsingError(.invalidChunkSize, at: position, found: byte)
            } else if byte == Byte.carriageReturn {
                position += 1
                state = .sizeLineFeed
                return
            } else if isBareLineFeed(byte) {
                state = .sizeLineFeed
                return
            } else {
                guard byte == Byte.semicolon || byte.isWhitespace else {
                    let isLineFeed = byte == Byte.lineFeed
                    throw ParsingError(isLineFeed ? .bareLineFeed : .invalidChunkSize, at: position, found: byte)
                }
                extensions.begin()
                break
            }
            position += 1
        }
        if try extensions.scan(input, &position) { state = .sizeLineFeed }
    }

    /// Whether a line ends here without a carriage return. If so, the line feed is taken next.
    private mutating func isBareLineFeed(_ byte: UInt8) -> Bool {
        guard isRepairing, byte == Byte.lineFeed else { return false }
        repaired.insert(.chunkLineEnds)
        return true
    }

    private mutating func takeData(_ input: Span<UInt8>, _ position: Int) -> BodyEvent {
        let count = min(remaining, input.count - position)
        remaining -= count
        if remaining == 0 { state = .dataCarriageReturn }
        extensions.allow(count)
        return .data(position..<position + count)
    }

    private mutating func beginTrailers(_ input: Span<UInt8>, _ position: inout Int) {
        if input[position] == Byte.carriageReturn {
            position += 1
            state = .lastLineFeed
        } else if isBareLineFeed(input[position]) {
            state = .lastLineFeed
        } else {
            state = .trailers
        }
    }

    /// Copies a line, or the part that has arrived, so that the input need not be kept, and parses the copy.
    private mutating func takeTrailers(_ input: Span<UInt8>, _ position: inout Int) throws(ParsingError) {
        let start = position
        var byte: UInt8 = 0
        while position < input.count, byte != Byte.lineFeed {
            byte = input[position]
            trailers.bytes.append(byte)
            position += 1
        }
        do throws(ParsingError) {
            try readTrailers()
        } catch {
            // The error's offset refers to the copy. Bytes copied by an earlier call are no longer in the input.
            let offset = position - (trailers.bytes.count - error.offset)
            throw ParsingError(error.kind, at: max(offset, start), found: error.found)
        }
    }

    private mutating func readTrailers() throws(ParsingError) {
        if trailerEnd != nil { return try repairTrailers() }
        do throws(ParsingError) {
            try readStrictly()
        } catch {
            let isJoined = joinsFoldedLines && error.kind == .foldedLine
            guard isRepairing ? error.kind.mayBeRepaired : isJoined else { throw error }
            trailerEnd = BlankLineScanner()
            rejection = error
            try repairTrailers()
        }
    }

    private mutating func readStrictly() throws(ParsingError) {
        while true {
            switch try trailers.advance(&section) {
            case .field: trailers.fields.append(section.field)
            case .end:
                state = .complete
                // The blank line is framing, not a trailer field.
                trailers.bytes.removeLast(2)
                return
            case .needsMore: return
            }
        }
    }

    /// Looks for the end of a trailer section that a strict parser rejected, then repairs it and parses it again.
    private mutating func repairTrailers() throws(ParsingError) {
        let copy = trailers.bytes[...]
        let end = trailerEnd?.scan(copy.span)
        if copy.count > limits.section { throw ParsingError(.oversizedHeaderSection, at: limits.section) }
        guard end != nil else { return }
        let rewritten = SectionRepair(copy.span, hasStatusLine: false)
        if let rejection, !isRepairing, rewritten.repairs != .foldedLines { throw rejection }
        repaired.formUnion(rewritten.repairs)
        trailers = TrailerSection()
        trailers.bytes = rewritten.bytes
        section = FieldSectionScanner(limit: limits.section, fields: limits.fields)
        try readStrictly()
        if state != .complete { throw ParsingError(.truncatedMessage, at: trailers.bytes.count) }
    }

    private func takeLineFeed(
        _ input: Span<UInt8>,
        _ position: inout Int,
        or fault: ParsingError.Kind
    ) throws(ParsingError) {
        let byte = input[position]
        guard byte == Byte.lineFeed else { throw ParsingError(fault, at: position, found: byte) }
        position += 1
    }
}
