// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// Finds the secret parts of absolute URLs in a text. In every URL, these are the path segments that would be redacted
/// in the URL of a request, see ``PathSecrets``. In a link that is secret by its name (`"resetLink":"https://…"`), all
/// random parts are secret.
enum LinkSecrets {
    /// The characters before a path: user information, a host, and a port.
    private static let hostBytes = ByteSet.word.union(ByteSet("-.~%:@!$*+="))
    /// The characters of a path and its fragment. Some web pages have a path in the fragment: `/#/reset/x7Rk…`.
    private static let pathBytes = ByteSet.word.union(ByteSet("/-.~%:@!$*+=#"))
    /// The characters of a query.
    private static let queryBytes = pathBytes.union(ByteSet("?&"))

    /// Calls `body` with each secret part of the URL whose scheme and `://` end at `start`. Returns the end of the part
    /// that was read.
    ///
    /// - Parameter isNamed: Whether the name of the link says that it is secret.
    static func forEach(in text: Span<UInt8>, at start: Int, isNamed: Bool, _ body: (Range<Int>) -> Void) -> Int {
        let path = path(in: text, at: start)
        let bytes = text.extracting(path)
        if PathSecrets.hasLongSegment(bytes) {
            for cut in PathSecrets.cuts(in: Array(bytes: bytes)) {
                body(path.lowerBound + cut.range.lowerBound..<path.lowerBound + cut.range.upperBound)
            }
        }
        guard isNamed else { return path.upperBound }
        var end = path.upperBound
        while end < text.count, queryBytes.contains(text[end]) { end += 1 }
        forEachRandomPart(in: text, path.lowerBound..<end, query: path.upperBound, body)
        return end
    }

    /// Returns the path of the URL. The URL of an app has no host, so its path follows `://`: `myapp://reset/x7Rk…`.
    private static func path(in text: Span<UInt8>, at start: Int) -> Range<Int> {
        var path = start
        if text.hasWord(web, at: start - 7) || text.hasWord(secureWeb, at: start - 8) {
            while path < text.count, hostBytes.contains(text[path]) { path += 1 }
        }
        var end = path
        while end < text.count, pathBytes.contains(text[end]) { end += 1 }
        // A final period or exclamation mark ends the sentence and is not part of the link.
        while end > path, text[end - 1] == UInt8(ascii: ".") || text[end - 1] == UInt8(ascii: "!") { end -= 1 }
        return path..<end
    }

    static let (web, secureWeb) = (Array("http".utf8), Array("https".utf8))

    /// Calls `body` with each random part of a link that is secret by its name.
    private static func forEachRandomPart(
        in text: Span<UInt8>,
        _ link: Range<Int>,
        query: Int,
        _ body: (Range<Int>) -> Void
    ) {
        var start = link.lowerBound
        var name: Range<Int>?
        for index in link.lowerBound...link.upperBound {
            if index < link.upperBound {
                if text[index] == UInt8(ascii: "="), index >= query, name == nil {
                    name = start..<index
                    start = index + 1
                }
                guard "/?&#".utf8.contains(text[index]) else { continue }
            }
            let part = start..<index
            if part.count >= PathSecrets.minimumLength, !isIdentifier(text, name), isSecret(text.extracting(part)) {
                body(part)
            }
            name = nil
            start = index + 1
        }
    }

    /// Returns the end of a URL in JSON, or `nil` if the URL can contain a secret.
    ///
    /// - Parameter name: The key of the string, or of an array that contains it.
    static func endOfPlainLink(
        in text: Span<UInt8>,
        at start: Int,
        name: Range<Int>,
        _ names: SecretNames
    ) -> Int? {
        let isNamed = names.verdict(of: text.extracting(name), in: .json)?.kind == .link
        var isFound = false
        let end = forEach(in: text, at: start, isNamed: isNamed) { _ in isFound = true }
        return isFound ? nil : end
    }

    private static func isSecret(_ part: Span<UInt8>) -> Bool {
        !RandomValue.isUUID(part) && !RedactionMarker.occurs(in: part) && RandomValue.looksRandom(part)
    }

    /// The last words of the names of parameters that are not secret: `client_id`, `redirect_uri`.
    private static let identifiers = Set(words: ["id", "ids", "email", "uri", "url", "user"])

    private static func isIdentifier(_ text: Span<UInt8>, _ name: Range<Int>?) -> Bool {
        guard let name, name.count <= 64 else { return false }
        let words = NameWords(text.extracting(name))
        guard let start = words.starts.last else { return false }
        return identifiers.contains(Array(words.letters[start...]))
    }
}

extension DecodedTextScanner {
    private static let authority = Array("://".utf8)

    /// Looks for secrets in the absolute URLs of a text.
    mutating func lookAtLinks(_ text: Span<UInt8>) {
        var index = 0
        var secrets: [Range<Int>] = []
        while let colon = text.firstIndex(of: Self.authority, from: index) {
            index = LinkSecrets.forEach(in: text, at: colon + 3, isNamed: isLink) { secrets.append($0) }
        }
        for secret in secrets { cut(secret) }
    }
}
