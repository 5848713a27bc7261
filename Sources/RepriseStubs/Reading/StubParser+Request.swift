// SPDX-License-Identifier: Apache-2.0

internal import RepriseDocuments
internal import RepriseText

// Reads the requests that a stub answers.
extension StubParser {
    /// Reads a request.
    mutating func request(_ node: JSONNode) -> StubRequest? {
        guard let fields = fields(of: node, StubFields.request) else { return nil }
        var request = StubRequest()
        if let node = fields["method"], let method = method(node) { request.method = method }
        request.url = url(fields)
        request.pathParameters = pathParameters(fields, request.url)
        if let node = fields["scheme"] { request.scheme = scheme(node) }
        request.host = value(fields["host"], "host")
        if let node = fields["port"] { request.port = port(node) }
        request.clientIP = value(fields["clientIp"], "clientIp")
        request.query = named(fields["queryParameters"], "queryParameters")
        request.headers = named(fields["headers"], "headers")
        request.cookies = named(fields["cookies"], "cookies")
        request.form = named(fields["formParameters"], "formParameters")
        if let node = fields["basicAuthCredentials"] ?? fields["basicAuth"] { request.basicAuth = basicAuth(node) }
        request.body = matchers(fields["bodyPatterns"], "bodyPatterns")
        request.multipart = list(fields["multipartPatterns"], "multipartPatterns", of: "multipart patterns") {
            $0.multipart($1)
        }
        if let node = fields["customMatcher"] { request.customMatcher = customMatcher(node) }
        return request
    }

    // MARK: Conditions that no request satisfies

    // WireMock reads these, so a folder with one is served. The stub never matches.

    private mutating func tolerateNoMatch(_ node: JSONNode, _ expectation: String) {
        tolerating("the stub matches no request") { $0.reject(node, expectation) }
    }

    private mutating func scheme(_ node: JSONNode) -> String? {
        guard let text = text(node, "scheme") else { return nil }
        if let scheme = ["http", "https"].first(where: { $0 == text.lowercased() }) { return scheme }
        tolerateNoMatch(node, "\"http\" or \"https\" for \"scheme\"")
        return text
    }

    private mutating func port(_ node: JSONNode) -> Int? {
        let expectation = "a port from 1 to 65535"
        let port = integer(node, "port", in: Int(Int32.min)...Int(Int32.max), expectation)
        if let port, !(1...65535).contains(port) { tolerateNoMatch(node, "\(expectation) for \"port\"") }
        return port
    }

    private mutating func customMatcher(_ node: JSONNode) -> String? {
        guard let fields = fields(of: node, StubFields.customMatcher) else { return nil }
        let name = text(fields["name"], "name") ?? ""
        tolerate(
            at: node.offset,
            "expected built-in request conditions, found the WireMock extension \"\(clipped(name))\", which isn't "
                + "supported; the stub matches no request"
        )
        return name
    }

    // MARK: Methods

    private mutating func method(_ node: JSONNode) -> StubRequest.Method? {
        switch node.value {
        case .scalar(.string("ANY")): return .any
        case .scalar(.string("GET_OR_HEAD")): return .oneOf(["GET", "HEAD"])
        case .scalar(.string):
            return methodName(node).map { .oneOf([$0]) }
        case .object:
            guard let fields = fields(of: node, StubFields.methods) else { return nil }
            if let list = fields["oneOf"] {
                if fields["noneOf"] != nil { report(node, "expected \"oneOf\" or \"noneOf\", found both; remove one") }
                return methodNames(list, "oneOf").map { .oneOf($0) }
            }
            if let list = fields["noneOf"] { return methodNames(list, "noneOf").map { .noneOf($0) } }
            report(node, "expected \"oneOf\" or \"noneOf\" in \"method\", found neither")
            return nil
        default:
            reject(node, "a method, such as \"GET\", for \"method\"")
            return nil
        }
    }

    private mutating func methodNames(_ node: JSONNode, _ name: String) -> [String]? {
        guard let elements = elements(node, name, of: "methods") else { return nil }
        if elements.isEmpty { report(node, "expected at least one method in \"\(name)\", found none") }
        return elements.compactMap { methodName($0) }
    }

    private mutating func methodName(_ node: JSONNode) -> String? {
        guard case .scalar(.string(let name)) = node.value else {
            reject(node, "a method, such as \"GET\", for \"method\"")
            return nil
        }
        if name.isEmpty || !name.utf8.allSatisfy(isTokenByte) {
            tolerateNoMatch(node, "a method, such as \"GET\", for \"method\"")
        }
        let upper = name.uppercased()
        if upper != name, ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"].contains(upper) {
            note(at: node.offset, "methods are case-sensitive, and clients send \"\(upper)\", not \"\(name)\"")
        }
        return name
    }

    // MARK: URLs

    /// Reads the condition on the URL. Of several, the first counts, as in WireMock.
    private mutating func url(_ fields: JSONFields) -> StubRequest.URLCondition {
        let names = ["url", "urlPattern", "urlPath", "urlPathPattern", "urlPathTemplate"].filter { fields[$0] != nil }
        guard let name = names.first, let text = text(fields[name], name) else { return .any }
        for other in names.dropFirst() {
            if let node = fields[other] { note(at: node.offset, "\"\(other)\" has no effect beside \"\(name)\"") }
        }
        switch name {
        case "url": return .equalTo(text)
        case "urlPattern": return .matching(text)
        case "urlPath": return .path(text)
        case "urlPathPattern": return .pathMatching(text)
        default: return .pathTemplate(text)
        }
    }

    private mutating func pathParameters(_ fields: JSONFields, _ url: StubRequest.URLCondition) -> [NamedMatcher] {
        guard let node = fields["pathParameters"] else { return [] }
        let matchers = named(node, "pathParameters")
        guard case .pathTemplate(let template) = url else {
            if !matchers.isEmpty {
                report(node, "expected \"urlPathTemplate\" beside \"pathParameters\", found none")
            }
            return matchers
        }
        let names = StubRequest.parameterNames(of: template)
        for member in node.members ?? [] where !member.value.isNull && !names.contains(member.name) {
            let hint = nearest(to: member.name, among: names).map { "; did you mean \"\($0)\"?" } ?? ""
            report(
                at: member.offset,
                "expected a parameter of \"urlPathTemplate\", found \"\(clipped(member.name))\"\(hint)"
            )
        }
        return matchers
    }

    // MARK: Parts

    /// Reads an object of matchers by name.
    mutating func named(_ node: JSONNode?, _ name: String) -> [NamedMatcher] {
        guard let node, let members = members(node, "an object of matchers for \"\(name)\"") else { return [] }
        return members.compactMap { member in
            matcher(member.value, of: member.name).map { NamedMatcher(member.name, $0) }
        }
    }

    /// Reads an array of matchers.
    private mutating func matchers(_ node: JSONNode?, _ name: String) -> [ValueMatcher] {
        list(node, name, of: "matchers") { $0.matcher($1, of: name) }
    }

    /// Reads a matcher, or a string, which must be equal.
    private mutating func value(_ node: JSONNode?, _ name: String) -> ValueMatcher? {
        guard let node else { return nil }
        if case .scalar(.string(let string)) = node.value { return .equalTo(string) }
        return matcher(node, of: name)
    }

    private mutating func basicAuth(_ node: JSONNode) -> StubRequest.BasicAuth? {
        guard let fields = fields(of: node, StubFields.basicAuth) else { return nil }
        let texts = ["username", "password"].map { name -> String? in
            guard fields[name] == nil else { return text(fields[name], name) }
            tolerating("as in WireMock, \"null\" counts as one") { _ = $0.required(name, in: fields) }
            return "null"
        }
        guard let username = texts[0], let password = texts[1] else { return nil }
        return StubRequest.BasicAuth(username: username, password: password)
    }

    private mutating func multipart(_ node: JSONNode) -> MultipartCondition? {
        guard let fields = fields(of: node, StubFields.multipart) else { return nil }
        var condition = MultipartCondition()
        let types = ["ALL", "ANY"]
        condition.appliesToAll = word(fields["matchingType"], "matchingType", among: types, countsPlaces: true) == "ALL"
        condition.name = text(fields["name"], "name")
        condition.fileName = value(fields["fileName"], "fileName")
        condition.headers = named(fields["headers"], "headers")
        condition.body = matchers(fields["bodyPatterns"], "bodyPatterns")
        return condition
    }
}

extension StubRequest {
    /// Returns the names of the parameters in a path template.
    package static func parameterNames(of template: String) -> [String] {
        var names: [String] = []
        var rest = template[...]
        while let open = rest.firstIndex(of: "{") {
            let inner = rest[rest.index(after: open)...]
            guard let close = inner.firstIndex(of: "}") else { break }
            names.append(String(inner[..<close]))
            rest = inner[inner.index(after: close)...]
        }
        return names
    }
}
