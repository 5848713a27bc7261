// SPDX-License-Identifier: Apache-2.0

internal import RepriseDocuments
package import RepriseStubs
internal import RepriseText

/// The conditions of a stub on requests, compiled when the stub is loaded. A class, because many are compared in turn.
package final class CompiledStubRequest: Sendable {
    /// The conditions as they were written.
    package let request: StubRequest
    /// The condition on the target.
    package let url: CompiledURL
    /// The conditions that do not work as in WireMock.
    package let warnings: [StubMatcherProblem]
    /// The values that a matching request must have. An index uses them to find stubs by hash.
    package let equalities: [StubKey.Equality]
    /// Whether there are only conditions on the method and the target.
    package let isPlain: Bool
    /// Whether only the method is left to compare once the index has found the target.
    let isFoundByTarget: Bool
    /// Whether a condition looks at the content.
    package let needsBody: Bool

    /// The conditions beyond method and target, in the order of the mapping file.
    let conditions: [CompiledCondition]
    /// The sum of the weights of what a distance consists of.
    let weight: Double
    /// The same conditions, in the order of their cost.
    private let ordered: [CompiledCondition]
    private let methods: [[UInt8]]
    /// Whether the methods are those that are answered, or those that are not; `nil` if all are answered.
    private let acceptsListed: Bool?

    /// Compiles the conditions of a stub.
    ///
    /// - Throws: The first condition that cannot be used.
    package init(_ request: StubRequest) throws(StubMatcherProblem) {
        self.request = request
        var findings = CompiledMatcher.Findings()
        url = try CompiledURL(request.url, &findings)
        conditions = try ConditionCompiler.conditions(of: request, &findings)
        warnings = findings.warnings
        weight = Self.weight(of: conditions)
        ordered = conditions.enumerated()
            .sorted { ($0.element.cost, $0.offset) < ($1.element.cost, $1.offset) }
            .map(\.element)
        equalities = StubKey.Equality.conditions(of: request)
        isPlain = conditions.isEmpty && request.scheme == nil && request.port == nil
        isFoundByTarget = isPlain && url.isFoundExactly
        needsBody = conditions.contains { $0.needsBody }
        switch request.method {
        case .any: (methods, acceptsListed) = ([], nil)
        case .oneOf(let names): (methods, acceptsListed) = (names.map { Array($0.utf8) }, true)
        case .noneOf(let names): (methods, acceptsListed) = (names.map { Array($0.utf8) }, false)
        }
    }

    /// Whether a request satisfies all conditions. Stops at the first that it does not. `false` if the work is
    /// interrupted.
    package func matches(_ facts: DecodedRequest) -> Bool {
        facts.budget.work(8) && matches(method: facts.method.span) && url.matches(facts)
            && (isPlain || matchesRest(facts)) && !facts.isInterrupted
    }

    /// Whether a request that the index found by its target satisfies all conditions; `nil` if the work is interrupted.
    ///
    /// - Parameters:
    ///   - method: The method of the request.
    ///   - facts: Returns the request, decoded. It is called only if a condition needs it.
    package func matches(method: Span<UInt8>, _ facts: () -> DecodedRequest) -> Bool? {
        guard matches(method: method) else { return false }
        if isFoundByTarget { return true }
        let facts = facts()
        if matches(facts) { return true }
        return facts.isInterrupted ? nil : false
    }

    private func matchesRest(_ facts: DecodedRequest) -> Bool {
        guard request.scheme.map({ $0 == facts.scheme }) ?? true, request.port.map({ $0 == facts.port }) ?? true else {
            return false
        }
        for condition in ordered where !condition.matches(facts, url) { return false }
        return true
    }

    /// Whether the stub answers a method.
    func matches(method: Span<UInt8>) -> Bool {
        switch acceptsListed {
        case nil: return true
        case let accepts?:
            for name in methods where name.count == method.count && method.has(name, at: 0) { return accepts }
            return !accepts
        }
    }
}

/// Compiles the conditions of a stub beyond method and target.
private enum ConditionCompiler {
    static func conditions(
        of request: StubRequest,
        _ findings: inout CompiledMatcher.Findings
    ) throws(StubMatcherProblem) -> [CompiledCondition] {
        var conditions: [CompiledCondition] = []
        func add(_ subject: CompiledCondition.Subject, _ label: String) {
            conditions.append(CompiledCondition(subject: subject, label: label))
        }
        func add(
            _ matcher: ValueMatcher,
            _ label: String,
            _ place: StubPointer,
            _ subject: (CompiledMatcher) -> CompiledCondition.Subject
        ) throws(StubMatcherProblem) {
            add(subject(try CompiledMatcher(matcher, at: place, &findings)), label)
        }
        func add(
            _ named: [NamedMatcher],
            _ label: String,
            _ key: String,
            _ subject: (String, CompiledMatcher) -> CompiledCondition.Subject
        ) throws(StubMatcherProblem) {
            let place = StubPointer.request.member(key)
            for entry in named {
                let (name, place) = (entry.name, place.member(entry.name))
                try add(entry.matcher, "\(label) \(name)", place) { subject(name, $0) }
            }
        }
        let place = StubPointer.request
        if let host = request.host {
            try add(host.ignoringCase, "host", place.member("host")) { .values(.host, $0) }
        }
        if let clientIP = request.clientIP {
            try add(clientIP, "clientIp", place.member("clientIp")) { .values(.clientIP, $0) }
        }
        try add(request.pathParameters, "path parameter", "pathParameters") { .pathParameter(Array($0.utf8), $1) }
        try add(request.headers, "header", "headers") { .values(.header(named: $0), $1) }
        if let credentials = request.basicAuth {
            add(.values(.header(named: "Authorization"), CompiledMatcher(credentials)), "header Authorization")
        }
        try add(request.query, "query", "queryParameters") { .values(.query(Array($0.utf8)), $1) }
        try add(request.cookies, "cookie", "cookies") { .values(.cookie(Array($0.utf8)), $1) }
        try add(request.form, "form", "formParameters") { .values(.form(Array($0.utf8)), $1) }
        for (index, matcher) in request.body.enumerated() {
            try add(matcher, "body", place.member("bodyPatterns").element(index)) { .values(.body, $0) }
        }
        for (index, part) in request.multipart.enumerated() {
            let place = place.member("multipartPatterns").element(index)
            add(.multipart(try CompiledMultipart(part, at: place, &findings)), "multipart")
        }
        if let name = request.customMatcher { add(.custom(name), "customMatcher") }
        return conditions
    }
}

extension CompiledMatcher {
    /// Creates a condition on the Authorization field.
    fileprivate init(_ credentials: StubRequest.BasicAuth) {
        let encoded = Base64.encode(Array("\(credentials.username):\(credentials.password)".utf8))
        let text = String(decoding: encoded, as: UTF8.self)
        self.init(matcher: .equalTo("Basic \(text)"), form: .one(BasicAuthorization(encoded)))
    }
}

extension ValueMatcher {
    /// The matcher for a value whose case does not matter.
    fileprivate var ignoringCase: ValueMatcher {
        if case .equalTo(let text, _) = self { .equalTo(text, ignoringCase: true) } else { self }
    }
}

extension StubKey.Equality {
    /// Returns the values that a request needs to satisfy the conditions of a stub.
    static func conditions(of request: StubRequest) -> [StubKey.Equality] {
        request.query.flatMap { conditions(.query(Array($0.name.utf8)), $0.matcher) }
            + request.headers.flatMap { conditions(.header(named: $0.name), $0.matcher) }
            + request.cookies.flatMap { conditions(.cookie(Array($0.name.utf8)), $0.matcher) }
            + request.form.flatMap { conditions(.form(Array($0.name.utf8)), $0.matcher) }
            + request.body.flatMap { conditions(.body, $0) }
    }

    private static func conditions(_ field: StubKey.Field, _ matcher: ValueMatcher) -> [StubKey.Equality] {
        switch (matcher, field) {
        case (.equalTo(let text, ignoringCase: false), _): [StubKey.Equality(field, text)]
        case (.matchesJSONPath(let path, .equalTo(let text, ignoringCase: false)?), .body):
            [StubKey.Equality(.jsonPath(path), text)]
        case (.and(let matchers), _), (.hasExactly(let matchers), _), (.includes(let matchers), _):
            matchers.flatMap { conditions(field, $0) }
        default: []
        }
    }
}
