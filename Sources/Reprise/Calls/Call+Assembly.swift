// SPDX-License-Identifier: Apache-2.0

private import RepriseText

extension Call {
    /// Returns the request as it is passed to the interceptors, without its body. Nothing is sent.
    ///
    /// - Throws: ``ClientError`` if the call is invalid. If there are several problems, the first one is thrown.
    public func request() throws -> HTTPRequest {
        if let problem { throw problem }
        let base = try client.shared.base.url()
        let url = try url(base: base)
        if body != nil, method == .get || method == .head || method == .trace {
            throw ClientError(
                .invalidParameters,
                "\(method) must not have a body, because servers may ignore it or close the connection (RFC 9110 "
                    + "section 9.3); use query(_:_:) for parameters, or another method",
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
            throw ClientError(.multipart, "the multipart form has no parts; add at least one (RFC 2046 section 5.1.1)")
        }
        if let type = headers[.contentType] {
            throw ClientError(
                .multipart,
                "the call sets Content-Type: \(type), but a multipart form sets its own, which has the boundary; "
                    + "remove the header"
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
                    "\(SecretQuery.quoted(path)) is relative, but the client has no base URL; create it with "
                        + "Client(\"https://…\") or use an absolute URL"
                )
            }
            url = try RequestURL(absolute: path)
        }
        if !query.isEmpty { url = url.appending(query: query) }
        return url
    }

    /// The header fields of the request: the client's fields that may be sent to the URL, overridden by the body's
    /// type, overridden by the call's own fields.
    private func headerFields(of url: RequestURL, base: RequestURL?) throws -> HTTPFields {
        // Each property is accessed separately, here and below. A copy of the configuration would retain and release
        // a dozen references.
        var fields = client.shared.headers
        if !fields.isEmpty, let base = try base ?? firstURLParts,
            try !client.shared.configuration.sendsCredentials(to: url, base: base)
        {
            fields.removeAll { $0.name.isCredential }
        }
        if let bodyType { fields[.contentType] = bodyType }
        fields.merge(headers)
        return fields
    }

    private var firstURLParts: RequestURL? {
        get throws { try firstURL.map { text in try RequestURL(absolute: text) } }
    }

    /// Whether a token may be sent with the request. The base URL may have changed since the request was created.
    func mayCarryToken(to request: HTTPRequest) throws -> Bool {
        guard let base = try client.shared.base.url() ?? firstURLParts else { return true }
        if request.authority == base.authority, request.scheme == base.scheme { return true }
        return try client.shared.configuration.sendsCredentials(to: RequestURL(absolute: request.urlText), base: base)
    }

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
    /// Whether the client's credentials may be sent to a URL.
    fileprivate func sendsCredentials(to url: RequestURL, base: RequestURL) throws -> Bool {
        if url.authority == base.authority, url.scheme == base.scheme { return true }
        let origin = url.origin
        return try origin == base.origin
            || credentialOrigins.contains { text in try RequestURL(absolute: text).origin == origin }
    }
}

extension HTTPFields {
    /// Returns the fields with a User-Agent added, unless it is empty or the fields already contain one.
    func adding(_ userAgent: UserAgent?) -> HTTPFields {
        guard let text = userAgent?.description, !text.isEmpty, !contains(.userAgent) else { return self }
        var fields = self
        fields[.userAgent] = text
        return fields
    }

    /// Adds `fields`, replacing fields of the same names.
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
