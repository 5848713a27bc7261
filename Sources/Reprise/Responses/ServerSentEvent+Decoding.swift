// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

extension ServerSentEvent {
    /// Decodes the event's data.
    ///
    /// ```swift
    /// for try await event in try await api.get("/chat").events() where event.name == "message" {
    ///     show(try event.decode(as: ChatMessage.self))
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - type: The type to decode the data as.
    ///   - decoder: The decoder.
    /// - Throws: ``ClientError/Code/decoding``. The message describes what was expected, what was found, and where.
    public func decode<Value: Decodable>(
        as type: Value.Type = Value.self,
        using decoder: any ResponseDecoder = .json
    ) throws -> Value {
        let bytes = Array(data.utf8)
        do {
            return try decoder.decode(type, from: Data(bytes))
        } catch {
            let what = (error as? DecodingError)?.report ?? "\(error)"
            throw ClientError(
                .decoding,
                "cannot decode \(type) from the data of event \(name.debugDescription): \(what); the data begins: "
                    + (bytes.isEmpty ? "(no data)" : bytes[...].excerpt(type: nil)),
                underlying: error
            )
        }
    }
}
