// SPDX-License-Identifier: Apache-2.0

/// A violation of HTTP/1.1 syntax in received bytes.
public struct ParsingError: Error, Sendable, Hashable {
    /// The kind of violation.
    public let kind: Kind
    /// The offset of the error in the input of the call that threw it.
    public let offset: Int
    /// The byte at that offset, if a single byte is invalid.
    public let found: UInt8?

    package init(_ kind: Kind, at offset: Int, found: UInt8? = nil) {
        self.kind = kind
        self.offset = offset
        self.found = found
    }

    /// The kinds of syntax violations.
    public enum Kind: Sendable, Hashable, CaseIterable {
        // The request line (RFC 9112 section 3).
        case excessiveEmptyLines
        case emptyMethod
        case invalidMethod
        case oversizedMethod
        case missingTarget
        case invalidTarget
        case oversizedTarget
        case missingVersion
        case invalidVersion
        case unsupportedVersion
        // The status line (RFC 9112 section 4).
        case foundHTTP2
        case foundTLS
        case invalidStatusCode
        case invalidReason
        case oversizedReason
        // Lines and fields (RFC 9112 sections 2.2 and 5).
        case bareLineFeed
        case bareCarriageReturn
        case emptyFieldName
        case invalidFieldName
        case missingColon
        case whitespaceBeforeColon
        case foldedLine
        case invalidFieldValue
        case oversizedHeaderSection
        case excessiveFields
        // Meaning of fields (RFC 9112 sections 3.2, 6.1 to 6.3; RFC 9110 section 10.1.1).
        case missingHost
        case repeatedHost
        case invalidHost
        case invalidContentLength
        case conflictingContentLength
        case contentLengthWithTransferEncoding
        case invalidTransferEncoding
        case unsupportedTransferEncoding
        case unsupportedExpectation
        // The body (RFC 9112 sections 6.3, 7.1 and 8).
        case oversizedBody
        case invalidChunkSize
        case oversizedChunkSize
        case invalidChunkExtension
        case excessiveChunkExtensions
        case unterminatedChunk
        case truncatedMessage
    }
}

extension ParsingError {
    /// The status code with which to answer an invalid request.
    ///
    /// It does not apply to invalid responses: a gateway answers those with 502.
    public var status: Int {
        switch kind {
        case .oversizedMethod, .unsupportedTransferEncoding: 501
        case .oversizedTarget: 414
        case .unsupportedVersion: 505
        case .oversizedHeaderSection, .excessiveFields: 431
        case .unsupportedExpectation: 417
        case .oversizedBody: 413
        default: 400
        }
    }
}
