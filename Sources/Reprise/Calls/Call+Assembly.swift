// SPDX-License-Identifier: Apache-2.0

extension Call {
    /// The request as it goes to the interceptors, without its body.
    ///
    /// Nothing is sent.
    ///
    /// - Throws: ``ClientError`` with what is wrong with the call, the first thing first.
    public func request() throws -> HTTPRequest {
        if let problem { throw problem }
        let base = try client.shared.base.url()
        let url = try url(base: base)
        if body != nil, method == .get || method == .head || method == .trace {
            throw ClientError(
                .invalidParameters,
                "\(method) with a body is not sent: servers may drop it or close the connection (RFC 9110 section 9.3); "
                    + "use query(_:_:) for parameters, or another method",
                request: HTTPRequest(method: method, scheme: url.scheme, authority: url.authority, path: url.target)
            )
        }
        if case .multipart(let form) = composedBody { try check(form) }
        return HTTPRequest(
            method: method,
            scheme: url.scheme,
            authority: url.authority,
            path: url.target,
            headerFields: try headerFields(of: url, base: base)
        )
    }

    private func check(_ form: MultipartForm) throws(ClientError) {
        if form.parts.isEmpty {
            throw ClientError(.multipart, "the multipart form has no part, and needs one (RFC 2046 section 5.1.1)")
        }
        if let type = headers[.contentType] {
            throw ClientError(
                .multipart,
                "the call says Content-Type: \(type), and the server needs the one that has the form's boundary: leave it "
                    + "out"
            )
        }
    }

    private func url(base: RequestURL?) throws -> RequestURL {
        var url: RequestURL
        if let baseURL {
            url = try RequestURL(absolute: baseURL).appending(path)
        } else if let base {
            url = try base.appending(path)
        } else {
            guard URLReference(path).scheme != nil else {
                throw ClientError(
                    .invalidURL,
                    "\(SecretQuery.quoted(path)) is relative, and the client has no base URL: make it with "
                        + "Client(\"https://…\"), or use an absolute URL"
                )
            }
            url = try RequestURL(absolute: path)
        }
        if !query.isEmpty { url = url.appending(query: query) }
        return url
    }

    /// The client's fields as far as they may go there, over them the body's type, over them the call's own.
    private func headerFields(of url: RequestURL, base: RequestURL?) throws -> HTTPFields {
        // Field by field, here and below: a copy of the configuration would count a dozen references up and down.
        var fields = client.shared.headers
        if !fields.isEmpty, let base, try !client.shared.configuration.sendsCredentials(to: url, base: base) {
            fields.removeAll { $0.name.isCredential }
        }
        if let bodyType { fields[.contentType] = bodyType }
        fields.merge(headers)
        return fields
    }

    /// Whether a token may go where the request goes: the base URL may be another one than when that was put together.
    func mayCarryToken(to request: HTTPRequest) throws -> Bool {
        guard let base = try client.shared.base.url() else { return true }
        if request.authority == base.authority, request.scheme == base.scheme { return true }
        return try client.shared.configuration.sendsCredentials(to: RequestURL(absolute: request.urlText), base: base)
    }

    /// How the request is to be sent.
    func options(_ scope: RequestOptions.TimeoutScope) -> RequestOptions {
        RequestOptions(
            timeout: timeout ?? client.shared.configuration.timeout,
            timeoutScope: scope,
            connectTimeout: connectTimeout ?? client.shared.configuration.connectTimeout,
            redirects: redirects ?? client.shared.configuration.redirects
        )
    }
}

extension Client.Configuration {
    /// Whether the client's credentials may go to a URL.
    fileprivate func sendsCredentials(to url: RequestURL, base: RequestURL) throws -> Bool {
        if url.authority == base.authority, url.scheme == base.scheme { return true }
        let origin = url.origin
        return try origin == base.origin
            || credentialOrigins.contains { text in try RequestURL(absolute: text).origin == origin }
    }
}

extension HTTPFields {
    /// The same with a User-Agent, if there is one to say and none is there.
    func adding(_ userAgent: UserAgent?) -> HTTPFields {
        guard let text = userAgent?.description, !text.isEmpty, !contains(.userAgent) else { return self }
        var fields = self
        fields[.userAgent] = text
        return fields
    }

    /// Takes over `fields`; those of the same names go.
    mutating func merge(_ fields: HTTPFields) {
        guard !fields.isEmpty else { return }
        guard !isEmpty else {
            self = fields
            return
        }
        removeAll { field in fields.contains(field.name) }
        append(contentsOf: fields)
    }
}
