// SPDX-License-Identifier: Apache-2.0

extension KeyedDecodingContainer where Key == JSONKey {
    /// Decodes the value at a path through nested objects and arrays.
    ///
    /// - Throws: `DecodingError.keyNotFound` or `DecodingError.valueNotFound` if there is no value at the path, or
    ///   the error that decoding the value throws.
    public func decode<Value: Decodable>(
        _ type: Value.Type = Value.self,
        at path: JSONPointer
    ) throws -> Value {
        guard let value = try decodeIfPresent(type, at: path) else {
            throw DecodingError.keyNotFound(
                JSONKey(path.tokens.last ?? ""),
                DecodingError.Context(
                    codingPath: codingPath,
                    debugDescription: "expected a value at \(path), found none"
                )
            )
        }
        return value
    }

    /// Decodes the value at a path, or returns `fallback` if the value is missing or null.
    ///
    /// A value that cannot be decoded as `type` is still an error.
    public func decode<Value: Decodable>(
        _ type: Value.Type = Value.self,
        at path: JSONPointer,
        default fallback: @autoclosure () -> Value
    ) throws -> Value {
        try decodeIfPresent(type, at: path) ?? fallback()
    }

    /// Decodes the value at a path, or returns nil if the value is missing or null.
    public func decodeIfPresent<Value: Decodable>(
        _ type: Value.Type = Value.self,
        at path: JSONPointer
    ) throws -> Value? {
        guard let first = path.tokens.first else { return nil }
        let key = JSONKey(first)
        if path.tokens.count == 1 { return try decodeIfPresent(type, forKey: key) }
        guard contains(key), try !decodeNil(forKey: key) else { return nil }
        return try JSONPathDecoder(tokens: path.tokens.dropFirst()).value(type, in: superDecoder(forKey: key))
    }
}

/// Follows a path through nested containers, one token at a time.
private struct JSONPathDecoder {
    let tokens: ArraySlice<String>

    /// Decodes the value at the remaining tokens, or returns nil if there is no such value.
    func value<Value: Decodable>(_ type: Value.Type, in decoder: any Decoder) throws -> Value? {
        guard let token = tokens.first else {
            let container = try decoder.singleValueContainer()
            return container.decodeNil() ? nil : try container.decode(type)
        }
        let rest = JSONPathDecoder(tokens: tokens.dropFirst())
        if let container = try? decoder.container(keyedBy: JSONKey.self) {
            let key = JSONKey(token)
            guard container.contains(key), try !container.decodeNil(forKey: key) else { return nil }
            return try rest.value(type, in: container.superDecoder(forKey: key))
        }
        guard let index = JSONPointer.index(token), var container = try? decoder.unkeyedContainer() else { return nil }
        while !container.isAtEnd {
            let element = try container.superDecoder()
            if container.currentIndex == index + 1 { return try rest.value(type, in: element) }
        }
        return nil
    }
}
