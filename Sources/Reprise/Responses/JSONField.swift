// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// A value at a path of a response's JSON, and whether it may be missing.
///
/// ```swift
/// let (name, age) = try await api.get("/me").values(
///     .optional("/data/user/name", as: String.self),
///     .required("/data/user/age", as: Int.self)
/// )
/// ```
public struct JSONField<Value> {
    /// Where it stands.
    public let path: JSONPointer
    /// Makes it of what stands there; nil for nothing.
    let make: (JSONValue?, BufferedResponse) throws -> Value

    /// A value that must be there.
    ///
    /// If it is missing, or is something else, the call fails with ``ClientError/Code/path``.
    public static func required(_ path: String, as type: Value.Type = Value.self) -> JSONField
    where Value: Decodable {
        required(at: JSONPointer(path), as: type)
    }

    /// A value that may be missing, or null: then it is nil. If it is something else, the call fails with
    /// ``ClientError/Code/path``.
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
            guard let found, !found.isNull else { return nil }
            return try response.decode(type, found, path)
        }
    }
}

extension BufferedResponse {
    /// The values at several paths, of one reading of it.
    ///
    /// - Throws: ``ClientError/Code/empty`` if there is no content, ``ClientError/Code/decoding`` if it is no JSON,
    ///   ``ClientError/Code/path`` for the first field that is missing or something else.
    public func values<each Value>(_ fields: repeat JSONField<each Value>) throws -> (repeat each Value) {
        let json = try json()
        return (repeat try (each fields).make(json.found(at: (each fields).path), self))
    }

    /// The value that `found` is, which stands at a path: of the bytes as they came, or else a large number would be the
    /// nearest double by now.
    fileprivate func decode<Value: Decodable>(
        _ type: Value.Type,
        _ found: JSONValue,
        _ path: JSONPointer
    ) throws -> Value {
        do {
            return try decoder.decode(type, from: Data(try JSONText.value(at: path, in: bytes) ?? found.encoded()))
        } catch {
            throw ClientError(path: path, expecting: type, found: found, in: self, error)
        }
    }
}

extension ClientError {
    fileprivate init(missing path: JSONPointer, as type: Any.Type, in response: BufferedResponse) {
        self.init(
            .path,
            "at \(path): expected \(type), found nothing. The content begins: \(response.excerpt)",
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
        let excerpt = (try? found.encoded())?[...].excerpt ?? ""
        self.init(
            .path,
            "at \(path): expected \(type), found \(found.kind) (\(why)): \(excerpt)",
            response: response,
            underlying: error
        )
    }
}
