// SPDX-License-Identifier: Apache-2.0

/// A container for the properties of a value.
struct KeyedParameters<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let place: ParameterPlace
    let codingPath: [any CodingKey]

    mutating func encodeNil(forKey key: Key) throws {
        place.place(for: key).put(.null)
    }

    mutating func encode(_ value: some Encodable, forKey key: Key) throws {
        try place.place(for: key).put(value, at: codingPath + [key])
    }

    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type,
        forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
        nested(key).container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        nested(key).unkeyedContainer()
    }

    mutating func superEncoder() -> any Encoder {
        nested(JSONKey("super"))
    }

    mutating func superEncoder(forKey key: Key) -> any Encoder {
        nested(key)
    }

    private func nested(_ key: any CodingKey) -> ParameterPlace.Encoding {
        ParameterPlace.Encoding(place: place.place(for: key), codingPath: codingPath + [key])
    }
}

/// A container for the elements of a value.
struct UnkeyedParameters: UnkeyedEncodingContainer {
    let place: ParameterPlace
    let codingPath: [any CodingKey]
    var count: Int { place.count }

    mutating func encodeNil() throws {
        place.nextPlace().put(.null)
    }

    mutating func encode(_ value: some Encodable) throws {
        let path = codingPath + [JSONKey(intValue: count)]
        try place.nextPlace().put(value, at: path)
    }

    mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
        nested().container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        nested().unkeyedContainer()
    }

    mutating func superEncoder() -> any Encoder {
        nested()
    }

    private func nested() -> ParameterPlace.Encoding {
        let path = codingPath + [JSONKey(intValue: count)]
        return ParameterPlace.Encoding(place: place.nextPlace(), codingPath: path)
    }
}

struct SingleParameter: SingleValueEncodingContainer {
    let place: ParameterPlace
    let codingPath: [any CodingKey]

    mutating func encodeNil() throws {
        place.put(.null)
    }

    mutating func encode(_ value: some Encodable) throws {
        try place.put(value, at: codingPath)
    }
}
