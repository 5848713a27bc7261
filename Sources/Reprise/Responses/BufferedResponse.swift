// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A response with its complete content.
public struct BufferedResponse: Sendable {
    /// The status and the header fields.
    public var head: HTTPResponse
    /// The content.
    public var bytes: [UInt8]
    /// The status line and header lines as received, if the transport provides them.
    public var rawHead: RawHead?
    /// The trailer fields (RFC 9110 section 6.5), or nil if there are none.
    public var trailers: HTTPFields?
    /// The URL that the response came from, if known. After a redirect, it differs from the request's URL.
    public var url: String?
    /// The durations of the request and its steps, as far as they are known.
    public var metrics = Metrics()
    /// The decoder that ``decode(as:)`` uses, which is the call's decoder.
    public var decoder: any ResponseDecoder

    /// Creates a response.
    ///
    /// - Parameters:
    ///   - head: The status and the header fields.
    ///   - bytes: The content.
    ///   - rawHead: The head as received, if available.
    ///   - trailers: The trailer fields.
    ///   - url: The URL that the response came from.
    ///   - decoder: The decoder that ``decode(as:)`` uses.
    public init(
        _ head: HTTPResponse,
        bytes: [UInt8] = [],
        rawHead: RawHead? = nil,
        trailers: HTTPFields? = nil,
        url: String? = nil,
        decoder: any ResponseDecoder = .json
    ) {
        self.head = head
        self.bytes = bytes
        self.rawHead = rawHead
        self.trailers = trailers
        self.url = url
        self.decoder = decoder
    }

    /// The status.
    public var status: HTTPResponse.Status { head.status }

    /// The header fields.
    public var headers: HTTPFields {
        get { head.headerFields }
        set { head.headerFields = newValue }
    }

    /// The content as `Data`.
    public var data: Data { Data(bytes) }

    /// The content as text in the charset that Content-Type names. If it names none or one that is unknown here, the
    /// content is read as UTF-8, with U+FFFD in place of invalid bytes.
    public var text: String { (try? decodedText()) ?? String(decoding: bytes, as: UTF8.self) }

    /// Decodes the content.
    ///
    /// `Data` is the content itself, and `String` is its text in the charset that Content-Type names, or in UTF-8. An
    /// optional is nil if there is no content.
    ///
    /// - Throws: ``ClientError/Code/empty`` if there is no content, or ``ClientError/Code/decoding`` if the content
    ///   cannot be decoded as `type`. The message describes what was found, and where.
    public func decode<Value: Decodable>(as type: Value.Type = Value.self) throws -> Value {
        try decode(as: type, using: decoder)
    }

    /// Decodes the content with the given decoder.
    ///
    /// - Throws: The same errors as ``decode(as:)``.
    public func decode<Value: Decodable>(
        as type: Value.Type = Value.self,
        using decoder: any ResponseDecoder
    ) throws -> Value {
        // These types ignore the content, so it can be missing or invalid.
        if let empty = EmptyResponse() as? Value { return empty }
        if type == StatusResponse.self, let response = StatusResponse(self) as? Value { return response }
        if bytes.isEmpty, let type = type as? any OptionalValue.Type, let none = type.noValue as? Value { return none }
        if type == Data.self || type == Data?.self, let data = data as? Value { return data }
        if type == String.self || type == String?.self, let text = try decodedText() as? Value { return text }
        try checkContent(for: "\(type)")
        do {
            return try decoder.decode(type, from: data)
        } catch {
            throw ClientError(decoding: type, from: self, error)
        }
    }

    /// Throws an error if there is no content. `what` describes the expected value.
    func checkContent(for what: @autoclosure () -> String) throws {
        guard bytes.isEmpty else { return }
        throw ClientError(
            .empty,
            "expected \(what()), found a response of \(status.text) without content; use send(), EmptyResponse, "
                + "or an optional type if no content is expected",
            response: self
        )
    }
}
