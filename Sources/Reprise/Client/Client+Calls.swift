// SPDX-License-Identifier: Apache-2.0

extension Client {
    /// A call with any method.
    ///
    /// - Parameters:
    ///   - method: the method.
    ///   - path: where to, relative to the base URL, or an absolute URL. It may have a query. Percent escapes stay as
    ///     they are and what else a URL cannot hold is escaped; a value that may hold anything goes in as
    ///     `\(segment: value)`.
    public func call(_ method: HTTPRequest.Method, _ path: String) -> Call {
        Call(client: self, method: method, path: path)
    }

    /// A call with a method of any name (RFC 9110 section 9.1). One that is no token fails when the call is sent.
    public func call(_ method: String, _ path: String) -> Call {
        guard let known = HTTPRequest.Method(method) else {
            return Call(client: self, method: .get, path: path).failing(
                .invalidParameters,
                "\(method.debugDescription) is no method: expected letters, digits and !#$%&'*+-.^_`|~"
            )
        }
        return call(known, path)
    }

    /// A call with GET. ``call(_:_:)-(HTTPRequest.Method,_)`` says what a path may be.
    public func get(_ path: String) -> Call { call(.get, path) }

    /// A call with HEAD: the same as with GET, without the content.
    public func head(_ path: String) -> Call { call(.head, path) }

    /// A call with POST.
    public func post(_ path: String) -> Call { call(.post, path) }

    /// A call with PUT.
    public func put(_ path: String) -> Call { call(.put, path) }

    /// A call with PATCH.
    public func patch(_ path: String) -> Call { call(.patch, path) }

    /// A call with DELETE.
    public func delete(_ path: String) -> Call { call(.delete, path) }

    /// A call with OPTIONS.
    public func options(_ path: String) -> Call { call(.options, path) }
}
