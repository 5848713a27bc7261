// SPDX-License-Identifier: Apache-2.0

/// The framing and connection fields of a request or response head.
///
/// Any ambiguity about where a body ends is an error, even where RFC 9112 section 6.3 lets a recipient choose. Two
/// parsers that choose differently make request smuggling possible.
struct FramingFields: Sendable {
    private(set) var contentLength: Int?
    /// Whether `chunked` is the last transfer coding.
    private(set) var isChunked = false
    /// The offset of the first transfer coding other than `chunked`.
    private var unsupportedCoding: Int?
    private var transferEncodings = 0
    private(set) var hasClose = false
    private(set) var hasKeepAlive = false

    /// Records Content-Length: one field, one number, no Transfer-Encoding (RFC 9112 sections 6.2 and 6.3).
    mutating func noteContentLength(_ range: Range<Int>, of input: Span<UInt8>) throws(ParsingError) {
        guard let length = FieldValue.decimal(at: range, of: input) else {
            throw ParsingError(.invalidContentLength, at: range.lowerBound)
        }
        if contentLength != nil { throw ParsingError(.conflictingContentLength, at: range.lowerBound) }
        if transferEncodings > 0 { throw ParsingError(.contentLengthWithTransferEncoding, at: range.lowerBound) }
        contentLength = length
    }

    /// Records Transfer-Encoding: a valid list in which nothing follows `chunked` (RFC 9112 section 6.1). Several
    /// fields are one list.
    mutating func noteTransferEncoding(_ range: Range<Int>, of input: Span<UInt8>) throws(ParsingError) {
        if contentLength != nil { throw ParsingError(.contentLengthWithTransferEncoding, at: range.lowerBound) }
        if isChunked { throw ParsingError(.invalidTransferEncoding, at: range.lowerBound) }
        transferEncodings += 1
        if FieldValue.matches(range, of: input, "chunked") {
            isChunked = true
        } else {
            isChunked = try Self.endsWithChunked(range, of: input)
            if unsupportedCoding == nil { unsupportedCoding = range.lowerBound }
        }
    }

    /// Rejects transfer codings other than `chunked`. Call this method at the end of the fields, since fields that
    /// follow can make an unsupported list an invalid one.
    func checkTransferCodings() throws(ParsingError) {
        guard let unsupportedCoding else { return }
        let isInvalid = transferEncodings > 1 && !isChunked
        throw ParsingError(isInvalid ? .invalidTransferEncoding : .unsupportedTransferEncoding, at: unsupportedCoding)
    }

    /// Records Connection: `close` and `keep-alive`, anywhere in the list (RFC 9112 section 9.3).
    mutating func noteConnection(_ range: Range<Int>, of input: Span<UInt8>) {
        var list = FieldValue.List(range)
        while let option = list.next(in: input) {
            guard option.count == 5 || option.count == 10 else { continue }
            let word = FoldedWord.word(at: option, of: input)
            if option.count == 5 {
                if word == FoldedWord.close { hasClose = true }
            } else if word == FoldedWord.epAlive {
                let start = option.lowerBound..<option.lowerBound + 2
                if FoldedWord.word(at: start, of: input) == FoldedWord.ke { hasKeepAlive = true }
            }
        }
    }

    /// Whether the connection stays open after a message of the given version (RFC 9112 section 9.3). A chunked
    /// message in HTTP/1.0 is accepted, but the connection is not reused (section 6.1).
    func isKeepAlive(minorVersion: Int) -> Bool {
        if hasClose { return false }
        return minorVersion >= 1 || hasKeepAlive && !isChunked
    }

    /// Returns whether a list with a coding other than `chunked` ends with `chunked`.
    ///
    /// - Throws: ``ParsingError`` if the list is malformed: `chunked` alone, not last or with parameters, or elements
    ///   that are empty or not tokens.
    private static func endsWithChunked(_ range: Range<Int>, of input: Span<UInt8>) throws(ParsingError) -> Bool {
        let malformed = ParsingError(.invalidTransferEncoding, at: range.lowerBound)
        guard !range.isEmpty, input[range.upperBound - 1] != Byte.comma else { throw malformed }
        var list = FieldValue.List(range)
        var hasOther = false
        var hasChunked = false
        while let element = list.next(in: input) {
            var nameEnd = element.lowerBound
            while nameEnd < element.upperBound, input[nameEnd].isToken { nameEnd += 1 }
            let name = element.lowerBound..<nameEnd
            guard !hasChunked, !name.isEmpty, name == element || input[nameEnd] == Byte.semicolon else {
                throw malformed
            }
            if FieldValue.matches(name, of: input, "chunked") {
                guard name == element else { throw malformed }
                hasChunked = true
            } else {
                hasOther = true
            }
        }
        guard hasOther else { throw malformed }
        return hasChunked
    }
}
