// SPDX-License-Identifier: Apache-2.0

package import RepriseDocuments
internal import RepriseText

/// A value of a request that a matcher looks at: a header field, a query parameter, the content.
package struct MatchedValue {
    /// The value in UTF-8; `nil` if it is missing, or if it is empty content.
    package let bytes: ArraySlice<UInt8>?
    /// The request.
    package let facts: DecodedRequest
    /// Whether the value is the request's content, whose decoded forms are kept for the next matcher.
    package let isContent: Bool

    /// Creates a value.
    package init(_ bytes: ArraySlice<UInt8>?, in facts: DecodedRequest, isContent: Bool = false) {
        self.bytes = bytes
        self.facts = facts
        self.isContent = isContent
    }

    /// Returns another value of the same request.
    func with(_ bytes: ArraySlice<UInt8>?) -> MatchedValue { MatchedValue(bytes, in: facts, isContent: isContent) }

    /// The value as text.
    package var text: String? { bytes.map { String(decoding: $0, as: UTF8.self) } }

    /// The value as JSON; `nil` if it is not JSON.
    package var json: JSONTree? {
        if isContent { return facts.json }
        return bytes.flatMap { facts.json($0) }
    }
}
