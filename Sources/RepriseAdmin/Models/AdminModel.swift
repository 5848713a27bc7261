// SPDX-License-Identifier: Apache-2.0

package import RepriseDocuments
internal import RepriseText

/// A value that the admin API sends or receives as JSON. The names of members are those of WireMock.
///
/// Unknown members are ignored, so that a client understands newer servers and WireMock. The server checks what it
/// receives more strictly; see ``ServerSettings/init(received:)`` and ``StubImport``.
package protocol AdminModel: Sendable, Hashable {
    /// Reads a value. Throws the first mistake.
    init(reading node: JSONNode) throws(JSONMistake)

    /// The value as JSON.
    var json: JSONTree { get }
}

extension AdminModel {
    /// Reads a value from JSON.
    ///
    /// - Throws: ``AdminModelError`` with the place of the first mistake.
    package init(json: JSONTree) throws(AdminModelError) {
        self = try AdminModelError.reading(json) { node throws(JSONMistake) in try Self(reading: node) }
    }

    /// Reads a value from JSON text.
    ///
    /// - Throws: ``AdminModelError`` if the text is not JSON, or with the place of the first mistake.
    package init(parsing text: [UInt8]) throws(AdminModelError) {
        let json: JSONTree
        do throws(JSONError) { json = try JSONTree(parsing: text) } catch {
            throw AdminModelError(pointer: "", message: error.message)
        }
        try self.init(json: json)
    }
}

/// The reason that JSON is not the expected value.
package struct AdminModelError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The JSON pointer (RFC 6901) of the value, such as `/requests/0/url`. Empty for the whole text.
    package var pointer: String
    /// What was expected and what was found.
    package var message: String

    package init(pointer: String, message: String) {
        self.pointer = pointer
        self.message = message
    }

    /// Returns what `read` makes of a value, and gives its mistake a pointer.
    package static func reading<Value>(
        _ json: JSONTree,
        _ read: (JSONNode) throws(JSONMistake) -> Value
    ) throws(AdminModelError) -> Value {
        let root = JSONNode(json)
        do throws(JSONMistake) { return try read(root) } catch {
            throw AdminModelError(pointer: root.pointer(to: error), message: error.message)
        }
    }

    /// The pointer and the message.
    package var description: String { pointer.isEmpty ? message : "\(pointer): \(message)" }
}

extension JSONTree {
    package static func integer(_ value: Int) -> JSONTree { .number(JSONNumber(value)) }

    package static func list(_ shapes: some Sequence<some AdminModel>) -> JSONTree { .array(shapes.map(\.json)) }
}

extension JSONFields {
    /// Returns the values of an array; an empty list if it is missing.
    func list<Model: AdminModel>(_ name: String, of _: Model.Type) throws(JSONMistake) -> [Model] {
        var list: [Model] = []
        for node in try elements(name) ?? [] { list.append(try Model(reading: node)) }
        return list
    }

    /// Returns a value; `nil` if it is missing.
    func model<Model: AdminModel>(_ name: String, as _: Model.Type) throws(JSONMistake) -> Model? {
        guard let node = self[name] else { return nil }
        return try Model(reading: node)
    }

    func requiredModel<Model: AdminModel>(_ name: String, as type: Model.Type) throws(JSONMistake) -> Model {
        guard let model = try model(name, as: type) else { throw mistake(name, expected: "an object") }
        return model
    }
}
