// SPDX-License-Identifier: Apache-2.0

/// Any JSON value, for content that has no type of its own.
///
/// ```swift
/// let json = try await api.get("/users").json()
/// let name = json["users"][0]["name"].string ?? "nobody"
/// ```
///
/// What is not there is ``null``, so a look into the depth needs no unwrapping. A type that is `Decodable` is faster and
/// says more when the content is not what was expected: see ``Call/value(as:)``.
public enum JSONValue: Sendable, Hashable {
    /// `null`, and what is not there.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// A number without a fraction and an exponent that fits in 64 bits.
    case integer(Int64)
    /// Any other number, as near as a double comes to it.
    case number(Double)
    /// A text.
    case string(String)
    /// An array.
    case array([JSONValue])
    /// An object. Which one of members with the same name counts is not to be relied on (RFC 8259 section 4).
    case object([String: JSONValue])

    /// The member of an object; ``null`` if there is none, or if this is no object.
    public subscript(name: String) -> JSONValue {
        if case .object(let members) = self { members[name] ?? .null } else { .null }
    }

    /// The element of an array; ``null`` if there is none, or if this is no array.
    public subscript(index: Int) -> JSONValue {
        if case .array(let elements) = self, elements.indices.contains(index) { elements[index] } else { .null }
    }

    /// What stands at a path; ``null`` if nothing does.
    public subscript(path: JSONPointer) -> JSONValue {
        found(at: path) ?? .null
    }

    /// What stands at a path; nil for nothing.
    func found(at path: JSONPointer) -> JSONValue? {
        path.tokens.reduce(self) { (value: JSONValue?, token) in
            switch value {
            case .object(let members): return members[token]
            case .array(let elements):
                guard let index = JSONPointer.index(token), elements.indices.contains(index) else { return nil }
                return elements[index]
            default: return nil
            }
        }
    }
}

extension JSONValue {
    /// Whether this is `null`, or not there.
    public var isNull: Bool { self == .null }

    /// The text; nil if this is none.
    public var string: String? { if case .string(let text) = self { text } else { nil } }

    /// The truth value; nil if this is none. The numbers 0 and 1 are none.
    public var bool: Bool? { if case .bool(let value) = self { value } else { nil } }

    /// The number, if it is a whole one that fits.
    public var int: Int? {
        switch self {
        case .integer(let number): Int(exactly: number)
        case .number(let number): Int(exactly: number)
        default: nil
        }
    }

    /// The number; nil if this is none.
    public var double: Double? {
        switch self {
        case .integer(let number): Double(number)
        case .number(let number): number
        default: nil
        }
    }

    /// The elements; nil if this is no array.
    public var array: [JSONValue]? { if case .array(let elements) = self { elements } else { nil } }

    /// The members; nil if this is no object.
    public var object: [String: JSONValue]? { if case .object(let members) = self { members } else { nil } }
}

extension JSONValue: ExpressibleByNilLiteral {
    /// `null`.
    public init(nilLiteral: ()) { self = .null }
}

extension JSONValue: ExpressibleByBooleanLiteral {
    /// `true` or `false`.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
}

extension JSONValue: ExpressibleByIntegerLiteral {
    /// A whole number.
    public init(integerLiteral value: Int64) { self = .integer(value) }
}

extension JSONValue: ExpressibleByFloatLiteral {
    /// A number.
    public init(floatLiteral value: Double) { self = .number(value) }
}

extension JSONValue: ExpressibleByStringLiteral {
    /// A text.
    public init(stringLiteral value: String) { self = .string(value) }
}

extension JSONValue: ExpressibleByStringInterpolation {}

extension JSONValue: ExpressibleByArrayLiteral {
    /// An array.
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
}

extension JSONValue: ExpressibleByDictionaryLiteral {
    /// An object.
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(Dictionary(elements) { _, last in last })
    }
}
