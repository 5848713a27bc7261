// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// A JSON value with its place, for readers that report mistakes with a pointer, a line, and a column.
package struct JSONNode: Sendable {
    package var value: Value
    /// The offset of the first byte. In a value without a text, the number of the value in the order of the text, in
    /// which the names of members are numbered too.
    package let offset: Int
    /// The range of an array or object in the text that was read. Empty for all other values.
    package let range: Range<Int>

    package enum Value: Sendable {
        /// `null`, a boolean, a number, or a string.
        case scalar(JSONTree)
        case array([JSONNode])
        /// All members, even if several have the same name.
        case object([Member])
    }

    package struct Member: Sendable {
        package var name: String
        /// The offset of the name's quotation mark.
        package var offset: Int
        package var value: JSONNode
    }

    private init(_ value: Value, at offset: Int, _ range: Range<Int> = 0..<0) {
        self.value = value
        self.offset = offset
        self.range = range
    }

    // MARK: Reading

    /// Creates the nodes of a value without a text.
    package init(_ tree: JSONTree) {
        var count = 0
        self.init(tree, &count)
    }

    private init(_ tree: JSONTree, _ count: inout Int) {
        let offset = count
        count += 1
        switch tree {
        case .array(let elements):
            self.init(.array(elements.map { JSONNode($0, &count) }), at: offset)
        case .object(let members):
            var nodes: [Member] = []
            for member in members {
                let place = count
                count += 1
                nodes.append(Member(name: member.name, offset: place, value: JSONNode(member.value, &count)))
            }
            self.init(.object(nodes), at: offset)
        default:
            self.init(.scalar(tree), at: offset)
        }
    }

    /// Reads the next value of a text.
    ///
    /// - Parameter place: Returns the offset to report for an offset in the text.
    package init(_ reader: inout JSONReader, place: (Int) -> Int) throws(JSONError) {
        self = try Self.node(try reader.next(), &reader, place)
    }

    /// Reads the value that starts with `token`. The scanner limits the depth of the recursion.
    private static func node(
        _ token: JSONToken,
        _ reader: inout JSONReader,
        _ place: (Int) -> Int
    ) throws(JSONError) -> JSONNode {
        let start = reader.tokenPlace.offset
        let offset = place(start)
        // When the value has been read, the last token is its closing bracket.
        var range: Range<Int> { start..<reader.tokenPlace.offset + 1 }
        switch token {
        case .beginArray:
            var elements: [JSONNode] = []
            while true {
                let next = try reader.next()
                if case .endArray = next { return JSONNode(.array(elements), at: offset, range) }
                elements.append(try node(next, &reader, place))
            }
        case .beginObject:
            var members: [Member] = []
            while case .key(let range) = try reader.next() {
                let offset = place(reader.tokenPlace.offset)
                let name = String(decoding: reader.repairedUTF8(of: range), as: UTF8.self)
                members.append(Member(name: name, offset: offset, value: try node(try reader.next(), &reader, place)))
            }
            return JSONNode(.object(members), at: offset, range)
        default:
            return JSONNode(.scalar(JSONTree.scalar(token, in: reader)), at: offset)
        }
    }

    // MARK: Content

    /// Whether the value is `null`.
    package var isNull: Bool {
        if case .scalar(.null) = value { true } else { false }
    }

    package var string: String? {
        if case .scalar(.string(let text)) = value { text } else { nil }
    }

    package var number: JSONNumber? {
        if case .scalar(.number(let number)) = value { number } else { nil }
    }

    package var boolean: Bool? {
        if case .scalar(.bool(let value)) = value { value } else { nil }
    }

    package var elements: [JSONNode]? {
        if case .array(let elements) = value { elements } else { nil }
    }

    package var members: [Member]? {
        if case .object(let members) = value { members } else { nil }
    }

    /// The value of the last member with a name.
    package subscript(name: String) -> JSONNode? { members?.last { $0.name == name }?.value }

    /// The value without places. Of members with the same name, the last value is kept, in the place of the first.
    package var tree: JSONTree {
        switch value {
        case .scalar(let tree): return tree
        case .array(let elements): return .array(elements.map(\.tree))
        case .object(let members):
            return .object(Self.distinct(members).map { JSONTree.Member($0.name, $0.value.tree) })
        }
    }

    /// Returns the last of the members with each name, in the place of the first.
    ///
    /// - Parameter repeated: Called with each member that is replaced, and the one that replaces it.
    package static func distinct(_ members: [Member], repeated: (Member, Member) -> Void = { _, _ in }) -> [Member] {
        var list: [Member] = []
        var table = JSONMemberTable()
        for member in members {
            if let earlier = table.set(member, in: &list) { repeated(earlier, member) }
        }
        return list
    }

    // MARK: Messages

    /// Describes the value for a message.
    package func description(clippedTo limit: Int = 30) -> String {
        switch value {
        case .scalar(let tree): tree.description(clippedTo: limit)
        case .array: JSONTree.array([]).description()
        case .object: JSONTree.object([]).description()
        }
    }

    /// Returns the JSON pointer (RFC 6901) of the innermost value or name that starts at or before a mistake.
    package func pointer(to mistake: JSONMistake) -> String {
        var pointer = ""
        var node = self
        while true {
            switch node.value {
            case .array(let elements):
                guard let index = elements.lastIndex(where: { $0.offset <= mistake.offset }) else { break }
                pointer += "/\(index)"
                node = elements[index]
                continue
            case .object(let members):
                guard let member = members.last(where: { $0.offset <= mistake.offset }) else { break }
                pointer += "/" + pointerPart(member.name)
                node = member.value
                continue
            case .scalar: break
            }
            return pointer + (mistake.missing.map { "/" + pointerPart($0) } ?? "")
        }
    }
}

/// A value that is not as expected, and its place.
package struct JSONMistake: Error, Sendable, Hashable {
    /// The offset of the value, or of the object that has no member ``missing``.
    package var offset: Int
    package var missing: String?
    /// What was expected and what was found.
    package var message: String

    package init(at offset: Int, missing: String? = nil, _ message: String) {
        self.offset = offset
        self.missing = missing
        self.message = message
    }
}
