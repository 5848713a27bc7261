// SPDX-License-Identifier: Apache-2.0

/// A value that was encoded, before it is spelled as parameters or as JSON.
indirect enum ParameterNode: Sendable {
    case null
    case single(any ParameterScalar)
    case array([ParameterNode])
    /// The fields of a value, in order.
    case fields([(key: String, value: ParameterNode)])
    /// The entries of a dictionary, in the order of their keys, which are data.
    case dictionary([(key: String, value: ParameterNode)])

    /// What can be sent as parameters: fields or entries; nothing for null; nil for what has no names.
    var entries: [(key: String, value: ParameterNode)]? {
        switch self {
        case .null: []
        case .single, .array: nil
        case .fields(let entries), .dictionary(let entries): entries
        }
    }

    /// What it is, in a word.
    var kind: String {
        switch self {
        case .null: "null"
        case .single: "a single value"
        case .array: "an array"
        case .fields, .dictionary: "an object"
        }
    }

    /// The entries of both as one JSON object.
    ///
    /// - Throws: ``ClientError/Code/invalidParameters`` if one has none, or if both have the same, which would have no
    ///   meaning that can be relied on (RFC 8259 section 4).
    func merging(_ other: ParameterNode) throws -> ParameterNode {
        let entries = try objectEntries() + other.objectEntries()
        var names = Set<String>()
        for (name, _) in entries where !names.insert(name).inserted {
            throw ClientError(
                .invalidParameters,
                "the parameter \(name.debugDescription) is there twice, which a JSON object cannot have"
            )
        }
        return .fields(entries)
    }

    /// The same with its keys in that spelling, but for those that are data.
    func spelled(_ keys: ParameterStyle.Keys) -> ParameterNode {
        switch self {
        case .null, .single: self
        case .array(let elements): .array(elements.map { $0.spelled(keys) })
        case .fields(let fields): .fields(fields.map { (keys.spelling(of: $0.key), $0.value.spelled(keys)) })
        case .dictionary(let entries): .dictionary(entries.map { ($0.key, $0.value.spelled(keys)) })
        }
    }
}

extension ParameterNode: Encodable {
    func encode(to encoder: any Encoder) throws {
        switch self {
        case .null:
            var container = encoder.singleValueContainer()
            try container.encodeNil()
        case .single(let value):
            var container = encoder.singleValueContainer()
            try container.encode(value)
        case .array(let elements):
            var container = encoder.unkeyedContainer()
            for element in elements { try container.encode(element) }
        case .fields(let fields):
            var container = encoder.container(keyedBy: ParameterKey.self)
            for (key, value) in fields { try container.encode(value, forKey: ParameterKey(key)) }
        case .dictionary(let entries):
            // As a dictionary, whose keys an encoder leaves alone.
            var container = encoder.singleValueContainer()
            try container.encode(Dictionary(entries.map { ($0.key, $0.value) }) { $1 })
        }
    }
}

/// Any key.
struct ParameterKey: CodingKey {
    let stringValue: String
    let intValue: Int?

    init(_ text: String) {
        stringValue = text
        intValue = nil
    }

    init(stringValue: String) {
        self.init(stringValue)
    }

    init(intValue: Int) {
        stringValue = String(intValue)
        self.intValue = intValue
    }
}
