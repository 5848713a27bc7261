// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// The parts of a path or URL for comparing a request with a route.
struct StubLocation {
    /// The scheme and authority in lowercase, or nil for a path alone.
    let origin: String?
    /// The segments between the slashes, not decoded, so that an escaped slash does not separate segments.
    let rawSegments: [Substring]
    let hasQuery: Bool
    private let rawQuery: Substring

    init(of request: HTTPRequest) {
        self.init(request.urlText)
    }

    init(_ text: String) {
        let url = URLReference(text)
        // A path can look like the start of a URL: `messages:batch` has no scheme, and `//cdn` no authority.
        let isURL = url.scheme != nil && url.authority != nil
        origin = isURL ? "\(url.scheme ?? "")://\(url.authority ?? "")".lowercased() : nil
        let mark = text.utf8.firstIndex(of: UInt8(ascii: "?"))
        let path = (isURL ? url.path : text[..<(mark ?? text.endIndex)]).utf8
        let query = isURL ? url.query : mark.map { text[text.utf8.index(after: $0)...] }
        hasQuery = query != nil
        rawQuery = query ?? ""
        rawSegments = (path.first == UInt8(ascii: "/") ? path.dropFirst() : path)
            .split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map { Substring($0) }
    }

    /// The name and value pairs in order, decoded like a form.
    var query: [(name: String, value: String)] { FormText.decodedPairs(rawQuery) }

    /// The pairs in an order that does not depend on how they were written.
    var sortedQuery: [String] {
        // The length in front keeps a decoded name from being mistaken for part of a value.
        query.map { "\($0.name.utf8.count)=\($0.name)=\($0.value)" }.sorted()
    }
}
