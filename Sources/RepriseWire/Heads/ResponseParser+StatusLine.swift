// SPDX-License-Identifier: Apache-2.0

extension ResponseParser {
    /// Continues parsing the status line (RFC 9112 section 4) at the start of the input. Returns true if it is
    /// complete.
    mutating func parseStatusLine(_ input: Span<UInt8>, limit: Int) throws(ParsingError) -> Bool {
        while position < input.count {
            let byte = input[position]
            switch state {
            case .version: try takeVersion(byte, of: input)
            case .code: try takeCode(byte, of: input)
            case .reason: try takeReason(byte)
            case .lineFeed:
                guard byte == Byte.lineFeed else { throw ParsingError(.bareCarriageReturn, at: position, found: byte) }
                state = .fields
            case .fields, .complete: return true
            }
            position += 1
            if state == .fields { return true }
            if state == .reason, position > limit { throw ParsingError(.oversizedReason, at: position - 1) }
        }
        return false
    }

    private mutating func takeVersion(_ byte: UInt8, of input: Span<UInt8>) throws(ParsingError) {
        guard position == VersionName.length else {
            guard VersionName.accepts(byte, at: position) else {
                // `HTTP/2 200`, as tools print it.
                if position == 6, byte == Byte.space, input[5] != UInt8(ascii: "1") {
                    throw ParsingError(.unsupportedVersion, at: 5, found: input[5])
                }
                throw ParsingError(.invalidVersion, at: position, found: byte)
            }
            return
        }
        guard byte == Byte.space else { throw ParsingError(.invalidVersion, at: position, found: byte) }
        guard input[5] == UInt8(ascii: "1") else {
            throw ParsingError(.unsupportedVersion, at: 5, found: input[5])
        }
        head.minorVersion = Int(input[7] &- 0x30)
        head.status = 0
        state = .code
    }

    private mutating func takeCode(_ byte: UInt8, of input: Span<UInt8>) throws(ParsingError) {
        let start = VersionName.length + 1
        if position < start + 3 {
            guard byte.isDigit, position > start || byte != UInt8(ascii: "0") else {
                throw ParsingError(.invalidStatusCode, at: position, found: byte)
            }
            head.status = head.status * 10 + Int(byte &- 0x30)
        } else if byte == Byte.space {
            head.reason = position + 1..<position + 1
            state = .reason
        } else if byte == Byte.carriageReturn {
            // The grammar requires a space here even before an empty reason, but many servers omit it.
            finishLine()
        } else {
            let isLineFeed = byte == Byte.lineFeed
            throw ParsingError(isLineFeed ? .bareLineFeed : .invalidStatusCode, at: position, found: byte)
        }
    }

    private mutating func takeReason(_ byte: UInt8) throws(ParsingError) {
        if byte.isFieldContent { return }
        guard byte == Byte.carriageReturn else {
            let isLineFeed = byte == Byte.lineFeed
            throw ParsingError(isLineFeed ? .bareLineFeed : .invalidReason, at: position, found: byte)
        }
        head.reason = head.reason.map { $0.lowerBound..<position }
        finishLine()
    }

    private mutating func finishLine() {
        head.statusLine = 0..<position
        head.statusText = VersionName.length + 1..<position
        state = .lineFeed
    }
}
