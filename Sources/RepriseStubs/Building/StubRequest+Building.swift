// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

extension StubRequest {
    /// Returns a condition on the method and the path.
    ///
    /// A path with `{name}` is a template, whose parameters match any nonempty segment. Any other path is compared with
    /// the path as it is sent. If `path` has no query, any query matches. If it has one, the query must be equal too;
    /// with a template, its pairs may be in any order. A complete URL (`https://example.com/users`) matches only that
    /// scheme and host, and that port if there is one.
    ///
    /// - Parameters:
    ///   - method: The method, or nil for any method. Methods are case-sensitive.
    ///   - path: A path or URL.
    public static func on(_ method: String?, _ path: String) -> StubRequest {
        var request = StubRequest(method: method.map { .oneOf([$0]) } ?? .any)
        let path = request.setOrigin(of: path)
        let mark = path.firstIndex(of: "?")
        if path[..<(mark ?? path.endIndex)].contains("{") {
            request.url = .pathTemplate(String(path[..<(mark ?? path.endIndex)]))
            let query = FormText.decodedPairs(mark.map { path[path.index(after: $0)...] } ?? "")
            request.query = query.map { NamedMatcher($0.name, .equalTo($0.value)) }
        } else {
            request.url = mark == nil ? .path(String(path)) : .equalTo(String(path))
        }
        return request
    }

    /// Returns a condition for GET requests to `path`. See ``on(_:_:)``.
    public static func get(_ path: String) -> StubRequest { on("GET", path) }

    /// Returns a condition for HEAD requests to `path`. See ``on(_:_:)``.
    public static func head(_ path: String) -> StubRequest { on("HEAD", path) }

    /// Returns a condition for POST requests to `path`. See ``on(_:_:)``.
    public static func post(_ path: String) -> StubRequest { on("POST", path) }

    /// Returns a condition for PUT requests to `path`. See ``on(_:_:)``.
    public static func put(_ path: String) -> StubRequest { on("PUT", path) }

    /// Returns a condition for PATCH requests to `path`. See ``on(_:_:)``.
    public static func patch(_ path: String) -> StubRequest { on("PATCH", path) }

    /// Returns a condition for DELETE requests to `path`. See ``on(_:_:)``.
    public static func delete(_ path: String) -> StubRequest { on("DELETE", path) }

    /// Returns a condition for OPTIONS requests to `path`. See ``on(_:_:)``.
    public static func options(_ path: String) -> StubRequest { on("OPTIONS", path) }

    /// Returns a condition for requests to `path` with any method. See ``on(_:_:)``.
    public static func any(_ path: String) -> StubRequest { on(nil, path) }

    /// A condition that every request satisfies.
    public static var all: StubRequest { StubRequest() }

    // MARK: Conditions

    /// Replaces the condition on the target, for example with `.pathMatching("/users/[0-9]+")`.
    public func url(_ url: URLCondition) -> StubRequest { changed { $0.url = url } }

    /// Adds a condition on a parameter of the path's template.
    public func pathParameter(_ name: String, _ matcher: ValueMatcher) -> StubRequest {
        changed { $0.pathParameters.append(NamedMatcher(name, matcher)) }
    }

    /// Adds a condition on a query parameter.
    public func query(_ name: String, _ matcher: ValueMatcher) -> StubRequest {
        changed { $0.query.append(NamedMatcher(name, matcher)) }
    }

    /// Adds a condition on a header field. Names ignore case.
    public func header(_ name: String, _ matcher: ValueMatcher) -> StubRequest {
        changed { $0.headers.append(NamedMatcher(name, matcher)) }
    }

    /// Adds a condition on a cookie.
    public func cookie(_ name: String, _ matcher: ValueMatcher) -> StubRequest {
        changed { $0.cookies.append(NamedMatcher(name, matcher)) }
    }

    /// Adds a condition on a field of a form (`application/x-www-form-urlencoded`).
    public func form(_ name: String, _ matcher: ValueMatcher) -> StubRequest {
        changed { $0.form.append(NamedMatcher(name, matcher)) }
    }

    /// Adds a condition on the content.
    public func body(_ matcher: ValueMatcher) -> StubRequest { changed { $0.body.append(matcher) } }

    /// Adds a condition on the parts of multipart content.
    public func multipart(_ condition: MultipartCondition) -> StubRequest {
        changed { $0.multipart.append(condition) }
    }

    /// Requires the credentials of Basic authentication (RFC 7617).
    public func basicAuth(username: String, password: String) -> StubRequest {
        changed { $0.basicAuth = BasicAuth(username: username, password: password) }
    }

    private func changed(_ change: (inout StubRequest) -> Void) -> StubRequest {
        var request = self
        change(&request)
        return request
    }

    // MARK: Paths

    /// Moves the origin of a URL into conditions, and returns the rest.
    private mutating func setOrigin(of text: String) -> Substring {
        guard let colon = text.firstIndex(of: ":"), text[colon...].hasPrefix("://") else { return text[...] }
        let start = text.index(colon, offsetBy: 3)
        let end = text[start...].firstIndex { $0 == "/" || $0 == "?" } ?? text.endIndex
        scheme = text[..<colon].lowercased()
        let parts = HostAndPort(text[start..<end])
        port = parts.port.flatMap { Int($0) }
        host = .equalTo((port == nil ? text[start..<end] : parts.host).lowercased(), ignoringCase: true)
        let rest = text[end...]
        return rest.first == "/" ? rest : "/" + rest
    }
}
