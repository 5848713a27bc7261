// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A response with all of its content.
public struct BufferedResponse: Sendable {
    /// The status and the header fields.
    public var head: HTTPResponse
    /// The content.
    public var bytes: [UInt8]
    /// The status line and header lines as they came, where the transport has them.
    public var rawHead: RawHead?
    /// The trailer fields (RFC 9110 section 6.5); nil if there were none.
    public var trailers: HTTPFields?
    /// The URL that answered, where it is known: another than the request's after a redirection.
    public var url: String?
    /// How long the steps of the request took, and all of it, as far as that is known.
    public var metrics = Metrics()
    /// What ``decode(as:)`` uses; the call's.
    public var decoder: any ResponseDecoder

    /// A response.
    ///
    /// - Parameters:
    ///   - head: the status and the header fields.
    ///   - bytes: the content.
    ///   - rawHead: the head as bytes of the wire, where there are any.
    ///   - trailers: the trailer fields.
    ///   - url: the URL that answered.
    ///   - decoder: what ``decode(as:)`` uses.
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
    public var headerFields: HTTPFields { head.headerFields }

    /// The content as Foundation has it.
    public var data: Data { Data(bytes) }

    /// The content as UTF-8 text, with U+FFFD for what is none.
    public var text: String { String(decoding: bytes, as: UTF8.self) }

    /// The value that the content is.
    ///
    /// - Throws: ``ClientError/Code/empty`` if there is no content, ``ClientError/Code/decoding`` if it is not such a
    ///   value; the message says where and what was found.
    public func decode<Value: Decodable>(as type: Value.Type = Value.self) throws -> Value {
        try decode(as: type, using: decoder)
    }

    /// The value that the content is, for `decoder`.
    ///
    /// - Throws: as ``decode(as:)``.
    public func decode<Value: Decodable>(
        as type: Value.Type = Value.self,
        using decoder: any ResponseDecoder
    ) throws -> Value {
        // Content is of no interest, and may be missing or anything.
        if let empty = EmptyResponse() as? Value { return empty }
        if type == StatusResponse.self, let response = StatusResponse(self) as? Value { return response }
        try checkContent(for: "\(type)")
        do {
            return try decoder.decode(type, from: data)
        } catch {
            throw ClientError(decoding: type, from: self, error)
        }
    }

    /// Throws if there is no content, of which `what` was to be made.
    func checkContent(for what: @autoclosure () -> String) throws {
        guard bytes.isEmpty else { return }
        throw ClientError(
            .empty,
            "expected \(what()), found a response of \(status.text) without content: use send() or EmptyResponse where "
                + "none is expected",
            response: self
        )
    }
}
