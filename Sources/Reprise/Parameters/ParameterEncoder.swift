// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// Makes a ``ParameterNode`` of a value.
struct ParameterEncoder {
    /// The value as a node.
    ///
    /// - Throws: what the value's own `encode(to:)` throws.
    static func encode(_ value: some Encodable) throws -> ParameterNode {
        let place = ParameterPlace()
        try place.put(value, at: [])
        return try place.node()
    }
}

/// Where a value goes while it is encoded.
final class ParameterPlace {
    private enum Content {
        case nothing
        case node(ParameterNode)
        case array([ParameterPlace])
        case fields([(key: String, place: ParameterPlace)])
        /// It was asked for as two of the three.
        case conflict
    }

    private var content = Content.nothing

    /// What was put here.
    func node() throws -> ParameterNode {
        switch content {
        // A value that encodes nothing has no fields.
        case .nothing: return .fields([])
        case .node(let node): return node
        case .array(let places): return .array(try places.map { try $0.node() })
        case .fields(let fields): return .fields(try fields.map { ($0.key, try $0.place.node()) })
        case .conflict:
            throw ClientError(.invalidParameters, "a value encodes itself as more than one of object, array and single")
        }
    }

    func put(_ node: ParameterNode) {
        if case .nothing = content { content = .node(node) } else { content = .conflict }
    }

    func put(_ value: some Encodable, at path: [any CodingKey]) throws {
        switch value {
        // Decimals, dates, data and URLs encode themselves as what they are made of.
        case let scalar as any ParameterScalar: put(.single(scalar))
        default:
            try value.encode(to: Encoding(place: self, codingPath: path))
            if value is any Unordered { content = .node(try node().inOrder(isSet: value is any UnorderedElements)) }
        }
    }

    func becomeFields() {
        switch content {
        case .nothing: content = .fields([])
        case .fields: break
        default: content = .conflict
        }
    }

    func becomeArray() {
        switch content {
        case .nothing: content = .array([])
        case .array: break
        default: content = .conflict
        }
    }

    /// The place for a key; what was put under it before goes.
    func place(for key: any CodingKey) -> ParameterPlace {
        let place = ParameterPlace()
        guard case .fields(var fields) = content else { return place }
        // Or the array would be copied for each field.
        content = .nothing
        if let index = fields.firstIndex(where: { $0.key == key.stringValue }) {
            fields[index].place = place
        } else {
            fields.append((key.stringValue, place))
        }
        content = .fields(fields)
        return place
    }

    func nextPlace() -> ParameterPlace {
        let place = ParameterPlace()
        guard case .array(var places) = content else { return place }
        content = .nothing
        places.append(place)
        content = .array(places)
        return place
    }

    var count: Int {
        if case .array(let places) = content { places.count } else { 0 }
    }

    /// The encoder of a value that goes to a place.
    struct Encoding: Encoder {
        let place: ParameterPlace
        let codingPath: [any CodingKey]
        var userInfo: [CodingUserInfoKey: Any] { [:] }

        func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
            place.becomeFields()
            return KeyedEncodingContainer(KeyedParameters(place: place, codingPath: codingPath))
        }

        func unkeyedContainer() -> any UnkeyedEncodingContainer {
            place.becomeArray()
            return UnkeyedParameters(place: place, codingPath: codingPath)
        }

        func singleValueContainer() -> any SingleValueEncodingContainer {
            SingleParameter(place: place, codingPath: codingPath)
        }
    }
}

/// What has another order in each process, and is put into one, so that the same value is the same content.
private protocol Unordered {}
private protocol UnorderedElements: Unordered {}

extension Dictionary: Unordered {}
extension Set: UnorderedElements {}

extension ParameterNode {
    /// What came of a dictionary or a set, in order. A dictionary whose keys are no text is an array of keys and values,
    /// and stays as it is.
    fileprivate func inOrder(isSet: Bool) -> ParameterNode {
        switch self {
        case .fields(let entries): .dictionary(entries.sorted { $0.key < $1.key })
        case .array(let elements) where isSet: .array(elements.sorted { $0.order < $1.order })
        case .null, .single, .array, .dictionary: self
        }
    }

    private var order: String {
        if case .single(let value) = self, let text = try? value.text(ParameterStyle()) { text } else { "" }
    }
}
