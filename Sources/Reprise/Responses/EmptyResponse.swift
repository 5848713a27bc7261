// SPDX-License-Identifier: Apache-2.0

/// A response whose content is ignored. It is the default ``Endpoint/Response`` of an endpoint.
public struct EmptyResponse: Decodable, Sendable, Hashable {
    /// Creates the only value of this type.
    public init() {}

    /// Creates the value without reading any content.
    public init(from decoder: any Decoder) {}
}
