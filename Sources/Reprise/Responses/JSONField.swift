// SPDX-License-Identifier: Apache-2.0

internal import RepriseDocuments

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// A value at a path in a response's JSON, either required or optional.
///
/// ```swift
/// let (name, age) = try await api.get("/me").values(
///     .optional("/data/user/name", as: String.self),
///     .required("/data/user/age", as: Int.self)
/// )
/// ```
public struct JSONField<Value> {
    /// The path to the value.
    public let path: JSONPointer
    /// Creates the value from the JSON at the path, which is nil if there is none.
    let make: ([UInt8]?, BufferedResponse) throws -> Value

    /// Creates a field for a required value.
    ///
    /// If the value is missing or cannot be decoded, the call fails with ``ClientError/Code/path``.
    public static func required(_ path: String, as type: Value.Type = Value.self) -> JSONField
    where Value: Decodable {
        required(at: JSONPointer(path), as: type)
    }

    /// Creates a field for an optional value, which is nil if it is missing or null.
    ///
    /// If the value is present but cannot be decoded, the call fails with ``ClientError/Code/path``.
    public static func optional<Wrapped: Decodable>(
        _ path: String,
        as type: Wrapped.Type = Wrapped.self
    ) -> JSONField where Value == Wrapped? {
        optional(at: JSONPointer(path), as: type)
    }

    static func required(at path: JSONPointer, as type: Value.Type) -> JSONField where Value: Decodable {
        JSONField(path: path) { found, response in
            guard let found else { throw ClientError(missing: path, as: type, in: response) }
            return try response.decode(type, found, path)
        }
    }

    static func optional<Wrapped: Decodable>(at path: JSONPointer, as type: Wrapped.Type) -> JSONField
    where Value == Wrapped? {
        JSONField(path: path) { found, response in
            guard let found, !found.elementsEqual("null".utf8) else { return nil }
            return try response.decode(type, found, path)
        }
    }
}

extension BufferedResponse {
    /// Returns the values at several paths, parsing the content once.
    ///
    /// - Throws: ``ClientError/Code/empty`` if there is no content, ``ClientError/Code/decoding`` if it is not JSON,
    ///   or ``ClientError/Code/path`` for the first field that is missing or cannot be decoded.
    public func values<each Value>(_ fields: repeat JSONField<each Value>) throws -> (repeat each Value) {
        let json = try json()
        // The decoder also accepts encodings other than UTF-8.
        let text = try JSONReader.validity(of: bytes) == .valid ? bytes : json.encoded()
        return (repeat try (each fields).make(JSONText.value(at: (each fields).path, in: text), self))
    }

    fileprivate func decode<Value: Decodable>(_ type: Value.Type, _ found: [UInt8], _ path: JSONPointer) throws -> Value
    {
        do {
            return try decoder.decode(type, from: Data(found))
        } catch {
            let found = (try? JSONValue(parsing: found)) ?? .null
            throw ClientError(path: path, expecting: type, found: found, in: self, error)
        }
    }
}

extension ClientError {
    fileprivate init(missing path: JSONPointer, as type: Any.Type, in response: BufferedResponse) {
        self.init(
            .path,
            "at \(path): expected \(type), found nothing; the content begins: \(response.excerpt)",
            response: response
        )
    }

    fileprivate init(
        path: JSONPointer,
        expecting type: Any.Type,
        found: JSONValue,
        in response: BufferedResponse,
        _ error: any Error
    ) {
        let why = (error as? DecodingError)?.report ?? "\(error)"
        let excerpt = (try? found.encoded())?[...].jsonExcerpt(at: path.tokens) ?? ""
        self.init(
            .path,
            "at \(path): expected \(type), found \(found.kind) (\(why)): \(excerpt)",
            response: response,
            underlying: error
        )
    }
}
