// SPDX-License-Identifier: Apache-2.0

extension Call {
    /// Sends the call and gives its response's JSON as it is, for content that has no type.
    ///
    /// ```swift
    /// let name = try await api.get("/me").json()["user"]["name"].string
    /// ```
    ///
    /// - Throws: as ``value(as:)``.
    public func json() async throws -> JSONValue {
        try await value { response in try response.json() }
    }

    /// Sends the call and gives the value at a path of its response's JSON; nil if nothing or null stands there.
    ///
    /// ```swift
    /// let user: User? = try await api.get("/me").value(at: "/data/user")
    /// ```
    ///
    /// - Parameters:
    ///   - path: where it stands (RFC 6901).
    ///   - type: what it is.
    /// - Throws: as ``value(as:)``; ``ClientError/Code/path`` if something else stands there.
    public func value<Value: Decodable>(
        at path: JSONPointer,
        as type: Value.Type = Value.self
    ) async throws -> Value? {
        try await value { response in try response.values(.optional(at: path, as: type)) }
    }

    /// Sends the call and gives the value that has to stand at a path of its response's JSON.
    ///
    /// - Parameters:
    ///   - path: where it stands (RFC 6901).
    ///   - type: what it is.
    /// - Throws: as ``value(as:)``; ``ClientError/Code/path`` if nothing or something else stands there.
    public func value<Value: Decodable>(
        required path: JSONPointer,
        as type: Value.Type = Value.self
    ) async throws -> Value {
        try await value { response in try response.values(.required(at: path, as: type)) }
    }

    /// Sends the call and gives the values at several paths of its response's JSON, read once. See ``JSONField``.
    ///
    /// - Throws: as ``value(as:)``; ``ClientError/Code/path`` for the first that is missing and required, or something
    ///   else.
    public func values<each Value>(
        _ fields: repeat JSONField<each Value>
    ) async throws -> (repeat each Value) {
        try await value { response in try response.values(repeat each fields) }
    }
}

extension BufferedResponse {
    /// The content's JSON as it is.
    ///
    /// - Throws: ``ClientError/Code/empty`` if there is no content, ``ClientError/Code/decoding`` if it is no JSON.
    public func json() throws -> JSONValue {
        try decode(as: JSONValue.self, using: .json)
    }
}
