// SPDX-License-Identifier: Apache-2.0

/// What makes another response of a response, before a value is made of it: decrypts, unwraps, rewrites. It
/// runs off the caller's actor.
public typealias ResponseTransform = @concurrent @Sendable (BufferedResponse) async throws -> BufferedResponse

extension Call {
    /// Changes the response before a value is made of it.
    ///
    /// ```swift
    /// let secret: Secret = try await api.get("/vault").transform { response in
    ///     var response = response
    ///     response.bytes = try decrypt(response.bytes)
    ///     return response
    /// }.value()
    /// ```
    ///
    /// The client's come first, then the endpoint's, then the call's; each gets what the one before has made. They run
    /// after validation, for responses that count as a success, and not for streams; what one throws is thrown.
    public consuming func transform(_ transform: @escaping ResponseTransform) -> Call {
        transforms.append(transform)
        return self
    }

    /// What the transforms make of a response.
    func transformed(_ response: BufferedResponse) async throws -> BufferedResponse {
        if transforms.isEmpty, client.shared.configuration.transforms.isEmpty { return response }
        var response = response
        for transform in client.shared.configuration.transforms + transforms {
            response = try await transform(response)
        }
        return response
    }
}
