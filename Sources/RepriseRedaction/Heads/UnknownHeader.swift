// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// Decides on the value of a header field whose name says nothing: `X-Honeycomb-Team: 3f9a…`. It is secret if it is
/// one random text, with or without a scheme.
enum UnknownHeader {
    /// The minimum length of a value. Shorter random texts are often identifiers and hashes.
    private static let minimumLength = 20

    /// Whether the value is a secret.
    static func hides(_ value: Span<UInt8>, of name: Span<UInt8>) -> Bool {
        guard value.count >= minimumLength, isMixed(value), !isHarmless(name) else { return false }
        return !RedactionMarker.occurs(in: value) && RandomValue.looksRandom(value)
    }

    /// Whether the value is free of quotes, and of the separators between several values, and has letters and digits.
    private static func isMixed(_ value: Span<UInt8>) -> Bool {
        var (letters, digits) = (0, 0)
        for index in value.indices {
            let byte = value[index]
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: ","), UInt8(ascii: ";"): return false
            default:
                if isDigit(byte) { digits += 1 } else if (byte | 0x20) &- 0x61 < 26 { letters += 1 }
            }
        }
        return letters > 0 && digits > 0
    }

    /// Whether a word of the name says that the value identifies, describes or locates something.
    private static func isHarmless(_ name: Span<UInt8>) -> Bool {
        let words = NameWords(name)
        // `ETag`.
        if harmlessWords.contains(words.letters) { return true }
        for (number, start) in words.starts.enumerated() {
            let end = number + 1 < words.starts.count ? words.starts[number + 1] : words.letters.count
            if harmlessWords.contains(Array(words.letters[start..<end])) { return true }
        }
        return false
    }

    private static let harmlessWords: Set<[UInt8]> = Set(
        [
            "accept", "age", "agent", "allow", "b", "baggage", "boundary", "bucket", "build", "cache", "cf", "checksum",
            "commit",
            "content", "control", "correlation", "crc", "csrf", "csrftoken", "cursor", "date", "delivery", "deployment",
            "digest",
            "disposition", "encoding", "etag", "expect", "expires", "fingerprint", "forwarded", "generation", "hash",
            "host",
            "id", "idempotency", "identifier", "ids", "if", "instance", "invocation", "language", "limit", "link",
            "location",
            "logid", "match", "md",
            "modified", "nel", "next", "node", "org", "organisation", "organization", "origin", "page", "parent", "pin",
            "pins", "policy", "powered",
            "protocol",
            "public", "queryid", "range", "ratelimit", "ray", "ref", "referer", "referrer", "region", "release",
            "report",
            "reporting", "request",
            "requestid",
            "retry", "revision", "route", "sampled", "sec", "served", "server", "sha", "since", "sourcemap", "span",
            "state",
            "status", "timer", "timing", "trace", "traceid", "traceparent", "tracestate", "tracking", "transfer", "tus",
            "type",
            "upgrade", "upload", "user", "uuid", "vary", "version", "versions", "via", "xsrf",
        ].map { Array($0.utf8) }
    )
}
