// SPDX-License-Identifier: Apache-2.0

internal import RepriseCassettes
internal import RepriseFixtures
internal import RepriseMatching
internal import RepriseText

/// A request as it was sent, while its exchange is recorded: it never leaves the memory.
struct OriginalRequest: Sendable {
    /// Whether a secret was in the URL or in a header line.
    let isHeadRedacted: Bool
    /// What requests have in common that differ in nothing.
    private(set) var fingerprint: UInt64 = 0xCBF2_9CE4_8422_2325
    /// The header lines.
    var headers: [HeaderLine] { request.headers }
    private let request: RecordedRequest
    private var body: [UInt8] = []
    private var isBodyWhole = true

    /// The `request`, of which `redacted` is what may be written. Its body is still to come.
    init(_ request: RecordedRequest, redacted: RecordedRequest) {
        self.request = request
        isHeadRedacted = request.url != redacted.url || request.headers != redacted.headers
        guard isHeadRedacted else { return }
        add(Array(request.url.utf8))
        // Other lines may differ, in a date or in a length, without being anyone's secret.
        for (line, kept) in zip(request.headers, redacted.headers) where line != kept { add(line.bytes + [0x0A]) }
    }

    /// Takes in a piece of the body.
    mutating func append(_ bytes: [UInt8]) {
        add(bytes)
        isBodyWhole = isBodyWhole && body.count + bytes.count <= SpillBuffer.limit
        if isBodyWhole { body += bytes } else { body = [] }
    }

    /// Which requests are answered as the exchange with this one is. Of a body that is not at hand, any will do.
    func pattern(of exchange: Exchange) -> RequestPattern {
        let request = exchange.request
        return RequestPattern(recorded: isBodyWhole ? request : request.withoutBody, contents: { _ in nil })
    }

    /// The fields by which `recorded` would not answer this request again; `nil` if it would.
    ///
    /// - Parameter recorded: compares no body that is in a file: a large one, as it was but for its secrets.
    func mismatch(_ recorded: RequestPattern) -> String? {
        let own = OwnedRequest(request, body: body)
        guard !recorded.matches(own) else { return nil }
        return recorded.verdicts(on: own).filter { !$0.isEqual && $0.isRequired }.map(\.field).joined(separator: ", ")
    }

    private mutating func add(_ bytes: [UInt8]) {
        // FNV-1a: it does not matter how a body is cut. Whoever makes two requests collide loses a remark.
        var hash = fingerprint
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
        fingerprint = hash
    }
}

extension RecordedRequest {
    fileprivate var withoutBody: RecordedRequest {
        var copy = self
        copy.body = nil
        copy.comparesBody = false
        return copy
    }
}

/// The redacted requests that there were so far.
struct RedactedRequests {
    private var seen: [Int: UInt64?] = [:]

    /// Whether `exchange` is the first whose request differs from one before in nothing but a secret.
    mutating func isFirstOfSeveral(_ exchange: Exchange, _ pattern: RequestPattern, fingerprint: UInt64) -> Bool {
        var hasher = Hasher()
        hasher.combine(pattern)
        // Large bodies are told apart by the names of their files, which say what they hold.
        if case .file(let file)? = exchange.request.body?.source { hasher.combine(file.name) }
        let identity = hasher.finalize()
        guard let known = seen[identity] else {
            seen[identity] = fingerprint
            return false
        }
        guard let known, known != fingerprint else { return false }
        // Once is enough.
        seen[identity] = .some(nil)
        return true
    }
}
