// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// What a field says about the field beside it: `{"name": "API_KEY", "value": "…"}`, `<add key="Password" value="…"/>`.
enum FieldRole: Sendable, Hashable {
    /// The field contains the name of another.
    case name
    /// The field contains the value of a name.
    case value
    /// The field can contain the value of a name, or a text about it.
    case text

    /// The roles by the last word of the field's name. Words are compared by their last eight letters.
    private static let roles: [UInt64: FieldRole] = {
        let names = [
            "name", "key", "field", "header", "parameter", "param", "variable", "var", "property", "prop", "label",
            "id", "path", "attribute", "attr", "type", "k", "setting", "option", "env", "purpose", "n",
        ]
        let values = ["value", "values", "val", "v", "string"]
        let texts = ["content", "data", "text", "default", "secret", "contents"]
        var roles: [UInt64: FieldRole] = [:]
        for (words, role) in [(names, FieldRole.name), (values, .value), (texts, .text)] {
            for word in words { roles[packed(Array(word.utf8))] = role }
        }
        return roles
    }()

    private static func packed(_ word: [UInt8]) -> UInt64 {
        word.suffix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }

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
            // The word starts at the first of several capitals, or at the capital before small letters.
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
