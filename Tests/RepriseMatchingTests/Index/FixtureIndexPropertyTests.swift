// SPDX-License-Identifier: Apache-2.0

import RepriseTestSupport
import Testing

@testable import RepriseMatching
@testable import RepriseText

@Suite struct FixtureIndexPropertyTests {
    @Test(arguments: 0..<60)
    func agreesWithLinearScan(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let options = MatchingOptions(
            requiresHost: seed % 3 == 0,
            headerNames: seed % 4 == 0 ? ["X-Tenant"] : []
        )
        let fixtures = try (0..<Int.random(in: 1...60, using: &random)).map { _ in try sampleFixture(using: &random) }
        let index = FixtureIndex(fixtures, options: options)
        let scan = Scan(fixtures: fixtures, options: options)
        for _ in 0..<200 {
            let request = sampleRequest(using: &random)
            let found = index.match(request)
            #expect(Scan.Outcome(found, index) == scan.outcome(for: request), "\(request.summary)")
            let candidates = index.candidates(request.view)
            #expect(candidates.first ?? .miss == found, "\(request.summary)")
            let hits = candidates.compactMap { match -> RequestPattern.Precedence? in
                guard case .hit(let sequence) = match else { return nil }
                return fixtures[index[sequence].fixtures[0]].pattern.precedence
            }
            #expect(hits == hits.sorted(), "\(request.summary)")
        }
    }

    private static let methods = ["GET", "GET", "POST", "HEAD", "OPTIONS"]
    private static let paths = ["/a", "/b", "/a/b", "/a/", "/", "/a/b/c", "/b/%2F", "/%7E", "/b/b/c"]
    private static let templates = [
        "/{x}", "/a/{x}", "/{x}/b", "/{x}/{y}", "/{x}/b/{y}", "/a/{x}/c", "/{x}/", "/a/b/{x}",
    ]
    private static let queries = ["", "", "?p=1", "?p=2", "?p=1&q=2", "?q=2&p=1", "?p", "?q=%20"]
    private static let hosts = ["", "", "http://one", "https://two", "http://two:8080"]
    private static let bodies: [(String?, String)] = [
        (nil, ""), (nil, ""), (#"{"a":1,"b":2}"#, "application/json"), (#"{"b": 2.0, "a": 1}"#, "application/json"),
        ("a=1&b=2", "application/x-www-form-urlencoded"), ("b=2&a=1", "application/x-www-form-urlencoded"),
        ("a=1&b=2", "text/plain"), ("x", "text/plain"),
    ]

    private static let tenants = [
        [], ["X-Tenant: one"], ["x-tenant: two"], ["X-TENANT:  two"], ["X-Tenant: one", "x-tenant: two "],
        ["X-Tenant: one, two"], ["X-Tenant: two", "X-Tenant: one"], ["X-Tenant:"],
    ]

    private static let ranges = [[], [], [], ["Range: bytes=0-1"], ["Range: bytes=2-"]]
    private static let conditions = [[], [], [], ["If-None-Match: x"], ["If-Modified-Since: y"]]

    private func pick<Value>(_ values: [Value], using random: inout SeededGenerator) -> Value {
        values[Int.random(in: values.indices, using: &random)]
    }

    private func sampleFixture(using random: inout SeededGenerator) throws -> FixtureIndex.Entry {
        let method = pick(Self.methods, using: &random)
        switch Int.random(in: 0..<10, using: &random) {
        case 0: return try .route(method, pick(Self.paths, using: &random))
        case 1, 2: return try .route(method, pick(Self.templates, using: &random))
        default:
            let url =
                pick(Self.hosts, using: &random) + pick(Self.paths, using: &random) + pick(Self.queries, using: &random)
            let (body, type) = pick(Self.bodies, using: &random)
            let lines = pick(Self.tenants, using: &random) + pick(Self.ranges, using: &random)
            let entry = FixtureIndex.Entry.recorded(
                method,
                url,
                headers: lines + pick(Self.conditions, using: &random) + ["Content-Type: \(type)"],
                body: body,
                comparesBody: Int.random(in: 0..<8, using: &random) > 0
            )
            let pattern = entry.pattern.answered(pick([200, 200, 206, 304, 416], using: &random))
            return FixtureIndex.Entry(pattern, source: entry.source)
        }
    }

    private func sampleRequest(using random: inout SeededGenerator) -> OwnedRequest {
        let path = pick(Self.paths + ["/%61", "/c", "/c/b", "/~", "/c/c/c/c"], using: &random)
        let url = path + pick(Self.queries + ["?p=%31", "?&"], using: &random)
        let (body, type) = pick(Self.bodies, using: &random)
        let selections = pick(Self.ranges, using: &random) + pick(Self.conditions, using: &random)
        let lines = [
            pick(["", "Host: one", "Host: TWO", "Host: two:8080", "Host: three", "Host: one:99"], using: &random),
            "Content-Type: \(type)",
        ]
        return OwnedRequest(
            method: pick(Self.methods + ["PUT"], using: &random),
            url: url,
            headers: (lines + pick(Self.tenants, using: &random) + selections).compactMap { HeaderLine($0) },
            body: Array((body ?? "").utf8)
        )
    }
}

extension OwnedRequest {
    fileprivate var summary: String { String(decoding: head + [0x20] + content, as: UTF8.self) }
}

/// A reference implementation of the matching rules, which compares all fixtures.
private struct Scan {
    let fixtures: [FixtureIndex.Entry]
    let options: MatchingOptions

    enum Outcome: Equatable {
        case hit([Int])
        case head([Int])
        case options
        case miss

        init(_ match: Match, _ index: FixtureIndex) {
            switch match {
            case .hit(let sequence): self = .hit(index[sequence].fixtures)
            case .headFallback(let sequence): self = .head(index[sequence].fixtures)
            case .optionsFallback: self = .options
            case .miss: self = .miss
            }
        }

        init(_ outcome: Outcome) { self = outcome }
    }

    func outcome(for request: OwnedRequest) -> Outcome {
        let method = String(decoding: request.head[request.ranges.method], as: UTF8.self)
        if let hit = sequence(method, request) { return .hit(hit) }
        if method == "HEAD", let get = sequence("GET", request) { return .head(get) }
        if method == "OPTIONS", fixtures.contains(where: { isPath($0.pattern, request) }) { return .options }
        return .miss
    }

    private func sequence(_ method: String, _ request: OwnedRequest) -> [Int]? {
        let candidates = fixtures.indices.filter { number in
            let pattern = fixtures[number].pattern
            return pattern.method.elementsEqual(method.utf8) && isPath(pattern, request)
                && (pattern.precedence != .recording || isRecorded(pattern, request))
        }
        let recorded = candidates.filter { fixtures[$0].pattern.precedence == .recording }
        if let sequence = byHost(recorded, request) { return sequence }
        let routes = candidates.filter { fixtures[$0].pattern.precedence != .recording }
        guard let best = routes.map({ shape(fixtures[$0].pattern) }).min(by: { $0.lexicographicallyPrecedes($1) })
        else { return nil }
        return routes.filter { shape(fixtures[$0].pattern) == best }
    }

    private func byHost(_ recorded: [Int], _ request: OwnedRequest) -> [Int]? {
        let host = request.ranges.authority.map { String(decoding: request.head[$0], as: UTF8.self).lowercased() }
        let names = [host, host.flatMap { $0.split(separator: ":").first.map(String.init) }].compactMap { $0 }
        for name in names {
            let own = recorded.filter { fixtures[$0].pattern.host.map { $0.elementsEqual(name.utf8) } ?? false }
            if let found = mostSpecific(own, recorded, request) { return found }
        }
        let known = Set(fixtures.compactMap(\.pattern.host).map { String(decoding: $0, as: UTF8.self) })
        let isRequired = options.requiresHost || known.count > 1 && names.contains(where: known.contains)
        let others = recorded.filter { number in
            if fixtures[number].pattern.host == nil { return true }
            // Which of several hosts is meant is not guessed.
            let equal = recorded.filter { isEqual(fixtures[$0].pattern, fixtures[number].pattern) }
            return !isRequired && Set(equal.compactMap { fixtures[$0].pattern.host }).count < 2
        }
        return mostSpecific(others, recorded, request)
    }

    /// Whether patterns that match one request are equal except for the host.
    private func isEqual(_ one: RequestPattern, _ other: RequestPattern) -> Bool { one.body == other.body }

    /// Of fixtures that match one request, those whose body is compared most strictly and that have the request's
    /// range and conditions.
    private func mostSpecific(_ numbers: [Int], _ recorded: [Int], _ request: OwnedRequest) -> [Int]? {
        func rank(_ number: Int) -> Int {
            switch fixtures[number].pattern.body {
            case .any: 9
            case .none: 0
            case .equal(let kind, _): kind.rawValue
            }
        }
        return Set(numbers.map(rank)).sorted().lazy.compactMap { best in
            selected(numbers.filter { rank($0) == best }, recorded.filter { rank($0) == best }, request)
        }.first
    }

    /// Of fixtures for equal requests, those that the range and the conditions of a request choose. What no answer
    /// to such a request requires, from any host, does not matter.
    private func selected(_ numbers: [Int], _ ofAnyHost: [Int], _ request: OwnedRequest) -> [Int]? {
        func required(_ number: Int) -> ContentSelection { fixtures[number].pattern.requiredSelection }
        func relevant(_ headers: [HeaderLine]) -> ContentSelection {
            let isConditional = headers.contains { $0.hasName("If-None-Match") || $0.hasName("If-Modified-Since") }
            let range = headers.firstValue(named: "Range").map { Array($0.utf8) }
            return ContentSelection(
                hasCondition: isConditional && ofAnyHost.contains { required($0).hasCondition },
                range: ofAnyHost.contains { required($0).range == range } ? range : nil
            )
        }
        let own = relevant(request.headers)
        let choices = [own, ContentSelection(hasCondition: own.hasCondition), ContentSelection(range: own.range)]
        for choice in choices.filter({ !$0.isEmpty }) + [ContentSelection()] {
            let equal = numbers.filter { relevant(fixtures[$0].pattern.headers) == choice }
            if !equal.isEmpty { return equal }
            let fitting = numbers.filter { number in
                relevant(fixtures[number].pattern.headers).satisfies(choice) && choice.satisfies(required(number))
            }
            if choice != own || choice.isEmpty || choice.range == nil || !choice.hasCondition, !fitting.isEmpty {
                return fitting
            }
        }
        return nil
    }

    private func isRecorded(_ pattern: RequestPattern, _ request: OwnedRequest) -> Bool {
        let query = request.ranges.query.map { canonicalQuery(String(decoding: request.head[$0], as: UTF8.self)) } ?? ""
        guard pattern.query.map({ $0.elementsEqual(query.utf8) }) ?? true else { return false }
        for name in options.headerNames {
            guard value(of: name, pattern.headers) == value(of: name, request.headers) else { return false }
        }
        let body = String(decoding: request.content, as: UTF8.self)
        switch pattern.body {
        case .any: return true
        case .none: return body.isEmpty
        case .equal(.bytes, let bytes): return bytes == request.content
        case .equal(.json, let bytes): return canonicalJSON(body).map { bytes.elementsEqual($0.utf8) } ?? false
        case .equal(.form, let bytes): return !body.isEmpty && bytes.elementsEqual(canonicalQuery(body).utf8)
        case .equal(.multipart, _): return false
        }
    }

    /// Several lines form one value (RFC 9110 section 5.3).
    private func value(of name: String, _ headers: [HeaderLine]) -> String? {
        let values = headers.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
        return values.isEmpty ? nil : values.joined(separator: ", ")
    }

    private func isPath(_ pattern: RequestPattern, _ request: OwnedRequest) -> Bool {
        let path = canonicalPath(String(decoding: request.head[request.ranges.path], as: UTF8.self))
        switch pattern.path {
        case .literal(let bytes): return bytes.elementsEqual(path.utf8)
        case .template(let segments):
            let found = path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
            return found.count == segments.count
                && zip(found, segments).allSatisfy { text, segment in
                    switch segment {
                    case .literal(let bytes): bytes.elementsEqual(text.utf8)
                    case .parameter: !text.isEmpty
                    }
                }
        }
    }

    /// 0 for a literal segment and 1 for a parameter, so that the most specific shape is the least. A literal path
    /// has no segments.
    private func shape(_ pattern: RequestPattern) -> [Int] {
        guard case .template(let segments) = pattern.path else { return [] }
        return segments.map { segment in
            if case .parameter = segment { 1 } else { 0 }
        }
    }
}
