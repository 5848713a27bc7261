// SPDX-License-Identifier: Apache-2.0

extension Client {
    /// Creates a call with any method.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - path: The path relative to the base URL, or an absolute URL. It may have a query. Interpolated values are
    ///     escaped for their position. In literals, percent escapes are kept, and other characters that are not allowed
    ///     in a URL are escaped.
    public func call(_ method: HTTPRequest.Method, _ path: RequestPath) -> Call {
        Call(client: self, method: method, path: path.raw)
    }

    /// Creates a call with a method by its name (RFC 9110 section 9.1). If the name is not a token, the call fails
    /// when it is sent.
    public func call(_ method: String, _ path: RequestPath) -> Call {
        guard let known = HTTPRequest.Method(method) else {
            return Call(client: self, method: .get, path: path.raw).failing(
                .invalidParameters,
                "expected a method of letters, digits and !#$%&'*+-.^_`|~, found \(method.debugDescription)"
            )
        }
        return call(known, path)
    }

    /// Creates a GET call. For the path, see ``call(_:_:)-(HTTPRequest.Method,RequestPath)``.
    public func get(_ path: RequestPath) -> Call { call(.get, path) }

    /// Creates a HEAD call, which is a GET call whose response has no content.
    public func head(_ path: RequestPath) -> Call { call(.head, path) }

    /// Creates a POST call.
    public func post(_ path: RequestPath) -> Call { call(.post, path) }

    /// Creates a PUT call.
    public func put(_ path: RequestPath) -> Call { call(.put, path) }

    /// Creates a PATCH call.
    public func patch(_ path: RequestPath) -> Call { call(.patch, path) }

    /// Creates a DELETE call.
    public func delete(_ path: RequestPath) -> Call { call(.delete, path) }

    /// Creates an OPTIONS call.
    public func options(_ path: RequestPath) -> Call { call(.options, path) }
}

// Unavailable for a `String`, whose values can no longer be escaped. These overloads exist for their message.
extension Client {
    /// Unavailable. The path must be a literal or a ``RequestPath``.
    @available(*, unavailable, message: "write get(\"/users/\\(id)\") or get(RequestPath(raw: path))")
    @_disfavoredOverload
    public func get(_ path: String) -> Call { preconditionFailure("unavailable") }

    /// Unavailable. The path must be a literal or a ``RequestPath``.
    @available(*, unavailable, message: "write head(\"/users/\\(id)\") or head(RequestPath(raw: path))")
    @_disfavoredOverload
    public func head(_ path: String) -> Call { preconditionFailure("unavailable") }

    /// Unavailable. The path must be a literal or a ``RequestPath``.
    @available(*, unavailable, message: "write post(\"/users/\\(id)\") or post(RequestPath(raw: path))")
    @_disfavoredOverload
    public func post(_ path: String) -> Call { preconditionFailure("unavailable") }

    /// Unavailable. The path must be a literal or a ``RequestPath``.
    @available(*, unavailable, message: "write put(\"/users/\\(id)\") or put(RequestPath(raw: path))")
    @_disfavoredOverload
    public func put(_ path: String) -> Call { preconditionFailure("unavailable") }

    /// Unavailable. The path must be a literal or a ``RequestPath``.
    @available(*, unavailable, message: "write patch(\"/users/\\(id)\") or patch(RequestPath(raw: path))")
    @_disfavoredOverload
    public func patch(_ path: String) -> Call { preconditionFailure("unavailable") }

    /// Unavailable. The path must be a literal or a ``RequestPath``.
    @available(*, unavailable, message: "write delete(\"/users/\\(id)\") or delete(RequestPath(raw: path))")
    @_disfavoredOverload
    public func delete(_ path: String) -> Call { preconditionFailure("unavailable") }

    /// Unavailable. The path must be a literal or a ``RequestPath``.
    @available(*, unavailable, message: "write options(\"/users/\\(id)\") or options(RequestPath(raw: path))")
    @_disfavoredOverload
    public func options(_ path: String) -> Call { preconditionFailure("unavailable") }
}
