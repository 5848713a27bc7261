// SPDX-License-Identifier: Apache-2.0

/// An entity tag, which identifies a version of some content (RFC 9110 section 8.8.3).
package struct EntityTag: Sendable, Hashable {
    /// Whether different content may have the same tag.
    package var isWeak: Bool
    /// The text between the quotes.
    package var text: String

    /// Parses the value of an ETag or If-Range field. Returns `nil` if it is not an entity tag.
    package init?(_ value: String) {
        var rest = Array(value.utf8)[...]
        guard let tag = Self.next(in: &rest), rest.isEmpty else { return nil }
        self = tag
    }

    private init(isWeak: Bool, text: String) {
        self.isWeak = isWeak
        self.text = text
    }

    /// Parses the list in an If-Match or If-None-Match field, without its invalid members.
    static func list(_ value: String) -> [EntityTag] {
        var tags: [EntityTag] = []
        var rest = Array(value.utf8)[...]
        while true {
            rest = rest.drop { $0 == 0x20 || $0 == 0x09 || $0 == UInt8(ascii: ",") }
            if rest.isEmpty { return tags }
            if let tag = next(in: &rest) {
                tags.append(tag)
            } else {
                rest = rest.drop { $0 != UInt8(ascii: ",") }
            }
        }
    }

    /// Parses the tag at the start of `rest` and removes it.
    private static func next(in rest: inout ArraySlice<UInt8>) -> EntityTag? {
        let isWeak = rest.starts(with: "W/".utf8)
        let quoted = isWeak ? rest.dropFirst(2) : rest
        guard quoted.first == UInt8(ascii: "\""),
            let end = quoted.dropFirst().firstIndex(of: UInt8(ascii: "\""))
        else { return nil }
        rest = quoted[(end + 1)...]
        return EntityTag(isWeak: isWeak, text: String(decoding: quoted[(quoted.startIndex + 1)..<end], as: UTF8.self))
    }

    /// Whether the tags are equal and neither is weak. Equal strong tags mean that the content is identical.
    func isStronglyEqual(to other: EntityTag) -> Bool {
        !isWeak && self == other
    }
}
