// SPDX-License-Identifier: Apache-2.0

internal import RepriseDocuments
internal import RepriseText

/// A JSON value with its offset in the text.
struct StubNode {
    var value: Value
    /// The offset of the first byte.
    var offset: Int
    /// The range of an array or object in the strict text.
    private(set) var range = 0..<0
    /// The offset of what follows the first value of a text, if anything does.
    private(set) var rest: Int?

    enum Value {
        /// `null`, a boolean, a number, or a string.
        case scalar(JSONTree)
        case array([StubNode])
        case object([Member])
    }

    struct Member {
        var name: String
        /// The offset of the name's quotation mark.
        var offset: Int
        var value: StubNode
    }

    /// Parses the first value in `text`. What follows it is ignored, as WireMock does.
    init(parsing text: LenientJSON) throws(JSONError) {
        var reader = JSONReader(text.strict)
        do throws(JSONError) {
            self = try Self.node(try reader.next(), &reader, text)
        } catch {
            throw JSONError(offset: text.written(error.offset), message: error.message)
        }
        do throws(JSONError) {
            if case .end = try reader.next() { return }
            rest = text.written(reader.tokenPlace.offset)
        } catch {
            rest = text.written(error.offset)
        }
    }

    private init(_ value: Value, at offset: Int, _ range: Range<Int> = 0..<0) {
        self.value = value
        self.offset = offset
        self.range = range
    }

    /// Reads the value that starts with `token`. The scanner limits the depth of the recursion.
    private static func node(
        _ token: JSONToken,
        _ reader: inout JSONReader,
        _ text: borrowing LenientJSON
    ) throws(JSONError) -> StubNode {
        let start = reader.tokenPlace.offset
        let offset = text.written(start)
        // When the value has been read, the last token is its closing bracket.
        var range: Range<Int> { start..<reader.tokenPlace.offset + 1 }
        switch token {
        case .beginArray:
            var elements: [StubNode] = []
            while true {
                let next = try reader.next()
                if case .endArray = next { return StubNode(.array(elements), at: offset, range) }
                elements.append(try node(next, &reader, text))
            }
        case .beginObject:
            var members: [Member] = []
            while case .key(let range) = try reader.next() {
                let place = text.written(reader.tokenPlace.offset)
                let name = String(decoding: reader.repairedUTF8(of: range), as: UTF8.self)
                members.append(Member(name: name, offset: place, value: try node(try reader.next(), &reader, text)))
            }
            return StubNode(.object(members), at: offset, range)
        default:
            return StubNode(.scalar(try JSONTree.value(token, &reader)), at: offset)
        }
    }

    /// Whether the value is `null`.
    var isNull: Bool {
        if case .scalar(.null) = value { true } else { false }
    }

    /// The value without offsets. Of members with the same name, the last value is kept, in the place of the first.
    var tree: JSONTree {
        switch value {
        case .scalar(let tree): return tree
        case .array(let elements): return .array(elements.map(\.tree))
        case .object(let members): return .object(Self.distinct(members))
        }
    }

    static func distinct(_ members: [Member]) -> [JSONTree.Member] {
        var list: [JSONTree.Member] = []
        var places: [ExactText: Int] = [:]
        for member in members {
            if let place = places[member.name] {
                list[place].value = member.value.tree
            } else {
                places[member.name] = list.count
                list.append(JSONTree.Member(member.name, member.value.tree))
            }
        }
        return list
    }

    /// Describes the value for a message.
    var description: String {
        switch value {
        case .scalar(let tree): tree.description(clippedTo: 30)
        case .array: "an array"
        case .object: "an object"
        }
    }

    /// Returns the JSON pointer (RFC 6901) of the innermost value or name that starts at or before `target`.
    func pointer(to target: Int) -> String {
        var pointer = ""
        var node = self
        while true {
            switch node.value {
            case .scalar:
                return pointer
            case .array(let elements):
                guard let index = elements.lastIndex(where: { $0.offset <= target }) else { return pointer }
                pointer += "/\(index)"
                node = elements[index]
            case .object(let members):
                guard let member = members.last(where: { $0.offset <= target }) else { return pointer }
                pointer += "/" + pointerPart(member.name)
                node = member.value
            }
        }
    }
}
