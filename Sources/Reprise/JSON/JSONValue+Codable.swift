// SPDX-License-Identifier: Apache-2.0

extension JSONValue: Decodable {
    /// Decodes any JSON value.
    public init(from decoder: any Decoder) throws {
        // Try the most frequent kinds first, because each failed attempt creates an error.
        if let container = try? decoder.singleValueContainer(), let scalar = Self(scalar: container) {
            self = scalar
        } else if let container = try? decoder.container(keyedBy: JSONKey.self) {
            self = .object(
                try Dictionary(
                    container.allKeys.map { key in (key.stringValue, try container.decode(JSONValue.self, forKey: key))
                    }
                ) { _, last in last }
            )
        } else {
            var container = try decoder.unkeyedContainer()
            var elements: [JSONValue] = []
            while !container.isAtEnd { elements.append(try container.decode(JSONValue.self)) }
            self = .array(elements)
        }
    }

    private init?(scalar container: any SingleValueDecodingContainer) {
        if container.decodeNil() {
            self = .null
        } else if let text = try? container.decode(String.self) {
            self = .string(text)
        } else if let number = try? container.decode(Int64.self) {
            self = .integer(number)
        } else if let number = try? container.decode(Double.self) {
            self = .number(number)
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else {
            return nil
        }
    }
}

extension JSONValue: Encodable {
    /// Encodes the value.
    public func encode(to encoder: any Encoder) throws {
        switch self {
        case .null: try single(encoder) { try $0.encodeNil() }
        case .bool(let value): try single(encoder) { try $0.encode(value) }
        case .integer(let number): try single(encoder) { try $0.encode(number) }
        case .number(let number): try single(encoder) { try $0.encode(number) }
        case .string(let text): try single(encoder) { try $0.encode(text) }
        case .array(let elements):
            var container = encoder.unkeyedContainer()
            for element in elements { try container.encode(element) }
        case .object(let members):
            var container = encoder.container(keyedBy: JSONKey.self)
            for (name, value) in members { try container.encode(value, forKey: JSONKey(name)) }
        }
    }

    private func single(
        _ encoder: any Encoder,
        _ write: (inout any SingleValueEncodingContainer) throws -> Void
    ) throws {
        var container = encoder.singleValueContainer()
        try write(&container)
    }
}
