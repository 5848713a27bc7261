// SPDX-License-Identifier: Apache-2.0

internal import RepriseDocuments
internal import RepriseText

/// How parts of a stub were spelled in the JSON that it was read from, so that they are written in the same way: with
/// the older or the newer name of a field, with defaults or without. Two stubs that differ only in this are equal.
package struct StubSpelling: Sendable, Hashable {
    /// The value of `request`.
    var request: ArraySlice<UInt8>?
    /// The value of `response`.
    var response: ArraySlice<UInt8>?
    /// The values of `postServeActions` and `serveEventListeners`, by name.
    var listeners: [Listeners] = []

    struct Listeners: Sendable {
        var name: String
        var text: ArraySlice<UInt8>
    }

    package static func == (one: StubSpelling, other: StubSpelling) -> Bool { true }

    package func hash(into hasher: inout Hasher) {}

    /// Returns a part as JSON; `nil` if there is none, or if it is so deep that readers may not accept it within the
    /// JSON around it.
    static func tree(_ text: ArraySlice<UInt8>?) -> JSONTree? {
        guard let text, let tree = try? JSONTree(parsing: Array(text)) else { return nil }
        return StubMappingWriter.isDeeper(than: 64, tree) ? nil : tree
    }
}
