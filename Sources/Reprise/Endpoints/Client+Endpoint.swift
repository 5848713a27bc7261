// SPDX-License-Identifier: Apache-2.0

extension Client {
    /// An endpoint's call, to add to it.
    public func call(_ endpoint: some Endpoint) -> Call {
        var call = call(endpoint.method, endpoint.path)
        call.baseURL = endpoint.baseURL
        if let decoder = endpoint.decoder, configuration.decoder == nil || !endpoint.allowsDecoderOverride {
            call.decoder = decoder
        }
        return endpoint.configure(call)
    }

    /// Sends an endpoint's call.
    ///
    /// - Throws: ``ClientError``, and what interceptors, validation and `decode` of one's own throw.
    @discardableResult
    public nonisolated(nonsending) func send<E: Endpoint>(_ endpoint: E) async throws -> E.Response {
        try await call(endpoint).value { response in try E.value(of: response) }
    }

    /// Sends the call of an endpoint whose cases answer differently: `api.send(UserAPI.list, as: [User].self)`.
    ///
    /// - Throws: ``ClientError``, and what interceptors and validation of one's own throw.
    public nonisolated(nonsending) func send<Value: Decodable>(
        _ endpoint: some Endpoint,
        as type: Value.Type
    ) async throws -> Value {
        try await call(endpoint).value(as: type)
    }
}

extension Endpoint {
    /// The value of a response, with content or without.
    static func value(of response: BufferedResponse) throws -> Response {
        if response.bytes.isEmpty, let value = try empty(response) { return value }
        return try decode(response)
    }
}
