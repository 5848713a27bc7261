// SPDX-License-Identifier: Apache-2.0

extension Client {
    /// Returns an endpoint's call, which can be modified further.
    public func call(_ endpoint: some Endpoint) -> Call {
        var call = call(endpoint.method, endpoint.path).parts(of: endpoint)
        if let decoder = endpoint.decoder, configuration.decoder == nil || !endpoint.allowsDecoderOverride {
            call.decoder = decoder
        }
        return endpoint.configure(call)
    }

    /// Sends an endpoint's call and returns the value of its response.
    ///
    /// - Throws: ``ClientError``, or an error of your interceptors, validation, or `decode`.
    @discardableResult
    public func send<E: Endpoint>(_ endpoint: E) async throws -> E.Response {
        try await call(endpoint).value(of: E.self)
    }

    /// Sends the call of an endpoint whose cases have different responses: `api.send(UserAPI.list, as: [User].self)`.
    ///
    /// - Throws: ``ClientError``, or an error of your interceptors or validation.
    public func send<Value: Decodable>(
        _ endpoint: some Endpoint,
        as type: Value.Type
    ) async throws -> Value {
        try await call(endpoint).value(as: type)
    }
}

extension Call {
    func value<E: Endpoint>(of endpoint: E.Type) async throws -> E.Response {
        try await value { response in
            if response.bytes.isEmpty, let value = try E.empty(response) { return value }
            return try E.decode(response)
        }
    }
}
