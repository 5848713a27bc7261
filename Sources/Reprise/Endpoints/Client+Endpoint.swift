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
    public func send<E: Endpoint>(_ endpoint: E) async throws -> E.Response {
        try await call(endpoint).value(of: E.self)
    }

    /// Sends the call of an endpoint whose cases answer differently: `api.send(UserAPI.list, as: [User].self)`.
    ///
    /// - Throws: ``ClientError``, and what interceptors and validation of one's own throw.
    public func send<Value: Decodable>(
        _ endpoint: some Endpoint,
        as type: Value.Type
    ) async throws -> Value {
        try await call(endpoint).value(as: type)
    }
}

extension Call {
    /// Sends the call of an endpoint and makes its value of the response.
    func value<E: Endpoint>(of endpoint: E.Type) async throws -> E.Response {
        try await value { response in
            if response.bytes.isEmpty, let value = try E.empty(response) { return value }
            return try E.decode(response)
        }
    }
}
