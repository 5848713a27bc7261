// SPDX-License-Identifier: Apache-2.0

/// The directives of a Cache-Control header field (RFC 9111 section 5.2).
struct CacheControl: Sendable, Hashable {
    /// The values by lowercase name. A directive without a value has an empty one.
    private var directives: [String: String] = [:]

    init(_ fields: HTTPFields) {
        guard let text = fields[.cacheControl] else { return }
        for directive in Self.split(text) {
            let parts = directive.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
                .map { Substring($0) }
            guard let name = parts.first.map({ $0.trimmed.lowercased() }), !name.isEmpty else { continue }
            let value = parts.count > 1 ? parts[1].trimmed.filter { $0 != "\"" } : ""
            // If a directive occurs twice, the stricter one counts. A time that is not a number counts as zero.
            if let other = directives[name], Self.seconds(other) < Self.seconds(value) { continue }
            directives[name] = value
        }
    }

    /// Whether a directive is present, with or without a value.
    func has(_ name: String) -> Bool { directives[name] != nil }

    /// The time of a directive, or nil if the directive is absent. Zero if its value is not a number.
    func duration(_ name: String) -> Duration? {
        directives[name].map { .seconds(Self.seconds($0)) }
    }

    /// Parses a number of seconds (RFC 9111 section 1.2.2). The maximum is 2^31, which means "forever".
    static func seconds(_ text: some StringProtocol) -> Int {
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return 0 }
        return Swift.min(Int(text) ?? .max, 1 << 31)
    }

    /// Splits the text at commas outside of quotes. An unmatched quote is ignored, so that a `no-store` after it
    /// still counts.
    private static func split(_ text: String) -> [Substring.UTF8View] {
        let hasPairs = text.utf8.count(where: { $0 == UInt8(ascii: "\"") }).isMultiple(of: 2)
        var isQuoted = false
        return text[...].utf8.split { byte in
            if byte == UInt8(ascii: "\""), hasPairs { isQuoted.toggle() }
            return byte == UInt8(ascii: ",") && !isQuoted
        }
    }
}
