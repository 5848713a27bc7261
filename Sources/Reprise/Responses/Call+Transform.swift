// SPDX-License-Identifier: Apache-2.0

/// A closure that changes a response before it is decoded, for example to decrypt or unwrap its content. It runs off
/// the caller's actor.
public typealias ResponseTransform = @concurrent @Sendable (BufferedResponse) async throws -> BufferedResponse

extension Call {
    /// Changes the response before it is decoded.
    ///
    /// ```swift
    /// let secret: Secret = try await api.get("/vault").transform { response in
    ///     var response = response
    ///     response.bytes = try decrypt(response.bytes)
    ///     return response
    /// }.value()
    /// ```
    ///
    /// The client's transforms run first, then the endpoint's, then the call's. Each receives the result of the
    /// previous one. They run after validation, for successful responses only, and not for streams. If one throws,
    /// the call throws the same error.
    public consuming func transform(_ transform: @escaping ResponseTransform) -> Call {
        transforms.append(transform)
        return self
    }

    func transformed(_ response: BufferedResponse) async throws -> BufferedResponse {
        if transforms.isEmpty, client.shared.configuration.transforms.isEmpty { return response }
        var response = response
        for transform in client.shared.configuration.transforms + transforms {
            response = try await transform(response)
        }
        return response
    }
}
