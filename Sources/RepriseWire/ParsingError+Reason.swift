// SPDX-License-Identifier: Apache-2.0

extension ParsingError: CustomStringConvertible {
    /// A description of the error for the sender of the message: what was expected, what was found and where.
    public var reason: String {
        var reason = "expected \(kind.expectation)"
        if let found {
            reason += ", found \(Self.spelling(of: found))"
        } else if let finding = kind.finding {
            reason += ", found \(finding)"
        }
        return reason + " (at byte \(offset))"
    }

    /// The kind and the reason.
    public var description: String { "\(kind): \(reason)" }

    private static func spelling(of byte: UInt8) -> String {
        switch byte {
        case 0x09: return "a tab"
        case 0x0A: return "a line feed"
        case 0x0D: return "a carriage return"
        case 0x20: return "a space"
        case 0x21...0x7E: return "'\(Character(Unicode.Scalar(byte)))'"
        default:
            let digits = String(byte, radix: 16, uppercase: true)
            return "byte 0x" + (digits.utf8.count < 2 ? "0" : "") + digits
        }
    }
}

extension ParsingError.Kind {
    fileprivate var expectation: String {
        switch self {
        case .excessiveEmptyLines: "a request line after at most \(RequestParser.maximumEmptyLines) empty lines"
        case .emptyMethod: "a method at the start of the request line"
        case .invalidMethod: "a method made of token characters, then one space"
        case .oversizedMethod: "a method of at most \(RequestParser.maximumMethodLength) bytes"
        case .missingTarget: "a request target after the method"
        case .invalidTarget:
            "a request target: a path, an absolute URL, host:port for CONNECT, or * for OPTIONS, with no whitespace, "
                + "control character or '#'"
        case .oversizedTarget: "a request target within the limit"
        case .missingVersion: "one space and HTTP/1.1 after the request target"
        case .invalidVersion: "HTTP/1.1 or HTTP/1.0, in capitals, and the end of the version"
        case .unsupportedVersion: "HTTP version 1.x"
        case .foundHTTP2, .foundTLS: "a status line of HTTP/1.1"
        case .invalidStatusCode: "a status code of three digits from 100, then a space or the end of the line"
        case .invalidReason: "a reason phrase without control characters"
        case .oversizedReason: "a reason phrase within the limit"
        case .bareLineFeed: "CR LF at the end of a line"
        case .bareCarriageReturn: "a line feed after a carriage return"
        case .emptyFieldName: "a field name before the colon"
        case .invalidFieldName: "a field name made of token characters"
        case .missingColon: "a colon after the field name"
        case .whitespaceBeforeColon: "a colon right after the field name"
        case .foldedLine: "a field name at the start of a line; folded lines are obsolete"
        case .invalidFieldValue: "a field value without control characters"
        case .oversizedHeaderSection: "a header or trailer section within the limit"
        case .excessiveFields: "no more field lines than the limit"
        case .missingHost: "a Host field, which HTTP/1.1 requires"
        case .repeatedHost: "one Host field"
        case .invalidHost: "host or host:port in the Host field"
        case .invalidContentLength: "one decimal number below 2^63 as the Content-Length"
        case .conflictingContentLength: "one Content-Length field"
        case .contentLengthWithTransferEncoding: "either Content-Length or Transfer-Encoding"
        case .invalidTransferEncoding, .unsupportedTransferEncoding: "exactly 'chunked' as the Transfer-Encoding"
        case .unsupportedExpectation: "no expectation other than 100-continue"
        case .oversizedBody: "a body within the limit"
        case .invalidChunkSize: "a chunk size in hexadecimal digits, then CR LF or an extension"
        case .oversizedChunkSize: "a chunk size of at most 16 hexadecimal digits, below 2^63"
        case .invalidChunkExtension: "a chunk extension as ;name, ;name=token or ;name=\"text\""
        case .excessiveChunkExtensions: "chunk extensions in proportion to the body"
        case .unterminatedChunk: "CR LF right after a chunk's data"
        case .truncatedMessage: "the rest of the message"
        }
    }

    /// What was found instead, if it is not a single byte.
    fileprivate var finding: String? {
        switch self {
        case .foundHTTP2: "a frame of HTTP/2"
        case .foundTLS: "a record of TLS"
        case .missingHost: "none"
        case .repeatedHost, .conflictingContentLength: "another one"
        case .contentLengthWithTransferEncoding: "both"
        case .unsupportedVersion: "another major version"
        case .unsupportedTransferEncoding: "a coding that is not implemented"
        case .unsupportedExpectation: "another one"
        case .truncatedMessage: "the end of the connection"
        case .oversizedMethod, .oversizedTarget, .oversizedReason, .oversizedHeaderSection, .excessiveFields,
            .oversizedBody, .excessiveChunkExtensions, .excessiveEmptyLines:
            "more"
        default: nil
        }
    }
}
