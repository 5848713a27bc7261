// SPDX-License-Identifier: Apache-2.0

extension KeyedDecodingContainer where Key == JSONKey {
    /// The value at a path, of objects and arrays.
    ///
    /// - Throws: `DecodingError`: `keyNotFound` or `valueNotFound` if nothing stands there, else what the value throws.
    public func decode<Value: Decodable>(
        _ type: Value.Type = Value.self,
        at path: JSONPointer
    ) throws -> Value {
        guard let value = try decodeIfPresent(type, at: path) else {
            throw DecodingError.keyNotFound(
                JSONKey(path.tokens.last ?? ""),
                DecodingError.Context(codingPath: codingPath, debugDescription: "nothing stands at \(path)")
            )
        }
        return value
    }

    /// The value at a path, or `fallback` if nothing or null stands there.
    ///
    /// A value that is no `type` is an error all the same.
    public func decode<Value: Decodable>(
        _ type: Value.Type = Value.self,
        at path: JSONPointer,
        default fallback: @autoclosure () -> Value
    ) throws -> Value {
        try decodeIfPresent(type, at: path) ?? fallback()
    }

    /// The value at a path, or nil if nothing or null stands there.
    public func decodeIfPresent<Value: Decodable>(
        _ type: Value.Type = Value.self,
        at path: JSONPointer
    ) throws -> Value? {
        guard let first = path.tokens.first else { return nil }
        let key = JSONKey(first)
        if path.tokens.count == 1 { return try decodeIfPresent(type, forKey: key) }
        guard contains(key), try !decodeNil(forKey: key) else { return nil }
        return try JSONPlaceDecoder(tokens: path.tokens.dropFirst()).value(type, in: superDecoder(forKey: key))
    }
}

/// Looks for a value on its way down.
private struct JSONPlaceDecoder {
    let tokens: ArraySlice<String>

    /// The value at the tokens in what `decoder` reads; nil if nothing stands there.
    func value<Value: Decodable>(_ type: Value.Type, in decoder: any Decoder) throws -> Value? {
        guard let token = tokens.first else {
            let container = try decoder.singleValueContainer()
            return container.decodeNil() ? nil : try container.decode(type)
        }
        let rest = JSONPlaceDecoder(tokens: tokens.dropFirst())
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
