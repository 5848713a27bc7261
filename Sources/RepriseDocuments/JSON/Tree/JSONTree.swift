// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// A JSON text (RFC 8259) as a tree that keeps the order of members and the spelling of numbers.
///
/// Where no tree is needed, ``JSONReader`` reads a text token by token without allocating memory.
public enum JSONTree: Sendable, Hashable {
    /// The value `null`.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// A number.
    case number(JSONNumber)
    /// A string.
    case string(String)
    /// An array.
    case array([JSONTree])
    /// An object. Its names are distinct.
    case object([Member])

    /// A member of an object.
    public struct Member: Sendable, Hashable {
        /// The name.
        public var name: String
        /// The value.
        public var value: JSONTree

        /// Creates a member.
        public init(_ name: String, _ value: JSONTree) {
            self.name = name
            self.value = value
        }
    }

    /// Returns the member with the given name, or `nil` if there is none or the value is not an object.
    public subscript(name: String) -> JSONTree? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.name == name }?.value
    }
}

/// A number of a JSON text, as it is spelled.
public struct JSONNumber: Sendable, Hashable {
    /// The spelling, such as `1.50` or `1e3`.
    public let spelling: String
    /// The nearest double.
    public let double: Double

    /// Creates a number from its spelling, or returns `nil` if it is not a number of RFC 8259, section 6.
    public init?(_ spelling: String) {
        var reader = JSONReader(Array(spelling.utf8))
        guard case .number(let range)? = try? reader.next(), range.count == spelling.utf8.count,
            let double = Double(spelling)
        else { return nil }
        self.spelling = spelling
        self.double = double
    }

    /// Creates an integer.
    public init(_ integer: Int) {
        spelling = String(integer)
        double = Double(integer)
    }

    /// Creates a number from a spelling that a reader has validated.
    fileprivate init(validated spelling: String) {
        self.spelling = spelling
        double = Double(spelling) ?? 0
    }
}

extension JSONTree {
    /// Parses a JSON text. If an object has several members with the same name, the last value is kept, in the place of
    /// the first.
    ///
    /// - Throws: ``JSONError`` if the text is not valid, or nested more than ``JSONScanner/maximumDepth`` deep.
    public init(parsing bytes: [UInt8]) throws(JSONError) {
        var reader = JSONReader(bytes)
        self = try Self.value(try reader.next(), &reader)
        _ = try reader.next()
    }

    /// Reads the value that starts with `token`. The scanner limits the depth of the recursion.
    package static func value(_ token: JSONToken, _ reader: inout JSONReader) throws(JSONError) -> JSONTree {
        switch token {
        case .beginArray:
            var elements: [JSONTree] = []
            while true {
                let next = try reader.next()
                if case .endArray = next { return .array(elements) }
                elements.append(try value(next, &reader))
            }
        case .beginObject: return .object(try members(&reader))
        default: return scalar(token, in: reader)
        }
    }

    /// Returns the scalar of a token. An array or an object is empty.
    static func scalar(_ token: JSONToken, in reader: JSONReader) -> JSONTree {
        switch token {
        case .true: .bool(true)
        case .false: .bool(false)
        case .number(let range): .number(JSONNumber(validated: reader.spelling(of: range)))
        case .string(let range): .string(String(decoding: reader.repairedUTF8(of: range), as: UTF8.self))
        case .beginArray, .endArray: .array([])
        case .beginObject, .endObject: .object([])
        case .null, .key, .end: .null
        }
    }

    private static func members(_ reader: inout JSONReader) throws(JSONError) -> [Member] {
        var members: [Member] = []
        var table = JSONMemberTable()
        while case .key(let range) = try reader.next() {
            let name = String(decoding: reader.repairedUTF8(of: range), as: UTF8.self)
            table.set(Member(name, try value(try reader.next(), &reader)), in: &members)
        }
        return members
    }

    /// Appends the value as compact JSON, with numbers as they are spelled.
    public func append(to text: inout [UInt8]) { append(to: &text, as: nil) }

    /// Appends the value as compact JSON.
    ///
    /// - Parameter library: The library of Java that would write it; `nil` for numbers as they are spelled.
    package func append(to text: inout [UInt8], as library: JavaLibrary?) {
        let escaping = library == .jsonSmart ? JSONEscaping.slashes : .required
        switch self {
        case .null: text += "null".utf8
        case .bool(let value): text += (value ? "true" : "false").utf8
        case .number(let number): text += (library?.text(of: number) ?? number.spelling).utf8
        case .string(let string): escaping.append(string, to: &text)
        case .array(let elements):
            text.append(UInt8(ascii: "["))
            for (index, element) in elements.enumerated() {
                if index > 0 { text.append(UInt8(ascii: ",")) }
                element.append(to: &text, as: library)
            }
            text.append(UInt8(ascii: "]"))
        case .object(let members):
            text.append(UInt8(ascii: "{"))
            for (index, member) in members.enumerated() {
                if index > 0 { text.append(UInt8(ascii: ",")) }
                escaping.append(member.name, to: &text)
                text.append(UInt8(ascii: ":"))
                member.value.append(to: &text, as: library)
            }
            text.append(UInt8(ascii: "}"))
        }
    }

    /// Appends a string with its quotes and with the escapes that JSON requires (RFC 8259, section 7).
    public static func append(_ string: String, to text: inout [UInt8]) {
        JSONEscaping.required.append(string, to: &text)
    }

    /// The value as compact JSON.
    public var bytes: [UInt8] {
        var text: [UInt8] = []
        append(to: &text)
        return text
    }
}
