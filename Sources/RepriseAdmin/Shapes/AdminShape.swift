// SPDX-License-Identifier: Apache-2.0

public import RepriseDocuments
internal import RepriseText

/// A value that the admin API sends or receives as JSON. The names of members are those of WireMock.
///
/// Unknown members are ignored, so that a client understands newer servers and WireMock. The server checks what it
/// receives more strictly; see ``ServerSettings/init(received:)`` and ``StubImport/init(json:)``.
public protocol AdminShape: Sendable, Hashable {
    /// Reads a value.
    ///
    /// - Throws: ``AdminShapeError`` with the place of the first mistake.
    init(json: JSONTree) throws(AdminShapeError)

    /// The value as JSON.
    var json: JSONTree { get }
}

extension AdminShape {
    /// Reads a value from JSON text.
    ///
    /// - Throws: ``AdminShapeError`` if the text is not JSON, or with the place of the first mistake.
    public init(parsing text: [UInt8]) throws(AdminShapeError) {
        let json: JSONTree
        do throws(JSONError) { json = try JSONTree(parsing: text) } catch {
            throw AdminShapeError(pointer: "", message: error.message)
        }
        try self.init(json: json)
    }
}

/// The reason that JSON is not the expected value.
public struct AdminShapeError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The JSON pointer (RFC 6901) of the value, such as `/requests/0/url`. Empty for the whole text.
    public var pointer: String
    /// What was expected and what was found.
    public var message: String

    /// Creates an error.
    public init(pointer: String, message: String) {
        self.pointer = pointer
        self.message = message
    }

    /// The pointer and the message.
    public var description: String { pointer.isEmpty ? message : "\(pointer): \(message)" }
}
