// SPDX-License-Identifier: Apache-2.0

/// A coding key with any name, for decoding values at paths.
///
/// ```swift
/// init(from decoder: any Decoder) throws {
///     let container = try decoder.container(keyedBy: JSONKey.self)
///     name = try container.decode(String.self, at: "name")
///     latitude = try container.decode(Double.self, at: "address/geo/lat", default: 0)
/// }
/// ```
public struct JSONKey: CodingKey, Hashable, ExpressibleByStringLiteral {
    /// The name.
    public let stringValue: String
    /// The index, or nil if the key is a name.
    public let intValue: Int?

    /// Creates a key with the given name.
    public init(_ name: String) {
        stringValue = name
        intValue = nil
    }

    /// Creates a key with the given name.
    public init(stringValue: String) {
        self.init(stringValue)
    }

    /// Creates the key of an array element.
    public init(intValue: Int) {
        stringValue = String(intValue)
        self.intValue = intValue
    }

    /// Creates a key with the given name.
    public init(stringLiteral name: String) {
        self.init(name)
    }
}
