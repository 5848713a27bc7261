// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// Encodes values as ``ParameterNode``s.
struct ParameterEncoder {
    /// Returns the value as a node.
    ///
    /// - Throws: The error of the value's own `encode(to:)`.
    static func encode(_ value: some Encodable) throws -> ParameterNode {
        let place = ParameterPlace()
        try place.put(value, at: [])
        return try place.node()
    }
}

/// The place in the result that a value is encoded to.
final class ParameterPlace {
    private enum Content {
        case nothing
        case node(ParameterNode)
        case array([ParameterPlace])
        case fields([(key: String, place: ParameterPlace)])
        /// The value asked for more than one kind of container.
        case conflict
    }

    private var content = Content.nothing

    func node() throws -> ParameterNode {
        switch content {
        // A value that encodes nothing is an object without fields.
        case .nothing: return .fields([])
        case .node(let node): return node
        case .array(let places): return .array(try places.map { try $0.node() })
        case .fields(let fields): return .fields(try fields.map { ($0.key, try $0.place.node()) })
        case .conflict:
            throw ClientError(
                .invalidParameters,
                "expected a value that encodes as an object, an array or a single value, found more than one of these"
            )
        }
    }

    func put(_ node: ParameterNode) {
        if case .nothing = content { content = .node(node) } else { content = .conflict }
    }

    func put(_ value: some Encodable, at path: [any CodingKey]) throws {
        switch value {
        // On their own, decimals, dates, data, and URLs would encode their internal representation.
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

    /// Returns the place for a key, replacing any value encoded for it before.
    func place(for key: any CodingKey) -> ParameterPlace {
        let place = ParameterPlace()
        guard case .fields(var fields) = content else { return place }
        // Release the array, so that appending does not copy it.
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

    /// The encoder for a value at a place.
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

/// A collection whose order differs between processes. It is sorted so that equal values have equal encodings.
private protocol Unordered {}
private protocol UnorderedElements: Unordered {}

extension Dictionary: Unordered {}
extension Set: UnorderedElements {}

extension ParameterNode {
    /// Returns the entries of a dictionary or the elements of a set in sorted order. A dictionary whose keys are not
    /// strings encodes as an array of keys and values, which is left as it is.
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
