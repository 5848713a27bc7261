// SPDX-License-Identifier: Apache-2.0

internal import RepriseDocuments
package import RepriseStubs
internal import RepriseText

/// The conditions of a stub on requests, compiled when the stub is loaded.
package struct CompiledStubRequest: Sendable {
    /// The conditions as they were written.
    package let request: StubRequest
    /// The condition on the target.
    package let url: CompiledURL
    /// The conditions that do not work as in WireMock.
    package let warnings: [StubMatcherProblem]
    /// The values that a matching request must have. An index uses them to find stubs by hash.
    package let equalities: [StubKey.Equality]
    /// Whether there are only conditions on the method and the target, so that both can be compared without
    /// ``StubRequestFacts``.
    package let isPlain: Bool
    /// Whether a condition looks at the content.
    package let needsBody: Bool

    /// The conditions beyond method and target, in the order of the mapping file.
    let conditions: [CompiledCondition]
    /// The same conditions, in the order of their cost.
    private let ordered: [CompiledCondition]
    private let methods: [[UInt8]]

    /// Compiles the conditions of a stub.
    ///
    /// - Throws: The first condition that cannot be used.
    package init(_ request: StubRequest) throws(StubMatcherProblem) {
        self.request = request
        var findings = CompiledMatcher.Findings()
        url = try CompiledURL(request.url, &findings)
        conditions = try ConditionCompiler.conditions(of: request, &findings)
        warnings = findings.warnings
        ordered = conditions.enumerated()
            .sorted { ($0.element.cost, $0.offset) < ($1.element.cost, $1.offset) }
            .map(\.element)
        equalities = StubKey.Equality.conditions(of: request)
        isPlain = conditions.isEmpty && request.scheme == nil && request.port == nil
        needsBody = conditions.contains { $0.needsBody }
        switch request.method {
        case .any: methods = []
        case .oneOf(let names), .noneOf(let names): methods = names.map { Array($0.utf8) }
        }
    }

    /// Whether a request satisfies all conditions. Stops at the first that it does not. `false` if the work is
    /// interrupted.
    package func matches(_ facts: StubRequestFacts) -> Bool {
        facts.budget.work(8) && matches(method: facts.method) && url.matches(facts) && matchesRest(facts)
            && !facts.isInterrupted
    }

    /// Whether a request whose method and target are known to satisfy the stub satisfies the other conditions.
    package func matchesRest(_ facts: StubRequestFacts) -> Bool {
        guard !isPlain else { return true }
        guard request.scheme.map({ $0 == facts.scheme }) ?? true, request.port.map({ $0 == facts.port }) ?? true else {
            return false
        }
        for condition in ordered where !condition.matches(facts, url) { return false }
        return true
    }

    /// Whether the stub answers a method.
    package func matches(method: ArraySlice<UInt8>) -> Bool {
        switch request.method {
        case .any: true
        case .oneOf: methods.contains { ByteSearch.isEqual(method, $0) }
        case .noneOf: !methods.contains { ByteSearch.isEqual(method, $0) }
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
        func add(
            _ field: CompiledCondition.Field,
            _ label: String,
            _ matcher: ValueMatcher,
            _ place: StubPointer
        ) throws(StubMatcherProblem) {
            let compiled = try CompiledMatcher(matcher, at: place, &findings)
            conditions.append(CompiledCondition(field: field, matcher: compiled, label: label))
        }
        func add(
            _ named: [NamedMatcher],
            _ label: String,
            _ key: String,
            _ field: (String) -> CompiledCondition.Field
        ) throws(StubMatcherProblem) {
            let place = StubPointer.request.member(key)
            for entry in named {
                try add(field(entry.name), "\(label) \(entry.name)", entry.matcher, place.member(entry.name))
            }
        }
        if let host = request.host { try add(.host, "host", host.ignoringCase, .request.member("host")) }
        if let clientIP = request.clientIP { try add(.clientIP, "clientIp", clientIP, .request.member("clientIp")) }
        try add(request.pathParameters, "path parameter", "pathParameters") { .pathParameter(Array($0.utf8)) }
        try add(request.headers, "header", "headers") { .header(Array($0.lowercased().utf8)) }
        if let credentials = request.basicAuth {
            conditions.append(
                CompiledCondition(
                    field: .header(Array("authorization".utf8)),
                    matcher: CompiledMatcher(credentials),
                    label: "header Authorization"
                )
            )
        }
        try add(request.query, "query", "queryParameters") { .query(Array($0.utf8)) }
        try add(request.cookies, "cookie", "cookies") { .cookie(Array($0.utf8)) }
        try add(request.form, "form", "formParameters") { .form(Array($0.utf8)) }
        for (index, matcher) in request.body.enumerated() {
            try add(.body, "body", matcher, .request.member("bodyPatterns").element(index))
        }
        for (index, part) in request.multipart.enumerated() {
            let place = StubPointer.request.member("multipartPatterns").element(index)
            let multipart = try CompiledMultipart(part, at: place, &findings)
            let anything = try CompiledMatcher(.anything, at: place, &findings)
            conditions.append(
                CompiledCondition(field: .multipart(multipart), matcher: anything, label: "multipart")
            )
        }
        if let name = request.customMatcher {
            let never = CompiledMatcher(matcher: .equalTo(name), form: .never)
            conditions.append(CompiledCondition(field: .custom, matcher: never, label: "customMatcher"))
        }
        return conditions
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
        request.query.flatMap { conditions(.query($0.name), $0.matcher) }
            + request.headers.flatMap { conditions(.header($0.name.lowercased()), $0.matcher) }
            + request.cookies.flatMap { conditions(.cookie($0.name), $0.matcher) }
            + request.form.flatMap { conditions(.form($0.name), $0.matcher) }
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
