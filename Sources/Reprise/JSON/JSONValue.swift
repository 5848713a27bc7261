// SPDX-License-Identifier: Apache-2.0

/// A JSON value of any kind, for content without a Swift type.
///
/// ```swift
/// let json = try await api.get("/users").json()
/// let name = json["users"][0]["name"].string ?? "nobody"
/// ```
///
/// A missing value is ``null``, so reading a nested value needs no unwrapping. A `Decodable` type is faster and
/// reports more when the content is not what you expect: see ``Call/value(as:)``.
public enum JSONValue: Sendable, Hashable {
    /// The value `null`, or a missing value.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// A whole number that fits in 64 bits, however it is written: `1e3` is 1000.
    case integer(Int64)
    /// Any other number, as the nearest double.
    case number(Double)
    /// A string.
    case string(String)
    /// An array.
    case array([JSONValue])
    /// An object. If several members have the same name, which one is kept is unspecified (RFC 8259 section 4).
    case object([String: JSONValue])

    /// Returns the member with the given name, or ``null`` if there is no such member or the value is not an object.
    public subscript(name: String) -> JSONValue {
        if case .object(let members) = self { members[name] ?? .null } else { .null }
    }

    /// Returns the element at the given index, or ``null`` if there is no such element or the value is not an array.
    public subscript(index: Int) -> JSONValue {
        if case .array(let elements) = self, elements.indices.contains(index) { elements[index] } else { .null }
    }

    /// Returns the value at a path, or ``null`` if there is no such value.
    public subscript(path: JSONPointer) -> JSONValue {
        path.tokens.reduce(self) { value, token in
            if case .array = value { JSONPointer.index(token).map { value[$0] } ?? .null } else { value[token] }
        }
    }
}

extension JSONValue {
    /// Whether the value is `null` or missing.
    public var isNull: Bool { self == .null }

    /// The string, or nil if the value is not a string.
    public var string: String? { if case .string(let text) = self { text } else { nil } }

    /// The Boolean value, or nil if the value is not a Boolean. The numbers 0 and 1 are not Booleans.
    public var bool: Bool? { if case .bool(let value) = self { value } else { nil } }

    /// The number as an `Int`, or nil if the value is not an integer that fits.
    public var int: Int? {
        switch self {
        case .integer(let number): Int(exactly: number)
        case .number(let number): Int(exactly: number)
        default: nil
        }
    }

    /// The number, or nil if the value is not a number.
    public var double: Double? {
        switch self {
        case .integer(let number): Double(number)
        case .number(let number): number
        default: nil
        }
    }

    /// The elements, or nil if the value is not an array.
    public var array: [JSONValue]? { if case .array(let elements) = self { elements } else { nil } }

    /// The members, or nil if the value is not an object.
    public var object: [String: JSONValue]? { if case .object(let members) = self { members } else { nil } }
}

extension JSONValue: ExpressibleByNilLiteral {
    /// Creates the value `null`.
    public init(nilLiteral: ()) { self = .null }
}

extension JSONValue: ExpressibleByBooleanLiteral {
    /// Creates a Boolean value.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
}

extension JSONValue: ExpressibleByIntegerLiteral {
    /// Creates an integer.
    public init(integerLiteral value: Int64) { self = .integer(value) }
}

extension JSONValue: ExpressibleByFloatLiteral {
    /// Creates a number.
    public init(floatLiteral value: Double) { self = .number(value) }
}

extension JSONValue: ExpressibleByStringLiteral {
    /// Creates a string.
    public init(stringLiteral value: String) { self = .string(value) }
}

extension JSONValue: ExpressibleByStringInterpolation {}

extension JSONValue: ExpressibleByArrayLiteral {
    /// Creates an array.
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
}

extension JSONValue: ExpressibleByDictionaryLiteral {
    /// Creates an object.
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(Dictionary(elements) { _, last in last })
    }
}
