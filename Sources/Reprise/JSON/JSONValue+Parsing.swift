// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

extension JSONValue {
    /// The value that a JSON text is (RFC 8259).
    ///
    /// - Throws: `DecodingError` if it is none.
    public init(parsing bytes: [UInt8]) throws {
        self = try JSONDecoder().decode(JSONValue.self, from: Data(bytes))
    }

    /// The value as JSON, with sorted keys.
    ///
    /// - Throws: what `JSONEncoder` throws: a number that is infinite, or none, has no JSON.
    public func encoded() throws -> [UInt8] {
        Array(try JSONEncoder.json.encode(self))
    }

    /// What it is, in words.
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
