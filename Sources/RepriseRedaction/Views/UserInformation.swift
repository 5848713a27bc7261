// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// The user name and the password before the host of a URL: `scheme://user:password@host` (RFC 3986 section 3.2.1).
///
/// People write passwords into URLs as they are. A password can contain characters that end the part of a valid URL
/// with the host: `rtsp://admin:x7#kR@camera/live`.
struct UserInformation {
    /// The user name, and what follows it up to the host.
    let range: Range<Int>
    let password: Range<Int>?

    private static let maximumLength = 4096
    /// How far the password can continue after a character that ends the host of a valid URL.
    private static let maximumRest = 256
    /// The characters around a URL in a text.
    private static let delimiters = ByteSet("\"'<>\\`")
    /// The characters that end the host of a valid URL: those that can follow it, and those around the URL.
    private static let ends = delimiters.union(ByteSet("/?#"))

    /// Reads the text after `//`, at `start`. Returns `nil` if the host follows directly.
    init?(_ text: Span<UInt8>, at start: Int) {
        let stop = Self.end(text, start..<min(text.count, start + Self.maximumLength), Self.ends)
        let colon = text.firstIndex(of: UInt8(ascii: ":"), in: start..<stop)
        var at = Self.lastAt(text, start..<stop)
        // Brackets enclose the address of a host.
        if let colon, text[start] != UInt8(ascii: "["),
            let next = Self.at(text, behind: stop, colon, isFirst: at == nil)
        {
            at = next
        }
        // The digest of an image can follow its name: `docker://alpine:3.18@sha256:…`.
        guard let at, !text.has(Self.digest, at: at + 1) else { return nil }
        range = start..<at
        password = colon.flatMap { $0 < at ? $0 + 1..<at : nil }
    }

    private static let digest = Array("sha256:".utf8)

    private static func end(_ text: Span<UInt8>, _ range: Range<Int>, _ ends: ByteSet) -> Int {
        var index = range.lowerBound
        while index < range.upperBound, text[index] > 0x20, !ends.contains(text[index]) { index += 1 }
        return index
    }

    private static func lastAt(_ text: Span<UInt8>, _ range: Range<Int>) -> Int? {
        range.last { text[$0] == UInt8(ascii: "@") }
    }

    /// Returns the index of the `@` before the host, if the character at `stop` is part of the password.
    ///
    /// - Parameter isFirst: Whether no `@` precedes `stop`.
    private static func at(_ text: Span<UInt8>, behind stop: Int, _ colon: Int, isFirst: Bool) -> Int? {
        let limit = end(text, stop..<min(text.count, stop + maximumRest), delimiters)
        // In `https://localhost:8080/a@b`, a path follows the port.
        guard stop < limit, colon + 1 == stop || !(colon + 1..<stop).allSatisfy({ isDigit(text[$0]) }) else {
            return nil
        }
        let isFragment = text[stop] == UInt8(ascii: "#")
        guard isFirst || isFragment else { return nil }
        var first = stop
        while first < limit, text[first] != UInt8(ascii: "@") {
            if !isFirst, text[first] == UInt8(ascii: "/") || text[first] == UInt8(ascii: "?") { return nil }
            first += 1
        }
        guard let at = lastAt(text, first..<end(text, first..<limit, ends)), at + 1 < limit,
            isAlphanumeric(text[at + 1]) || text[at + 1] == UInt8(ascii: "[")
        else { return nil }
        // The port can be a placeholder: `http://localhost:${PORT}/@a`.
        let password = text.extracting(colon + 1..<at)
        let hasForm = password.count >= 6 && PasswordForm(password).kinds >= 3
        return isFragment || hasForm && password[0] != UInt8(ascii: "$") && password[0] != UInt8(ascii: "{") ? at : nil
    }
}

extension DecodedTextScanner {
    private static let authority = Array("://".utf8)

    /// Looks for passwords in URLs.
    mutating func lookAtUserInformation(_ text: Span<UInt8>) {
        var index = 0
        while let colon = text.firstIndex(of: Self.authority, from: index) {
            index = colon + 3
            guard let user = UserInformation(text, at: index) else { continue }
            if let password = user.password {
                if !LiteralWord.isLiteral(text.extracting(password)) { visit(text, password, Verdict()) }
            } else if !isPublicKey(text, user.range) {
                visit(text, user.range, Verdict(isLikely: true))
            }
            index = max(index, user.range.upperBound)
        }
    }

    private static let networks = ["@tcp(", "@tcp6(", "@unix(", "@cloudsql("].map { Array($0.utf8) }

    /// Looks for passwords in the addresses of a MySQL driver: `user:password@tcp(host:3306)/db`.
    mutating func lookAtDriverAddresses(_ text: Span<UInt8>) {
        for at in text.indices
        where text[at] == UInt8(ascii: "@") && Self.networks.contains(where: { text.has($0, at: at) }) {
            var start = at
            while start > 0, at - start < 128, text[start - 1] > 0x20, !"\"'`".utf8.contains(text[start - 1]) {
                start -= 1
            }
            // ``lookAtUserInformation(_:)`` finds the password in a URL such as `mysql://user:password@tcp(host)/db`.
            guard text.firstIndex(of: Self.authority, from: start).map({ $0 < at }) != true,
                let colon = (start..<at).first(where: { text[$0] == UInt8(ascii: ":") && !text.isDefault(at: $0) })
            else { continue }
            let password = colon + 1..<at
            if !LiteralWord.isLiteral(text.extracting(password)) { visit(text, password, Verdict()) }
        }
    }

    /// Whether a user name is a public key, as in the address to which a client reports errors.
    private func isPublicKey(_ text: Span<UInt8>, _ range: Range<Int>) -> Bool {
        range.count == 32 && range.allSatisfy { hexadecimalValue(text[$0]) != nil }
    }
}

extension Span<UInt8> {
    /// Whether the colon belongs to the default value of a shell variable: `${DSN:-…}`.
    fileprivate func isDefault(at colon: Int) -> Bool {
        colon + 1 < count && self[colon + 1] == UInt8(ascii: "-")
    }
}
