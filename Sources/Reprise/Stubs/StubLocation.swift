// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// A path or URL taken apart for comparison: of a request, or of a route.
struct StubLocation {
    /// Scheme and authority in lower case; nil for a path alone.
    let origin: String?
    /// What is between the slashes, not decoded, so that an escaped slash is none.
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

    /// The pairs in order, decoded as a form is.
    var query: [(name: String, value: String)] {
        rawQuery.split(separator: "&").map { pair in
            let equals = pair.firstIndex(of: "=")
            let value = equals.map { pair[pair.index(after: $0)...] } ?? ""
            return (FormText.decoded(pair[..<(equals ?? pair.endIndex)]), FormText.decoded(value))
        }
    }

    /// The pairs in an order that does not depend on how they were written.
    var sortedQuery: [String] {
        // No decoded name is mistaken for a part of the value: the lengths are in front.
        query.map { "\($0.name.utf8.count)=\($0.name)=\($0.value)" }.sorted()
    }
}
