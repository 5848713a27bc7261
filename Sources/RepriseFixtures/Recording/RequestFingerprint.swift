// SPDX-License-Identifier: Apache-2.0

/// Tells requests apart that look the same once their secrets are taken out. It holds none of them.
struct RequestFingerprint: Sendable, Hashable {
    /// Whether a secret was in the URL or in a header line.
    let isHeadRedacted: Bool
    private var hash: UInt64 = 0xCBF2_9CE4_8422_2325

    /// The fingerprint of `request`, of which `redacted` is what may be written. Its body is still to come.
    init(_ request: RecordedRequest, redacted: RecordedRequest) {
        isHeadRedacted = request.url != redacted.url || request.headers != redacted.headers
        guard isHeadRedacted else { return }
        append(Array(request.url.utf8))
        // Other lines may differ, in a date or in a length, without being anyone's secret.
        for (line, kept) in zip(request.headers, redacted.headers) where line != kept { append(line.bytes + [0x0A]) }
    }

    /// Takes in a piece of the body.
    mutating func append(_ bytes: [UInt8]) {
        // FNV-1a: it does not matter how a body is cut. Whoever makes two requests collide loses a remark.
        var hash = hash
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
        self.hash = hash
    }
}

/// The redacted requests that there were so far.
struct RedactedRequests {
    private var seen: [Int: RequestFingerprint?] = [:]

    /// Whether `exchange` is the first whose request differs from one before in nothing but a secret.
    mutating func isFirstOfSeveral(_ exchange: FinishedExchange) -> Bool {
        var hasher = Hasher()
        let request = exchange.entry.exchange.request
        // Large bodies are told apart by the names of their files, which say what they hold.
        hasher.combine(RequestPattern(recorded: request, contents: { _ in nil }))
        hasher.combine(exchange.entry.exchange.bodyFiles.first)
        let identity = hasher.finalize()
        guard let known = seen[identity] else {
            seen[identity] = exchange.fingerprint
            return false
        }
        guard let known, known != exchange.fingerprint else { return false }
        // Once is enough.
        seen[identity] = .some(nil)
        return true
    }
}
