// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// An encoded value, before it is written as parameters or as JSON.
indirect enum ParameterNode: Sendable {
    case null
    case single(any ParameterScalar)
    case array([ParameterNode])
    /// The fields of a value, in order.
    case fields([(key: String, value: ParameterNode)])
    /// The entries of a dictionary, sorted by key. The keys are data, so they keep their spelling.
    case dictionary([(key: String, value: ParameterNode)])

    /// The named entries that can be sent as parameters. The list is empty for null. It is nil for single values and
    /// arrays, which have no names.
    var entries: [(key: String, value: ParameterNode)]? {
        switch self {
        case .null: []
        case .single, .array: nil
        case .fields(let entries), .dictionary(let entries): entries
        }
    }

    /// A description of the node's kind, for messages.
    var kind: String {
        switch self {
        case .null: "null"
        case .single: "a single value"
        case .array: "an array"
        case .fields, .dictionary: "an object"
        }
    }

    /// Returns the entries of both nodes as one JSON object.
    ///
    /// - Throws: ``ClientError/Code/invalidParameters`` if one of them is not an object or if both have the same
    ///   name, because the meaning of duplicate names in JSON is unspecified (RFC 8259 section 4).
    func merging(_ other: ParameterNode) throws -> ParameterNode {
        let entries = try objectEntries() + other.objectEntries()
        var names = Set<ExactText>()
        for (name, _) in entries where !names.insert(ExactText(name)).inserted {
            throw ClientError(
                .invalidParameters,
                "expected unique names in a JSON object, found parameter \(name.debugDescription) twice"
            )
        }
        return .fields(entries)
    }

    /// Returns the node with its keys in the given spelling. Dictionary keys are data and stay unchanged.
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
            var container = encoder.container(keyedBy: JSONKey.self)
            for (key, value) in fields { try container.encode(value, forKey: JSONKey(key)) }
        case .dictionary(let entries):
            // Encoders do not convert the keys of a real dictionary.
            var container = encoder.singleValueContainer()
            try container.encode(Dictionary(entries.map { ($0.key, $0.value) }) { $1 })
        }
    }
}
