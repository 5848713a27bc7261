// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// What makes values of the content of responses. `JSONDecoder` does.
public protocol ResponseDecoder: Sendable {
    /// The value that `data` is.
    func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value
}

extension JSONDecoder: ResponseDecoder {}

extension ResponseDecoder where Self == JSONDecoder {
    /// A new JSON decoder with Foundation's defaults.
    public static var json: JSONDecoder { JSONDecoder() }
}

/// What makes content of values, for ``Call/json(_:encoder:)``. `JSONEncoder` does.
public protocol RequestEncoder: Sendable {
    /// `value` as bytes.
    func encode<Value: Encodable>(_ value: Value) throws -> Data
}

extension JSONEncoder: RequestEncoder {}

extension RequestEncoder where Self == JSONEncoder {
    /// A new JSON encoder with Foundation's defaults, but with sorted keys: otherwise their order is another in each
    /// process, and so would be what is recorded.
    public static var json: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return encoder
    }
}
