// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

extension ServerSentEvent {
    /// The value that the data are.
    ///
    /// ```swift
    /// for try await event in try await api.get("/chat").events() where event.event == "message" {
    ///     show(try event.decode(as: ChatMessage.self))
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - type: what the data are.
    ///   - decoder: what decodes them.
    /// - Throws: ``ClientError/Code/decoding``, with what was expected, what was found and where.
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
                "the data of an event \(event.debugDescription) is no \(type): \(what). It begins: "
                    + (bytes.isEmpty ? "(no data)" : bytes[...].excerpt),
                underlying: error
            )
        }
    }
}
