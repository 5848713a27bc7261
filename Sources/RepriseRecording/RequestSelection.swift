// SPDX-License-Identifier: Apache-2.0

internal import RepriseCassettes
internal import RepriseMatching
internal import RepriseRedaction
internal import RepriseText

/// A selection of requests in a cassette by method and path, such as `POST /v1/chat`, and optionally by query, such
/// as `GET /users?page=2`.
public struct RequestSelection: Sendable, Hashable, CustomStringConvertible {
    /// The selection as it was written.
    public let description: String
    private let method: String
    private let path: [UInt8]
    private let query: [UInt8]?

    /// Creates a selection from a method, a space and a path. Without a query, the selection includes requests with any
    /// query. If `text` has a full URL, only its path and query are used.
    ///
    /// - Throws: ``RecordingError`` if `text` does not have this form.
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

    /// Returns the selection with secrets in its query redacted, as they are in the cassette's URLs.
    func redacted(by redaction: Redaction) -> String {
        let url = description.split(separator: " ").last ?? ""
        return "\(method) \(redaction.redacted(RecordedRequest(method: method, url: String(url))).url)"
    }

    /// Returns whether the selection contains a request of `method` for `url`.
    package func contains(method: String, url: String) -> Bool {
        guard method == self.method else { return false }
        let url = URLParts(Array(url.utf8))
        guard CanonicalPath.canonical(url.path.span) == path else { return false }
        guard let query else { return true }
        return query == (url.query.map { CanonicalQuery.canonical($0.span) } ?? [])
    }
}
