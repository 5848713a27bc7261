// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

extension JSONValue {
    /// Creates a value by parsing a JSON text (RFC 8259).
    ///
    /// - Throws: `DecodingError` if the text is not valid JSON.
    public init(parsing bytes: [UInt8]) throws {
        self = try JSONDecoder().decode(JSONValue.self, from: Data(bytes))
    }

    /// Returns the value as JSON with sorted keys.
    ///
    /// - Throws: The error of `JSONEncoder`, for example for an infinite number or NaN, which JSON cannot represent.
    public func encoded() throws -> [UInt8] {
        Array(try JSONEncoder.json.encode(self))
    }

    /// A description of the value for messages, such as "an array".
    var kind: String {
        switch self {
        case .null: "null"
        case .bool(let value): "\(value)"
        case .integer(let number): "the number \(number)"
        case .number(let number): "the number \(number)"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}
