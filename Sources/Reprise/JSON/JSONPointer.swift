// SPDX-License-Identifier: Apache-2.0

internal import RepriseDocuments

/// The path to a value in a JSON text (RFC 6901), such as `/data/users/0/name`.
///
/// A `/` in a name is written `~1`, and a `~` is written `~0`. The empty path refers to the whole text. The leading
/// slash is optional, as in `data/users`.
public struct JSONPointer: Sendable, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The names and indexes that make up the path, unescaped.
    public let tokens: [String]

    /// Creates a path from unescaped names and indexes.
    public init(tokens: [String]) {
        self.tokens = tokens
    }

    /// Creates a path from text such as `/data/users`.
    public init(_ text: String) {
        guard !text.isEmpty else {
            tokens = []
            return
        }
        // By scalars, because a slash followed by a combining accent is a single `Character`.
        let path = text.unicodeScalars.first == "/" ? text.unicodeScalars.dropFirst() : text[...].unicodeScalars
        tokens = path.split(separator: "/", omittingEmptySubsequences: false).map { name(ofPointerPart: $0) }
    }

    /// Creates a path from text such as `/data/users`.
    public init(stringLiteral text: String) {
        self.init(text)
    }

    /// The path in the form that RFC 6901 defines.
    public var description: String {
        tokens.reduce(into: "") { text, token in text += "/" + pointerPart(token) }
    }

    /// Returns the array index that a token represents (section 4: digits without leading zeros), or nil if it is not
    /// an index.
    static func index(_ token: String) -> Int? {
        let digits = token.utf8
        guard digits.allSatisfy({ (0x30...0x39).contains($0) }), digits.count == 1 || digits.first != 0x30 else {
            return nil
        }
        return Int(token)
    }
}
