// SPDX-License-Identifier: Apache-2.0

private import RepriseText

/// A link of a Link field (RFC 8288 section 3).
struct LinkField: Sendable, Hashable {
    /// The target as written, often relative.
    let target: String
    /// The relation types, in lowercase.
    let relations: [String]

    /// Returns the links of a field's value, in order.
    ///
    /// Parsing is lenient (RFC 8288 appendix B.2). Links with an anchor are skipped, because they start at another
    /// resource than the response. A value that is not a list of links ends where it is invalid.
    static func links(in value: String) -> [LinkField] {
        var reader = Reader(rest: value.utf8[...])
        var links: [LinkField] = []
        while let link = reader.next() {
            if let link { links.append(link) }
        }
        return links
    }

    private struct Reader {
        var rest: Substring.UTF8View

        /// Returns the next link, an inner nil for a link to skip, or nil at the end.
        mutating func next() -> LinkField?? {
            skip { isSpace($0) || $0 == UInt8(ascii: ",") }
            guard take(UInt8(ascii: "<")), let end = rest.firstIndex(of: UInt8(ascii: ">")) else { return nil }
            let target = String(Substring(rest[..<end]))
            rest = rest[rest.index(after: end)...]
            var relations: [String]?
            var hasAnchor = false
            while let (name, value) = parameter() {
                switch name {
                // Only the first one counts (RFC 8288 section 3.3).
                case "rel" where relations == nil:
                    relations = value.lowercased().utf8.split(separator: 0x20).map { String(Substring($0)) }
                case "anchor": hasAnchor = true
                default: break
                }
            }
            guard !hasAnchor else { return .some(nil) }
            return LinkField(target: target.trimmed, relations: relations ?? [])
        }

        /// Returns the next parameter, with its name in lowercase, or nil if the link has no more.
        private mutating func parameter() -> (name: String, value: String)? {
            while true {
                skip(isSpace)
                guard take(UInt8(ascii: ";")) else { return nil }
                skip(isSpace)
                let name = text {
                    !isSpace($0) && ![UInt8(ascii: "="), UInt8(ascii: ";"), UInt8(ascii: ",")].contains($0)
                }
                skip(isSpace)
                guard take(UInt8(ascii: "=")) else {
                    if name.isEmpty { continue }
                    return (name.lowercased(), "")
                }
                skip(isSpace)
                if take(UInt8(ascii: "\"")) { return (name.lowercased(), quotedText()) }
                return (name.lowercased(), text { $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: ",") }.trimmed)
            }
        }

        /// Returns the text up to the closing quotation mark, without the backslashes that escape characters.
        private mutating func quotedText() -> String {
            var bytes: [UInt8] = []
            while let byte = rest.popFirst() {
                if byte == UInt8(ascii: "\"") { break }
                if byte == UInt8(ascii: "\\"), let escaped = rest.popFirst() {
                    bytes.append(escaped)
                } else {
                    bytes.append(byte)
                }
            }
            return String(decoding: bytes, as: UTF8.self)
        }

        private mutating func text(while isPart: (UInt8) -> Bool) -> String {
            let part = rest.prefix(while: isPart)
            rest = rest[part.endIndex...]
            return String(Substring(part))
        }

        private mutating func skip(_ isSkipped: (UInt8) -> Bool) {
            rest = rest.drop(while: isSkipped)
        }

        private mutating func take(_ byte: UInt8) -> Bool {
            guard rest.first == byte else { return false }
            rest = rest.dropFirst()
            return true
        }
    }
}

private func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

extension HTTPFields {
    /// Returns the target of the first link with a relation type, or nil if there is none.
    func link(rel relation: String) -> String? {
        let relation = relation.lowercased()
        for field in self[fields: .link] {
            let link = LinkField.links(in: field.value).first { $0.relations.contains(relation) }
            if let link { return link.target }
        }
        return nil
    }
}

extension HTTPField.Name {
    /// The Link field (RFC 8288).
    static let link = Self("Link")!
}

extension BufferedResponse {
    /// Returns the target of the first link in the Link field with a relation type (RFC 8288), or nil if there is
    /// none.
    ///
    /// The target is an absolute URL if ``url`` is known. Otherwise it is as the server wrote it, often a path. To
    /// send a call to it, use ``Call/following(_:rel:)``.
    ///
    /// - Parameter relation: The relation type, such as `next`, `prev`, or `last`. Case does not matter.
    public func link(rel relation: String) -> String? {
        headers.link(rel: relation).map { URLReference.resolve($0, against: url) }
    }
}

extension Response {
    /// Returns the target of the first link in the Link field with a relation type (RFC 8288), or nil if there is
    /// none. See ``BufferedResponse/link(rel:)``.
    public func link(rel relation: String) -> String? {
        headers.link(rel: relation).map { URLReference.resolve($0, against: url) }
    }
}
