// SPDX-License-Identifier: Apache-2.0

/// A response of which the status and the header fields count, with content or without.
///
/// ```swift
/// struct Touch: Endpoint {
///     typealias Response = StatusResponse
///     let path = "/touch"
///     let method = HTTPRequest.Method.put
/// }
/// ```
public struct StatusResponse: Sendable, Hashable {
    /// The status.
    public let status: HTTPResponse.Status
    /// The header fields.
    public let headerFields: HTTPFields

    /// A response's status and header fields.
    public init(_ response: BufferedResponse) {
        status = response.status
        headerFields = response.headerFields
    }
}

extension StatusResponse: Decodable {
    /// Fails: it stands in no content. A call makes it of its response.
    public init(from decoder: any Decoder) throws {
        throw DecodingError.dataCorrupted(
            DecodingError.Context(
                codingPath: decoder.codingPath,
                debugDescription: "a StatusResponse is made of a response, and stands in no content"
            )
        )
    }
}
