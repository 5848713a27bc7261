// SPDX-License-Identifier: Apache-2.0

internal import RepriseCassettes
internal import RepriseMatching
internal import RepriseRedaction
internal import RepriseText

/// Some requests of a cassette, named by method and path: `POST /v1/chat`, or by their query too: `GET /users?page=2`.
public struct RequestSelection: Sendable, Hashable, CustomStringConvertible {
    /// As it was written.
    public let description: String
    private let method: String
    private let path: [UInt8]
    private let query: [UInt8]?

    /// The requests that `text` names: a method, a space, and a path. Without a query in it, any query will do. Of a
    /// whole URL, the path and the query count.
    ///
    /// - Throws: ``RecordingError`` if that is not what `text` is.
    public init(_ text: String) throws(RecordingError) {
        let parts = text.split(separator: " ", omittingEmptySubsequences: true)
        guard parts.count == 2, CassetteRules.fault(method: String(parts[0])) == nil,
            CassetteRules.fault(url: String(parts[1]), method: String(parts[0])) == nil
        else {
            throw RecordingError("expected a method and a path such as 'POST /v1/chat', found '\(clipped(text))'")
        }
        let url = URLParts(Array(parts[1].utf8))
        description = text
        method = String(parts[0])
        path = CanonicalPath.canonical(url.path.span)
        query = url.query.map { CanonicalQuery.canonical($0.span) }
    }

    /// What names the same requests in a cassette, where secrets are taken out: a query may have been one.
    func redacted(by redaction: Redaction) -> String {
        let url = description.split(separator: " ").last ?? ""
        return "\(method) \(redaction.redacted(RecordedRequest(method: method, url: String(url))).url)"
    }

    /// Whether it names the request of `method` for `url`.
    public func contains(method: String, url: String) -> Bool {
        guard method == self.method else { return false }
        let url = URLParts(Array(url.utf8))
        guard CanonicalPath.canonical(url.path.span) == path else { return false }
        guard let query else { return true }
        return query == (url.query.map { CanonicalQuery.canonical($0.span) } ?? [])
    }
}
