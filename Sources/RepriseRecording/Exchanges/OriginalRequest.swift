// SPDX-License-Identifier: Apache-2.0

internal import RepriseCassettes
internal import RepriseFixtures
internal import RepriseMatching
internal import RepriseRedaction
internal import RepriseText

/// A request as it was sent, including its secrets. It is kept in memory during the recording and never written.
struct OriginalRequest: Sendable {
    /// Whether the URL or a header line contained a secret.
    let isHeadRedacted: Bool
    /// A hash that is equal for identical requests.
    private(set) var fingerprint: UInt64 = 0xCBF2_9CE4_8422_2325
    /// The header lines.
    var headers: [HeaderLine] { request.headers }
    private let request: RecordedRequest
    private var body: [UInt8] = []
    private var isBodyWhole = true

    /// Creates an original request. `redacted` is the version that may be written. The body is added later.
    init(_ request: RecordedRequest, redacted: RecordedRequest) {
        self.request = request
        isHeadRedacted = request.url != redacted.url || request.headers != redacted.headers
        guard isHeadRedacted else { return }
        add(Array(request.url.utf8))
        // Unredacted lines, such as dates and lengths, can differ without being secrets.
        for (line, kept) in zip(request.headers, redacted.headers) where line != kept { add(line.bytes + [0x0A]) }
    }

    /// Adds a piece of the body.
    mutating func append(_ bytes: [UInt8]) {
        add(bytes)
        isBodyWhole = isBodyWhole && body.count + bytes.count <= SpillBuffer.limit
        if isBodyWhole { body += bytes } else { body = [] }
    }

    /// Returns the pattern of requests that the exchange answers. If the body was not kept in memory, any body
    /// matches.
    func pattern(of exchange: Exchange) -> RequestPattern {
        let request = exchange.request
        return RequestPattern(recorded: isBodyWhole ? request : request.withoutBody, contents: { _ in nil })
    }

    /// Returns the fields in which this request does not match `recorded`, or `nil` if it matches.
    ///
    /// - Parameter recorded: The pattern, which does not compare bodies in files. Those are large and differ only in
    ///   their secrets.
    func mismatch(_ recorded: RequestPattern) -> String? {
        // A request is recorded without its content coding.
        let own = OwnedRequest(request, body: CodedBody.decoded(body, headers: headers) ?? body)
        guard !recorded.matches(own), !recorded.matches(OwnedRequest(request, body: body)) else { return nil }
        return recorded.verdicts(on: own).filter { !$0.isEqual && $0.isRequired }.map(\.field).joined(separator: ", ")
    }

    private mutating func add(_ bytes: [UInt8]) {
        // FNV-1a, because its result does not depend on how the body is split. A collision only suppresses a note.
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

/// The redacted requests recorded so far.
struct RedactedRequests {
    private var seen: [Int: UInt64?] = [:]

    /// Whether `exchange` is the first whose request differs from an earlier one only in a secret.
    mutating func isFirstWithOtherSecret(_ exchange: Exchange, _ pattern: RequestPattern, fingerprint: UInt64) -> Bool {
        var hasher = Hasher()
        hasher.combine(pattern)
        // Large bodies are distinguished by their file names, which contain a hash of the content.
        if case .file(let file)? = exchange.request.body?.source { hasher.combine(file.name) }
        let identity = hasher.finalize()
        guard let known = seen[identity] else {
            seen[identity] = fingerprint
            return false
        }
        guard let known, known != fingerprint else { return false }
        // One note is enough.
        seen[identity] = .some(nil)
        return true
    }
}
