// SPDX-License-Identifier: Apache-2.0

extension RequestParser {
    /// Continues parsing the request line (RFC 9112 section 3). Returns true if it is complete.
    @inline(__always)
    mutating func parseRequestLine(_ input: Span<UInt8>, limits: Limits) throws(ParsingError) -> Bool {
        while state == .start || state == .startLineFeed {
            guard position < input.count else { return false }
            try passEmptyLines(input)
        }
        if state == .method {
            guard try scanMethod(input) else { return false }
        }
        if state == .target {
            guard try scanTarget(input, limit: limits.target) else { return false }
            if takeUsualVersion(input) {
                try finishLine(input)
                return true
            }
        }
        if state == .version {
            guard try scanVersion(input) else { return false }
        }
        guard position < input.count else { return false }
        try takeLineFeed(input)
        try finishLine(input)
        return true
    }

    /// RFC 9112 section 2.2: skip empty lines before a request, up to a small limit.
    @inline(__always)
    private mutating func passEmptyLines(_ input: Span<UInt8>) throws(ParsingError) {
        let byte = input[position]
        if state == .startLineFeed {
            try takeLineFeed(input)
            state = .start
            return
        }
        switch byte {
        case Byte.carriageReturn:
            if emptyLines == Self.maximumEmptyLines { throw ParsingError(.excessiveEmptyLines, at: position) }
            emptyLines += 1
            position += 1
            state = .startLineFeed
        case Byte.lineFeed: throw ParsingError(.bareLineFeed, at: position, found: byte)
        case Byte.space: throw ParsingError(.emptyMethod, at: position, found: byte)
        default:
            partStart = position
            state = .method
        }
    }

    @inline(__always)
    private mutating func scanMethod(_ input: Span<UInt8>) throws(ParsingError) -> Bool {
        let end = min(input.count, partStart + Self.maximumMethodLength + 1)
        var index = position
        while index < end, input[index].isToken { index += 1 }
        position = index
        if index - partStart > Self.maximumMethodLength { throw ParsingError(.oversizedMethod, at: index - 1) }
        if index == end { return false }
        let byte = input[index]
        guard byte == Byte.space else {
            let isLineEnd = byte == Byte.carriageReturn || byte == Byte.lineFeed
            throw ParsingError(isLineEnd ? .missingTarget : .invalidMethod, at: index, found: byte)
        }
        head.method = partStart..<index
        begin(.target, at: index + 1)
        return true
    }

    @inline(__always)
    private mutating func scanTarget(_ input: Span<UInt8>, limit: Int) throws(ParsingError) -> Bool {
        let end = min(input.count, partStart + limit + 1)
        var index = position
        while index < end {
            let byte = input[index]
            if !byte.isTarget { break }
            if byte == Byte.question, queryMark == nil { queryMark = index }
            index += 1
        }
        position = index
        if index - partStart > limit { throw ParsingError(.oversizedTarget, at: index - 1) }
        if index == end { return false }
        let byte = input[index]
        guard byte == Byte.space, index > partStart else { throw targetFault(byte) }
        head.target = partStart..<index
        begin(.version, at: index + 1)
        return true
    }

    private func targetFault(_ byte: UInt8) -> ParsingError {
        guard byte == Byte.carriageReturn || byte == Byte.lineFeed else {
            return ParsingError(.invalidTarget, at: position, found: byte)
        }
        // RFC 9112 section 2.3: a request line without a version would be HTTP/0.9.
        return ParsingError(position == partStart ? .missingTarget : .missingVersion, at: position, found: byte)
    }

    /// Takes HTTP/1.1 and its line end if all of it is available, which is nearly always the case.
    @inline(__always)
    private mutating func takeUsualVersion(_ input: Span<UInt8>) -> Bool {
        let start = position
        guard input.count - start >= 10, input[start] == UInt8(ascii: "H"), input[start + 1] == UInt8(ascii: "T"),
            input[start + 2] == UInt8(ascii: "T"), input[start + 3] == UInt8(ascii: "P"),
            input[start + 4] == Byte.slash, input[start + 5] == UInt8(ascii: "1"), input[start + 6] == Byte.period,
            input[start + 7] == UInt8(ascii: "1"), input[start + 8] == Byte.carriageReturn,
            input[start + 9] == Byte.lineFeed
        else { return false }
        head.minorVersion = 1
        position = start + 10
        return true
    }

    private mutating func scanVersion(_ input: Span<UInt8>) throws(ParsingError) -> Bool {
        while position < input.count {
            let byte = input[position]
            let index = position - partStart
            let isExpected =
                index < VersionName.length
                ? VersionName.accepts(byte, at: index) : byte == Byte.carriageReturn
            guard isExpected else { throw versionFault(byte) }
            position += 1
            guard byte == Byte.carriageReturn else { continue }
            if input[partStart + 5] != UInt8(ascii: "1") {
                throw ParsingError(.unsupportedVersion, at: partStart + 5)
            }
            head.minorVersion = Int(input[partStart + 7] &- 0x30)
            state = .lineFeed
            return true
        }
        return false
    }

    private func versionFault(_ byte: UInt8) -> ParsingError {
        if position == partStart, byte == Byte.carriageReturn || byte == Byte.lineFeed {
            return ParsingError(.missingVersion, at: position, found: byte)
        }
        let isLineFeed = byte == Byte.lineFeed && position - partStart == 8
        return ParsingError(isLineFeed ? .bareLineFeed : .invalidVersion, at: position, found: byte)
    }

    private mutating func takeLineFeed(_ input: Span<UInt8>) throws(ParsingError) {
        let byte = input[position]
        guard byte == Byte.lineFeed else { throw ParsingError(.bareCarriageReturn, at: position, found: byte) }
        position += 1
    }

    @inline(__always)
    private mutating func finishLine(_ input: Span<UInt8>) throws(ParsingError) {
        guard head.splitTarget(mark: queryMark, of: input) else {
            throw ParsingError(.invalidTarget, at: head.target.lowerBound)
        }
        state = .fields
    }

    @inline(__always)
    private mutating func begin(_ part: State, at start: Int) {
        state = part
        position = start
        partStart = start
    }
}
