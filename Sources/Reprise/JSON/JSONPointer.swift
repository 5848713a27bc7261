// SPDX-License-Identifier: Apache-2.0

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
        tokens = path.split(separator: "/", omittingEmptySubsequences: false).map { Self.unescaped($0) }
    }

    /// Creates a path from text such as `/data/users`.
    public init(stringLiteral text: String) {
        self.init(text)
    }

    /// The path in the form that RFC 6901 defines.
    public var description: String {
        tokens.reduce(into: "") { text, token in text += "/" + Self.escaped(token) }
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

    /// Unescapes a token in one pass from left to right, so that `~01` becomes `~1`, not `/`.
    private static func unescaped(_ token: Substring.UnicodeScalarView) -> String {
        var text = String.UnicodeScalarView()
        var rest = token
        while let tilde = rest.firstIndex(of: "~") {
            text += rest[..<tilde]
            rest = rest[rest.index(after: tilde)...]
            switch rest.first {
            case "0":
                text.append("~")
                rest.removeFirst()
            case "1":
                text.append("/")
                rest.removeFirst()
            // Not valid in a pointer, but a name can contain it.
            default: text.append("~")
            }
        }
        return String(text + rest)
    }

    private static func escaped(_ token: String) -> String {
        var text = ""
        for scalar in token.unicodeScalars {
            switch scalar {
            case "~": text += "~0"
            case "/": text += "~1"
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}
