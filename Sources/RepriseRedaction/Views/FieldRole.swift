// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// What a field says about the field beside it: `{"name": "API_KEY", "value": "…"}`, `<add key="Password" value="…"/>`.
enum FieldRole: Sendable, Hashable {
    /// The field contains the name of another.
    case name
    /// The field can contain the name of another, or something else about it: `{"type":"password","value":"…"}`.
    case hint
    /// The field contains the value of a name.
    case value
    /// The field can contain the value of a name, or a text about it.
    case text

    /// Whether the field can contain the name of another.
    var describesName: Bool { self == .name || self == .hint }

    /// The roles by the last word of the field's name.
    private static let roles = WordTable<FieldRole>([
        (
            [
                "name", "key", "field", "header", "parameter", "param", "variable", "var", "property", "prop",
                "attribute", "attr", "k", "setting", "option", "env", "n",
            ], .name
        ),
        (["id", "label", "path", "type", "purpose"], .hint),
        (["value", "values", "val", "v", "string"], .value),
        (
            [
                "content", "data", "text", "default", "secret", "contents", "old", "new", "from", "to", "before",
                "after", "previous", "current",
            ], .text
        ),
    ])

    /// The role of a field with this name; `nil` if it has none.
    init?(_ name: Span<UInt8>) {
        guard 1...40 ~= name.count else { return nil }
        var word: UInt64 = 0
        var count: UInt64 = 0
        /// The letter after the current one.
        var next: UInt8 = 0x20
        for index in name.indices.reversed() {
            let byte = name[index]
            guard (byte | 0x20) &- 0x61 < 26 else { break }
            let isSmall = byte & 0x20 != 0
            // The word starts at the first of several uppercase letters, or at the one before lowercase letters.
            if isSmall, next & 0x20 == 0 { break }
            if count < 8 { word |= UInt64(byte | 0x20) << (8 * count) }
            if !isSmall, next & 0x20 != 0, count > 0 { break }
            count &+= 1
            next = byte
        }
        guard let role = Self.roles[word] else { return nil }
        self = role
    }
}
