// SPDX-License-Identifier: Apache-2.0

/// A response whose content is of no interest, whatever it is: the ``Endpoint/Response`` of endpoints that name none.
public struct EmptyResponse: Decodable, Sendable, Hashable {
    /// The one value there is.
    public init() {}

    /// Reads nothing.
    public init(from decoder: any Decoder) {}
}
