// SPDX-License-Identifier: Apache-2.0

/// The directives of Cache-Control (RFC 9111 section 5.2).
struct CacheControl: Sendable, Hashable {
    /// By name in lower case; empty where a directive has no value.
    private var directives: [String: String] = [:]

    init(_ fields: HTTPFields) {
        guard let text = fields[.cacheControl] else { return }
        for directive in Self.split(text) {
            let parts = directive.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = parts.first.map({ Self.trimmed($0).lowercased() }), !name.isEmpty else { continue }
            let value = parts.count > 1 ? Self.trimmed(parts[1]).filter { $0 != "\"" } : ""
            // Of two the stricter: a time that is no number is none.
            if let other = directives[name], Self.seconds(other) < Self.seconds(value) { continue }
            directives[name] = value
        }
    }

    /// Whether a directive is there, with a value or without.
    func has(_ name: String) -> Bool { directives[name] != nil }

    /// The time of a directive; zero if it has one that is no number, nil if it is not there.
    func duration(_ name: String) -> Duration? {
        directives[name].map { .seconds(Self.seconds($0)) }
    }

    /// A number of seconds (RFC 9111 section 1.2.2); at most 2^31, which is "for ever".
    static func seconds(_ text: some StringProtocol) -> Int {
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return 0 }
        return Swift.min(Int(text) ?? .max, 1 << 31)
    }

    /// What stands between commas, but for those in quotes. A quote without an end quotes nothing: a `no-store` behind it
    /// counts.
    private static func split(_ text: String) -> [Substring] {
        let hasPairs = text.utf8.count(where: { $0 == UInt8(ascii: "\"") }).isMultiple(of: 2)
        var isQuoted = false
        return text.split { character in
            if character == "\"", hasPairs { isQuoted.toggle() }
            return character == "," && !isQuoted
        }
    }

    private static func trimmed(_ text: Substring) -> Substring {
        var text = text.drop { $0 == " " || $0 == "\t" }
        while let last = text.last, last == " " || last == "\t" { text.removeLast() }
        return text
    }
}
