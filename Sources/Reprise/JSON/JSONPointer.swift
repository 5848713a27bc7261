// SPDX-License-Identifier: Apache-2.0

/// Where a value stands in a JSON text: `/data/users/0/name` (RFC 6901).
///
/// A `/` in a name is written `~1`, and a `~` is `~0`. The empty path is the whole text. The first slash may be missing,
/// as in `data/users`.
public struct JSONPointer: Sendable, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The names and indexes on the way, as they are meant.
    public let tokens: [String]

    /// A path of these names and indexes.
    public init(tokens: [String]) {
        self.tokens = tokens
    }

    /// A path as it is written.
    public init(_ text: String) {
        guard !text.isEmpty else {
            tokens = []
            return
        }
        let path = text.hasPrefix("/") ? text.dropFirst() : text[...]
        tokens = path.split(separator: "/", omittingEmptySubsequences: false).map { Self.unescaped($0) }
    }

    /// A path as it is written.
    public init(stringLiteral text: String) {
        self.init(text)
    }

    /// The path as RFC 6901 writes it.
    public var description: String {
        tokens.reduce(into: "") { text, token in text += "/" + Self.escaped(token) }
    }

    /// The index that a token is (section 4): digits without leading zeros.
    static func index(_ token: String) -> Int? {
        let digits = token.utf8
        guard digits.allSatisfy({ (0x30...0x39).contains($0) }), digits.count == 1 || digits.first != 0x30 else {
            return nil
        }
        return Int(token)
    }

    /// Once from left to right: `~01` is `~1`, not `/`.
    private static func unescaped(_ token: Substring) -> String {
        guard token.contains("~") else { return String(token) }
        var text = ""
        var rest = token
        while let tilde = rest.firstIndex(of: "~") {
            text += rest[..<tilde]
            rest = rest[rest.index(after: tilde)...]
            switch rest.first {
            case "0":
                text += "~"
                rest.removeFirst()
            case "1":
                text += "/"
                rest.removeFirst()
            // No pointer has that; a name does.
            default: text += "~"
            }
        }
        return text + rest
    }

    private static func escaped(_ token: String) -> String {
        var text = ""
        for character in token {
            switch character {
            case "~": text += "~0"
            case "/": text += "~1"
            default: text.append(character)
            }
        }
        return text
    }
}
