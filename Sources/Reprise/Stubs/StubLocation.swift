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
        var rest = text[...]
        if let scheme = text.firstIndex(of: ":"), text[scheme...].hasPrefix("://") {
            let authority = text.index(scheme, offsetBy: 3)
            let end = text[authority...].firstIndex { $0 == "/" || $0 == "?" } ?? text.endIndex
            origin = text[..<end].lowercased()
            rest = text[end...]
        } else {
            origin = nil
        }
        let mark = rest.firstIndex(of: "?")
        hasQuery = mark != nil
        rawQuery = mark.map { rest[rest.index(after: $0)...] } ?? ""
        let path = rest[..<(mark ?? rest.endIndex)]
        rawSegments = (path.first == "/" ? path.dropFirst() : path).split(
            separator: "/",
            omittingEmptySubsequences: false
        )
    }

    /// The name and value pairs in order, decoded like a form.
    var query: [(name: String, value: String)] {
        rawQuery.split(separator: "&").map { pair in
            let equals = pair.firstIndex(of: "=")
            let value = equals.map { pair[pair.index(after: $0)...] } ?? ""
            return (FormText.decoded(pair[..<(equals ?? pair.endIndex)]), FormText.decoded(value))
        }
    }

    /// The pairs in an order that does not depend on how they were written.
    var sortedQuery: [String] {
        // The length in front keeps a decoded name from being mistaken for part of a value.
        query.map { "\($0.name.utf8.count)=\($0.name)=\($0.value)" }.sorted()
    }
}
