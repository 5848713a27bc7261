// SPDX-License-Identifier: Apache-2.0

/// A key with any name: for a container whose values stand at paths.
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
    /// The index, if the key is one.
    public let intValue: Int?

    /// A key with that name.
    public init(_ name: String) {
        stringValue = name
        intValue = nil
    }

    /// A key with that name.
    public init(stringValue: String) {
        self.init(stringValue)
    }

    /// The key of an element.
    public init(intValue: Int) {
        stringValue = String(intValue)
        self.intValue = intValue
    }

    /// A key with that name.
    public init(stringLiteral name: String) {
        self.init(name)
    }
}
