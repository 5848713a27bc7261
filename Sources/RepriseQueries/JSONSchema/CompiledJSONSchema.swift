// SPDX-License-Identifier: Apache-2.0

internal import RepriseDocuments
internal import RepriseText

/// A schema with its subschemas, which refer to one another by index.
struct CompiledJSONSchema: Sendable {
    var nodes: [Node] = []
    var root = 0
    /// What is said about regular expressions that may match different text than in Java.
    var warnings: [String] = []
    /// The nodes of dynamic anchors by resource and name. The name of `$recursiveAnchor` is empty.
    var dynamicAnchors: [DynamicAnchor: Int] = [:]
    /// Whether a keyword needs to know what others have evaluated.
    var tracksEvaluated = false
    /// Whether `contains` counts as evaluating items, which it does since 2020-12.
    var containsEvaluates = false

    struct Node: Sendable {
        /// The index of the schema resource that the node is in.
        var resource: Int
        var keywords: [Keyword]
    }

    struct DynamicAnchor: Hashable {
        var resource: Int
        var name: String
    }

    /// A keyword with its value, and with the values of other keywords that it needs.
    enum Keyword: Sendable {
        case never
        case type(JSONTypes)
        case values([JSONTree])
        case minimum(JSONNumber, isExclusive: Bool)
        case maximum(JSONNumber, isExclusive: Bool)
        case multipleOf(JSONNumber)
        case length(ClosedRange<Int>)
        case pattern(TextPattern)
        case format(JSONSchemaFormat)
        case itemCount(ClosedRange<Int>)
        case uniqueItems
        case items(prefix: [Int], rest: Int?)
        case contains(Int, ClosedRange<Int>)
        case memberCount(ClosedRange<Int>)
        case required([String])
        case properties([ExactText: Int], patterns: [PatternProperty], additional: Int?)
        case propertyNames(Int)
        case dependentRequired(String, [String])
        case dependentSchema(String, Int)
        case allOf([Int])
        case anyOf([Int])
        case oneOf([Int])
        case not(Int)
        case condition(Int, then: Int?, else: Int?)
        case reference(Int)
        case dynamicReference(Int, name: String)
        case unevaluatedItems(Int)
        case unevaluatedProperties(Int)
    }

    struct PatternProperty: Sendable {
        var pattern: TextPattern
        var node: Int
    }
}

/// The types that `type` allows.
struct JSONTypes: OptionSet, Sendable {
    let rawValue: UInt8

    static let null = JSONTypes(rawValue: 1)
    static let boolean = JSONTypes(rawValue: 2)
    static let number = JSONTypes(rawValue: 4)
    static let integer = JSONTypes(rawValue: 8)
    static let string = JSONTypes(rawValue: 16)
    static let array = JSONTypes(rawValue: 32)
    static let object = JSONTypes(rawValue: 64)
    /// In draft 4, `1.0` is not an integer.
    static let spelledInteger = JSONTypes(rawValue: 128)

    init(rawValue: UInt8) { self.rawValue = rawValue }

    init?(name: String, isDraft4: Bool) {
        switch name {
        case "null": self = .null
        case "boolean": self = .boolean
        case "number": self = .number
        case "integer": self = isDraft4 ? .spelledInteger : .integer
        case "string": self = .string
        case "array": self = .array
        case "object": self = .object
        default: return nil
        }
    }

    func accept(_ value: JSONTree) -> Bool {
        switch value {
        case .null: contains(.null)
        case .bool: contains(.boolean)
        case .string: contains(.string)
        case .array: contains(.array)
        case .object: contains(.object)
        case .number(let number):
            contains(.number) || (contains(.integer) && number.isInteger)
                || (contains(.spelledInteger) && number.isInteger && !number.spelling.contains("."))
        }
    }
}
