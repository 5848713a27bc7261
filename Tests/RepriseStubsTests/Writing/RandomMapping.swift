// SPDX-License-Identifier: Apache-2.0

import RepriseDocuments
import RepriseStubs
import RepriseText

/// Random stub mappings, the same for the same seed.
struct RandomMapping {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    private mutating func next(_ bound: Int) -> Int {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return Int((value ^ (value >> 31)) % UInt64(bound))
    }

    private mutating func chance() -> Bool { next(3) == 0 }

    private mutating func pick<Value>(_ values: [Value]) -> Value { values[next(values.count)] }

    private mutating func optional<Value>(_ value: (inout RandomMapping) -> Value) -> Value? {
        chance() ? value(&self) : nil
    }

    private mutating func list<Value>(_ least: Int = 0, _ value: (inout RandomMapping) -> Value) -> [Value] {
        (0..<(least + next(3))).map { _ in value(&self) }
    }

    private mutating func text() -> String {
        pick([
            "", "a", "/x/{y}", "é\"'\\", "line\nend\t\u{1}\u{2028}", "// c /* d */", "{{request.url}}", "null", "5",
            "😀",
        ])
    }

    private mutating func bytes() -> [UInt8] { pick([[], [0x61], [0, 0xFF, 0x80], Array("é".utf8)]) }

    private mutating func time() -> Duration { .microseconds(pick([0, 1, 999, 41_200, 2_000_000, 60_000_000])) }

    // MARK: JSON

    private mutating func json(_ depth: Int = 3) -> JSONTree {
        switch next(depth > 0 ? 8 : 5) {
        case 0: .null
        case 1: .bool(chance())
        case 2: .number(JSONNumber(pick(["0", "-1", "1.50", "1E5", "12345678901234567890"])) ?? JSONNumber(0))
        case 3, 4: .string(text())
        case 5: .array(list { $0.json(depth - 1) })
        default: .object(members(depth - 1))
        }
    }

    private mutating func members(_ depth: Int = 2) -> [JSONTree.Member] {
        names().map { JSONTree.Member($0, json(depth)) }
    }

    /// Distinct names.
    private mutating func names() -> [String] {
        ["", "a", "B-c", "é\"~/"].filter { _ in chance() }
    }

    // MARK: Requests

    private mutating func matchers() -> [NamedMatcher] { names().map { NamedMatcher($0, matcher()) } }

    private mutating func matcher(_ depth: Int = 3) -> ValueMatcher {
        switch next(depth > 0 ? 22 : 14) {
        case 0: .equalTo(text(), ignoringCase: chance())
        case 1: .binaryEqualTo(bytes())
        case 2: .contains(text())
        case 3: .doesNotContain(text())
        case 4: .matches(text())
        case 5: .doesNotMatch(text())
        case 6: .absent
        case 7: .anything
        case 8: .equalToJSON(json(), ignoresArrayOrder: chance(), ignoresExtraElements: chance())
        case 9: .matchesJSONSchema(json(), version: pick(ValueMatcher.JSONSchemaVersion.allCases))
        case 10: .equalToXML(text(), options())
        case 11: .date(date())
        case 12: .matchesPathTemplate(text())
        case 13: .number(pick(ValueMatcher.NumberComparison.allCases), JSONNumber(next(9)))
        case 14: .matchesJSONPath(text(), optional { $0.matcher(depth - 1) })
        case 15:
            .matchesXPath(
                text(),
                namespaces: names().map { .init(prefix: $0, uri: text()) },
                optional { $0.matcher(depth - 1) }
            )
        case 16: .and(list(1) { $0.matcher(depth - 1) })
        case 17: .or(list(1) { $0.matcher(depth - 1) })
        case 18: .not(matcher(depth - 1))
        case 19: .hasExactly(list { $0.matcher(depth - 1) })
        default: .includes(list { $0.matcher(depth - 1) })
        }
    }

    private mutating func options() -> ValueMatcher.XMLOptions {
        var options = ValueMatcher.XMLOptions()
        options.enablesPlaceholders = chance()
        options.placeholderOpening = optional { $0.text() }
        options.placeholderClosing = optional { $0.text() }
        options.exemptedComparisons = chance() ? ["NAMESPACE_URI", "TEXT_VALUE"] : []
        options.ignoresOrderOfSameNode = chance()
        options.namespaceAwareness = optional { $0.pick(["STRICT", "LEGACY", "NONE"]) }
        return options
    }

    private mutating func date() -> ValueMatcher.DateMatcher {
        var date = ValueMatcher.DateMatcher(pick(ValueMatcher.DateMatcher.Comparison.allCases), text())
        date.actualFormat = optional { $0.text() }
        date.offset = optional { $0.next(9) - 4 }
        date.offsetUnit = optional { $0.pick(["seconds", "years"]) }
        date.truncateExpected = optional { $0.pick(["first day of month"]) }
        date.truncateActual = optional { $0.pick(["last day of year"]) }
        date.truncatesLast = chance()
        return date
    }

    private mutating func request() -> StubRequest {
        var request = StubRequest()
        request.method = pick([.any, .oneOf(["GET"]), .oneOf(["GET", "HEAD"]), .oneOf(["ANY"]), .noneOf(["A", "B"])])
        request.url = pick([
            .any, .equalTo(text()), .matching(text()), .path(text()), .pathMatching(text()),
            .pathTemplate("/{a}/{B-c}"),
        ])
        if case .pathTemplate = request.url {
            request.pathParameters = ["a", "B-c"].filter { _ in chance() }.map { NamedMatcher($0, matcher()) }
        }
        request.scheme = optional { $0.pick(["http", "https"]) }
        request.host = optional { $0.matcher() }
        request.port = optional { 1 + $0.next(65535) }
        request.clientIP = optional { $0.matcher() }
        request.query = matchers()
        request.headers = matchers()
        request.cookies = matchers()
        request.form = matchers()
        request.basicAuth = optional { .init(username: $0.text(), password: $0.text()) }
        request.body = list { $0.matcher() }
        request.multipart = list { random in
            var condition = MultipartCondition(appliesToAll: random.chance())
            condition.name = random.optional { $0.text() }
            condition.fileName = random.optional { $0.matcher() }
            condition.headers = random.matchers()
            condition.body = random.list { $0.matcher() }
            return condition
        }
        request.customMatcher = optional { $0.text() }
        return request
    }

    // MARK: Responses

    private mutating func headers() -> [StubHeader] {
        ["A", "B-c", "d"].filter { _ in chance() }.flatMap { name in list(1) { StubHeader(name, $0.text()) } }
    }

    private mutating func distribution() -> StubDelay.Distribution {
        chance()
            ? .uniform(lower: next(9), upper: 9 + next(9))
            : .lognormal(median: 80, sigma: 0.1, maximum: optional { Double($0.next(9)) })
    }

    private mutating func response() -> StubResponse {
        var response = StubResponse(status: 200 + next(800))
        response.reason = optional { $0.text() }
        response.headers = headers()
        response.body = pick([.none, .text(text()), .json(["j": json()]), .bytes(bytes()), .file(text())])
        response.transformers = pick([[], ["mine"], ["response-template", "mine"]])
        response.isTemplate = response.transformers.contains("response-template") ? !chance() : optional { _ in false }
        response.parameters = members()
        response.delay = optional {
            let fixed = $0.optional { $0.time() }
            return StubDelay(
                fixed: fixed,
                distribution: fixed == nil ? $0.distribution() : $0.optional { $0.distribution() }
            )
        }
        response.dribble = optional { .init(chunks: 1 + $0.next(9), duration: $0.time()) }
        response.fault = optional { $0.pick(StubResponse.Fault.allCases) }
        response.proxy = optional { random in
            var proxy = StubResponse.Proxy(baseURL: random.text())
            proxy.pathPrefixToRemove = random.optional { $0.text() }
            proxy.addedHeaders = random.headers()
            proxy.removedHeaders = random.list { $0.text() }
            return proxy
        }
        response.stream = optional { random in
            random.list { $0.chance() ? .pause($0.time()) : .bytes($0.bytes()) }
        }
        response.then = optional { $0.pick([.reset, .truncate, .stall, .bytesPerSecond(1 + $0.next(9))]) }
        response.times = optional { 1 + $0.next(9) }
        if chance() {
            response.status = 200
            response.recorded = text()
            response.bends = list { $0.bend() }
        }
        return response
    }

    private mutating func bend() -> Bend {
        let answers = optional { 1 + $0.next(9) }
        if chance() {
            let place: Bend.Place = pick([.event(1 + next(9)), .line(1 + next(9))])
            return Bend(place, pick([.replace(bytes()), .drop, .repeat(1 + next(9))]), answers: answers)
        }
        let number = next(9)
        let places: [Bend.Place] = [
            .start, .event(1 + number), .afterEvent(1 + number), .line(1 + number), .afterLine(1 + number),
            .afterByte(number), .afterTime(time()),
        ]
        let edits: [Bend.Edit] = [
            .insert(bytes()), .delay(time()), .stall, .reset, .truncate, .slow(bytesPerSecond: 1 + number),
            .rechunk(1 + number), .rechunkRandomly(seed: UInt64(number) << 58), .status(200 + number),
            .header("X-A", "b"), .body(bytes()),
        ]
        return Bend(pick(places), pick(edits), answers: answers)
    }

    // MARK: Mappings

    private mutating func webhook() -> Webhook {
        var webhook = Webhook(method: text(), url: text())
        webhook.headers = headers()
        webhook.body = optional { $0.chance() ? .text($0.text()) : .bytes($0.bytes()) }
        webhook.delay = optional {
            $0.chance() ? StubDelay(fixed: $0.time()) : StubDelay(distribution: $0.distribution())
        }
        webhook.parameters = chance() ? [JSONTree.Member("x", ["y": json()])] : []
        webhook.phases = optional { $0.list { $0.pick(Webhook.Phase.allCases) } }
        return webhook
    }

    mutating func mapping() -> StubMapping {
        var mapping = StubMapping(request(), response())
        mapping.id = optional { _ in "11111111-2222-3333-4444-55555555555a" }
        mapping.name = optional { $0.text() }
        mapping.priority = optional { $0.next(9) - 2 }
        mapping.scenario = optional {
            .init(name: $0.text(), requiredState: $0.optional { $0.text() }, newState: $0.optional { $0.text() })
        }
        mapping.isPersistent = optional { $0.chance() }
        mapping.metadata = optional { .object($0.members()) }
        mapping.webhooks = list { $0.webhook() }
        return mapping
    }
}
