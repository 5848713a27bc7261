// SPDX-License-Identifier: Apache-2.0

package import RepriseDocuments
internal import RepriseText

/// The members of a JSON object that is being read, and the place of the object. A member with the value `null` counts
/// as missing.
package struct ShapeFields {
    private let members: [JSONTree.Member]
    /// The JSON pointer (RFC 6901) of the object.
    package let pointer: String

    /// - Parameters:
    ///   - what: What the object is, for messages, such as `a request`.
    ///   - known: The names of the allowed members; `nil` allows any.
    /// - Throws: ``AdminShapeError`` if `json` is not an object, or has an unknown member.
    package init(
        _ json: JSONTree,
        _ what: String,
        at pointer: String = "",
        known: [String]? = nil
    ) throws(AdminShapeError) {
        self.pointer = pointer
        guard case .object(let members) = json else {
            throw AdminShapeError(
                pointer: pointer,
                message: "expected an object for \(what), found \(json.description(clippedTo: 60))"
            )
        }
        self.members = members
        guard let known, let unknown = members.first(where: { !known.contains($0.name) }) else { return }
        let advice =
            nearest(to: unknown.name, among: known).map { "did you mean \"\($0)\"?" }
            ?? "use one of \(known.map { "\"\($0)\"" }.joined(separator: ", "))"
        throw AdminShapeError(
            pointer: place(unknown.name),
            message: "expected a field of \(what), found \"\(clipped(unknown.name))\"; \(advice)"
        )
    }

    /// The value of a member; `nil` if it is missing or `null`.
    package subscript(name: String) -> JSONTree? {
        guard let value = members.first(where: { $0.name == name })?.value, value != .null else { return nil }
        return value
    }

    /// Returns the JSON pointer of a member.
    package func place(_ name: String) -> String {
        "\(pointer)/\(pointerPart(name))"
    }

    /// Returns an error at a member.
    package func error(_ name: String, expected: String) -> AdminShapeError {
        let found = self[name]?.description(clippedTo: 60) ?? "none"
        return AdminShapeError(pointer: place(name), message: "expected \(expected) for \"\(name)\", found \(found)")
    }

    package func string(_ name: String) throws(AdminShapeError) -> String? {
        switch self[name] {
        case nil: return nil
        case .string(let text): return text
        default: throw error(name, expected: "a string")
        }
    }

    package func requiredString(_ name: String) throws(AdminShapeError) -> String {
        guard let text = try string(name) else { throw error(name, expected: "a string") }
        return text
    }

    package func integer(_ name: String) throws(AdminShapeError) -> Int? {
        switch self[name] {
        case nil: return nil
        case .number(let number) where number.double == number.double.rounded() && abs(number.double) < 9e15:
            return Int(number.double)
        default: throw error(name, expected: "an integer")
        }
    }

    package func number(_ name: String) throws(AdminShapeError) -> Double? {
        switch self[name] {
        case nil: return nil
        case .number(let number): return number.double
        default: throw error(name, expected: "a number")
        }
    }

    package func boolean(_ name: String) throws(AdminShapeError) -> Bool? {
        switch self[name] {
        case nil: return nil
        case .bool(let value): return value
        default: throw error(name, expected: "true or false")
        }
    }

    /// Returns the bytes of a Base64 string.
    package func bytes(_ name: String) throws(AdminShapeError) -> [UInt8]? {
        guard let text = try string(name) else { return nil }
        guard let bytes = Base64.decodeLeniently(Array(text.utf8)[...]) else { throw error(name, expected: "Base64") }
        return bytes
    }

    /// Returns the elements of an array with their places; `nil` if it is missing.
    package func elements(_ name: String) throws(AdminShapeError) -> [(json: JSONTree, place: String)]? {
        switch self[name] {
        case nil: return nil
        case .array(let elements): return elements.enumerated().map { ($0.element, "\(place(name))/\($0.offset)") }
        default: throw error(name, expected: "an array")
        }
    }

    /// Returns the values of an array; an empty list if it is missing.
    package func list<Shape: AdminShape>(_ name: String, of _: Shape.Type) throws(AdminShapeError) -> [Shape] {
        var list: [Shape] = []
        for (json, place) in try elements(name) ?? [] { list.append(try Shape(json: json, at: place)) }
        return list
    }

    /// Returns a value; `nil` if it is missing.
    package func shape<Shape: AdminShape>(_ name: String, as _: Shape.Type) throws(AdminShapeError) -> Shape? {
        guard let json = self[name] else { return nil }
        return try Shape(json: json, at: place(name))
    }

    package func requiredShape<Shape: AdminShape>(
        _ name: String,
        as type: Shape.Type
    ) throws(AdminShapeError) -> Shape {
        guard let shape = try shape(name, as: type) else { throw error(name, expected: "an object") }
        return shape
    }
}

extension AdminShape {
    /// Reads a value that is a part of a larger one.
    package init(json: JSONTree, at place: String) throws(AdminShapeError) {
        do throws(AdminShapeError) { try self.init(json: json) } catch {
            throw AdminShapeError(pointer: place + error.pointer, message: error.message)
        }
    }
}

/// The members of a JSON object that is being written. Members that are `nil` are omitted.
package struct ShapeMembers: ExpressibleByDictionaryLiteral {
    package private(set) var members: [JSONTree.Member] = []

    package init(dictionaryLiteral elements: (String, JSONTree?)...) {
        for (name, value) in elements { append(name, value) }
    }

    package mutating func append(_ name: String, _ value: JSONTree?) {
        if let value { members.append(JSONTree.Member(name, value)) }
    }

    package var json: JSONTree { .object(members) }
}

extension JSONTree {
    package static func integer(_ value: Int) -> JSONTree { .number(JSONNumber(value)) }

    package static func list(_ shapes: some Sequence<some AdminShape>) -> JSONTree { .array(shapes.map(\.json)) }
}
