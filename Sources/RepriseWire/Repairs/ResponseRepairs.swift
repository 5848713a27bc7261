// SPDX-License-Identifier: Apache-2.0

/// What was repaired in a response that is not valid HTTP/1.1, but can only mean one thing.
public struct ResponseRepairs: OptionSet, Sendable, Hashable {
    /// One bit for each repair.
    public let rawValue: UInt16

    /// Creates a set from its bits.
    public init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    /// Empty lines before the status line were removed.
    public static let leadingLines = ResponseRepairs(rawValue: 1 << 0)
    /// The name of the protocol was written in capitals, or additional spaces were removed.
    public static let statusLine = ResponseRepairs(rawValue: 1 << 1)
    /// A line that ended with a line feed alone, or with several carriage returns, ends with CR LF.
    public static let lineEnds = ResponseRepairs(rawValue: 1 << 2)
    /// A folded line was joined with a space (RFC 9112 section 5.2).
    public static let foldedLines = ResponseRepairs(rawValue: 1 << 3)
    /// Whitespace before a colon was removed (RFC 9112 section 5.1).
    public static let whitespaceBeforeColon = ResponseRepairs(rawValue: 1 << 4)
    /// A line whose name is not a token was removed.
    public static let fieldNames = ResponseRepairs(rawValue: 1 << 5)
    /// Several equal values of Content-Length became one (RFC 9112 section 6.3).
    public static let repeatedLength = ResponseRepairs(rawValue: 1 << 6)
    /// Content-Length was removed, because the body is chunked (RFC 9112 section 6.3).
    public static let lengthBesideChunks = ResponseRepairs(rawValue: 1 << 7)
    /// `identity` or a repeated `chunked` was removed from Transfer-Encoding.
    public static let transferEncoding = ResponseRepairs(rawValue: 1 << 8)
    /// A line of the chunked coding ended with a line feed alone.
    public static let chunkLineEnds = ResponseRepairs(rawValue: 1 << 9)
    /// A malformed chunk extension was ignored.
    public static let chunkExtensions = ResponseRepairs(rawValue: 1 << 10)

    /// Whether another recipient could have found another end of the body. The connection must not be used for another
    /// request (RFC 9112 section 6.3).
    public var isFramingInDoubt: Bool { !isDisjoint(with: [.lengthBesideChunks, .transferEncoding]) }
}

extension ResponseRepairs: CustomStringConvertible {
    /// The repairs in words, such as `joined folded lines`, separated by semicolons.
    public var description: String {
        Self.phrases.filter { contains($0.repair) }.map(\.phrase).joined(separator: "; ")
    }

    private static var phrases: [(repair: ResponseRepairs, phrase: String)] {
        [
            (.leadingLines, "removed empty lines before the status line"),
            (.statusLine, "corrected the spelling of the status line"),
            (.lineEnds, "ended lines with CR LF"),
            (.foldedLines, "joined folded header lines"),
            (.whitespaceBeforeColon, "removed whitespace before a colon"),
            (.fieldNames, "removed header lines with an invalid name"),
            (.repeatedLength, "kept one of several equal values of Content-Length"),
            (.lengthBesideChunks, "removed Content-Length, because the body is chunked"),
            (.transferEncoding, "removed identity or a repeated chunked from Transfer-Encoding"),
            (.chunkLineEnds, "ended lines of the chunked coding with CR LF"),
            (.chunkExtensions, "ignored malformed chunk extensions"),
        ]
    }
}
