// SPDX-License-Identifier: Apache-2.0

/// A response reduced to its status and header fields, whatever its content.
///
/// ```swift
/// struct Touch: Endpoint {
///     typealias Response = StatusResponse
///     let path: Path = "/touch"
///     let method = HTTPRequest.Method.put
/// }
/// ```
public struct StatusResponse: Sendable, Hashable {
    /// The status.
    public let status: HTTPResponse.Status
    /// The header fields.
    public let headers: HTTPFields

    /// Creates a value from a response's status and header fields.
    public init(_ response: BufferedResponse) {
        status = response.status
        headers = response.headers
    }
}

extension StatusResponse: Decodable {
    /// Always throws, because the content does not include the status and the header fields. A call creates the value
    /// from its response instead.
    public init(from decoder: any Decoder) throws {
        throw DecodingError.dataCorrupted(
            DecodingError.Context(
                codingPath: decoder.codingPath,
                debugDescription: "StatusResponse cannot be decoded from content; use it as the type of a response"
            )
        )
    }
}
