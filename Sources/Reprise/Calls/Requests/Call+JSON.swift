// SPDX-License-Identifier: Apache-2.0

extension Call {
    /// Sends the call and returns its response's JSON, for content without a Swift type.
    ///
    /// ```swift
    /// let name = try await api.get("/me").json()["user"]["name"].string
    /// ```
    ///
    /// - Throws: The errors of ``value(as:)``.
    public func json() async throws -> JSONValue {
        try await value { response in try response.json() }
    }

    /// Sends the call and returns the value at a path in its response's JSON, or nil if the value is missing or null.
    ///
    /// ```swift
    /// let user: User? = try await api.get("/me").value(at: "/data/user")
    /// ```
    ///
    /// - Parameters:
    ///   - path: The path of the value (RFC 6901).
    ///   - type: The type of the value.
    /// - Throws: The errors of ``value(as:)``, and ``ClientError/Code/path`` if the value has another type.
    public func value<Value: Decodable>(
        at path: JSONPointer,
        as type: Value.Type = Value.self
    ) async throws -> Value? {
        try await value { response in try response.values(.optional(at: path, as: type)) }
    }

    /// Sends the call and returns the required value at a path in its response's JSON.
    ///
    /// - Parameters:
    ///   - path: The path of the value (RFC 6901).
    ///   - type: The type of the value.
    /// - Throws: The errors of ``value(as:)``, and ``ClientError/Code/path`` if the value is missing or has another
    ///   type.
    public func value<Value: Decodable>(
        required path: JSONPointer,
        as type: Value.Type = Value.self
    ) async throws -> Value {
        try await value { response in try response.values(.required(at: path, as: type)) }
    }

    /// Sends the call and returns the values at several paths in its response's JSON, which is parsed once. See
    /// ``JSONField``.
    ///
    /// - Throws: The errors of ``value(as:)``, and ``ClientError/Code/path`` for the first value that is required but
    ///   missing, or that has another type.
    public func values<each Value>(
        _ fields: repeat JSONField<each Value>
    ) async throws -> (repeat each Value) {
        try await value { response in try response.values(repeat each fields) }
    }
}

extension BufferedResponse {
    /// Decodes the content as JSON of any form.
    ///
    /// - Throws: ``ClientError/Code/empty`` if there is no content, or ``ClientError/Code/decoding`` if it is not
    ///   valid JSON.
    public func json() throws -> JSONValue {
        try decode(as: JSONValue.self, using: .json)
    }
}
