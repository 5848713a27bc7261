// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A type that decodes the content of responses, such as `JSONDecoder`.
public protocol ResponseDecoder: Sendable {
    /// Decodes a value from `data`.
    func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value
}

extension JSONDecoder: ResponseDecoder {}

extension ResponseDecoder where Self == JSONDecoder {
    /// Creates a JSON decoder with Foundation's defaults.
    public static var json: JSONDecoder { JSONDecoder() }
}

/// A type that encodes the content of requests for ``Call/json(_:encoder:)-(Encodable,_)``, such as `JSONEncoder`.
public protocol RequestEncoder: Sendable {
    /// Encodes `value`.
    func encode<Value: Encodable>(_ value: Value) throws -> Data
}

extension JSONEncoder: RequestEncoder {}

extension RequestEncoder where Self == JSONEncoder {
    /// Creates a JSON encoder with Foundation's defaults and sorted keys. Without sorting, the order of keys would
    /// differ between processes, and so would recordings.
    public static var json: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return encoder
    }
}
