// SPDX-License-Identifier: Apache-2.0

internal import RepriseDocuments
internal import RepriseText

// Reads answers.
extension StubParser {
    /// The transformer that makes an answer a template.
    static let templateTransformer = "response-template"

    /// Reads a response.
    mutating func response(_ node: JSONNode) -> StubResponse? {
        guard let fields = fields(of: node, StubFields.response) else { return nil }
        var response = StubResponse()
        response.status = status(fields["status"])
        response.reason = text(fields["statusMessage"], "statusMessage")
        if let node = fields["headers"] { response.headers = headers(node, "headers", acceptsAnyName: true) }
        response.body = body(fields)
        readTemplate(fields, &response)
        readTiming(fields, &response)
        response.fault = word(fields["fault"], "fault", among: StubResponse.Fault.allCases, countsPlaces: true)
        response.proxy = proxy(fields)
        if let node = fields["then"] { response.then = outcome(node) }
        readRecorded(fields, &response)
        response.times = integer(fields["times"], "times", in: 1...Int(Int32.max), "a number of requests, 1 or more,")
        return response
    }

    /// Reads a status. Zero and negative numbers mean 200, and a fraction is dropped, as in WireMock. With a status that
    /// a response cannot have, the stub answers 500.
    private mutating func status(_ node: JSONNode?) -> Int {
        guard let node else { return 200 }
        if case .scalar(.string("")) = node.value { return 200 }
        let expectation = "a status from 200 to 999"
        guard let written = integer(node, "status", in: Int(Int32.min)...Int(Int32.max), expectation) else {
            return 200
        }
        let status = written > 0 ? written : 200
        guard case .scalar(.number(let number)) = node.value, number.spelling == String(status),
            StubResponse.statuses.contains(status)
        else {
            let isValid = StubResponse.statuses.contains(status)
            tolerating(isValid ? "it counts as \(status)" : "the stub answers 500") {
                $0.reject(node, "\(expectation) for \"status\"")
            }
            return status
        }
        return status
    }

    // MARK: Header fields

    /// Reads an object whose values are strings or arrays of strings.
    ///
    /// - Parameter acceptsAnyName: Whether an invalid name is accepted, such as a template. The stub cannot answer, but
    ///   the file is still read.
    mutating func headers(_ node: JSONNode, _ name: String, acceptsAnyName: Bool = false) -> [StubHeader] {
        guard let members = node.members else {
            tolerating("no header field is sent") { $0.reject(node, "an object for \"\(name)\"") }
            return []
        }
        var headers: [StubHeader] = []
        for member in members {
            let isName = !member.name.isEmpty && member.name.utf8.allSatisfy(isTokenByte)
            guard isName || acceptsAnyName else {
                report(at: member.offset, "expected the name of a header field, found \"\(clipped(member.name))\"")
                continue
            }
            let values = member.value.elements ?? [member.value]
            if values.isEmpty {
                report(member.value, "expected at least one value in \"\(member.name)\", found none")
            }
            for value in values {
                if let text = string(value, member.name) { headers.append(StubHeader(member.name, text)) }
            }
        }
        return headers
    }

    // MARK: Content

    /// Reads the content. Of several kinds, the first of `body`, `jsonBody`, `base64Body`, and `bodyFileName` counts,
    /// as in WireMock.
    private mutating func body(_ fields: JSONFields) -> StubContent {
        let names = ["body", "jsonBody", "base64Body", "bodyFileName"].filter { fields[$0] != nil }
        guard let name = names.first, let node = fields[name] else { return .none }
        for other in names.dropFirst() {
            guard let ignored = fields[other] else { continue }
            note(at: ignored.offset, "\"\(other)\" has no effect beside \"\(name)\"")
        }
        switch name {
        case "body": return text(node, name).map { .text($0) } ?? .none
        case "jsonBody": return .json(node.tree)
        case "base64Body": return base64(node, name).map { .bytes($0) } ?? .none
        default: return text(node, name).map { .file($0) } ?? .none
        }
    }

    // MARK: Templates

    private mutating func readTemplate(_ fields: JSONFields, _ response: inout StubResponse) {
        for element in elements(fields["transformers"], "transformers", of: "names") ?? [] {
            guard let name = text(element, "transformers") else { continue }
            response.transformers.append(name)
            if name != Self.templateTransformer {
                note(
                    at: element.offset,
                    "the transformer \"\(clipped(name))\" has no effect, because extensions of WireMock do not run here"
                )
            }
        }
        if response.transformers.contains(Self.templateTransformer) { response.isTemplate = true }
        if let isTemplate = boolean(fields["template"], "template") { response.isTemplate = isTemplate }
        response.parameters = object(fields["transformerParameters"], "transformerParameters") ?? []
    }

    // MARK: Timing

    private mutating func readTiming(_ fields: JSONFields, _ response: inout StubResponse) {
        let fixed = milliseconds(fields["fixedDelayMilliseconds"], "fixedDelayMilliseconds")
        var delay = fields["delayDistribution"].flatMap { distribution($0, "delayDistribution") }
        if let fixed { delay = StubDelay(fixed: fixed + (delay?.fixed ?? .zero), distribution: delay?.distribution) }
        response.delay = delay
        if let node = fields["chunkedDribbleDelay"] {
            response.dribble = tolerating("the content is sent as a whole") { $0.dribble(node) }
        }
        response.stream = elements(fields["stream"], "stream", of: "steps")?.flatMap { steps($0) }
    }

    /// Reads a distribution of times. A fixed one becomes a fixed time.
    mutating func distribution(_ node: JSONNode, _ name: String) -> StubDelay? {
        guard value(node, name, "an object", read: { $0.members }) != nil else { return nil }
        guard let type = node["type"] else {
            report(node, "expected \"type\" in \"\(name)\", found none; use \"lognormal\", \"uniform\", or \"fixed\"")
            return nil
        }
        switch word(type, "type", among: ["lognormal", "uniform", "fixed"]) {
        case "lognormal": return tolerating("there is no delay") { $0.lognormal(node) }
        case "uniform": return tolerating("there is no delay") { $0.uniform(node) }
        case "fixed":
            guard let fields = fields(of: node, StubFields.fixed), let time = required("milliseconds", in: fields)
            else { return nil }
            if case .scalar(.string("")) = time.value {
                tolerating("there is no delay") { $0.reject(time, "milliseconds for \"milliseconds\"") }
            }
            return milliseconds(time, "milliseconds").map { StubDelay(fixed: $0) }
        default: return nil
        }
    }

    private mutating func lognormal(_ node: JSONNode) -> StubDelay? {
        guard let fields = fields(of: node, StubFields.lognormal),
            let median = positive(required("median", in: fields), "median"),
            let sigma = positive(required("sigma", in: fields), "sigma")
        else { return nil }
        let maximum = positive(fields["maxValue"], "maxValue")
        return StubDelay(distribution: .lognormal(median: median, sigma: sigma, maximum: maximum))
    }

    private mutating func positive(_ node: JSONNode?, _ name: String) -> Double? {
        guard let node, let number = number(node, name) else { return nil }
        guard number.double >= 0, number.double <= Self.largest else {
            reject(node, "a number from 0 to \(Int(Self.largest)) for \"\(name)\"")
            return nil
        }
        return number.double
    }

    private static let largest = Duration.longestPause / .milliseconds(1)

    private mutating func uniform(_ node: JSONNode) -> StubDelay? {
        let range = 0...Int(Self.largest)
        guard let fields = fields(of: node, StubFields.uniform),
            let lower = integer(required("lower", in: fields), "lower", in: range, "milliseconds from 0 to 31 days"),
            let upper = integer(required("upper", in: fields), "upper", in: range, "milliseconds from 0 to 31 days")
        else { return nil }
        guard lower <= upper else {
            report(node, "expected \"upper\" to be at least \"lower\" (\(lower)), found \(upper)")
            return nil
        }
        return StubDelay(distribution: .uniform(lower: lower, upper: upper))
    }

    private mutating func dribble(_ node: JSONNode) -> StubResponse.Dribble? {
        guard let fields = fields(of: node, StubFields.dribble) else { return nil }
        let count = required("numberOfChunks", in: fields)
        let total = required("totalDuration", in: fields)
        let range = 1...1_000_000
        guard let chunks = integer(count, "numberOfChunks", in: range, "a number of chunks, 1 or more,"),
            let duration = milliseconds(total, "totalDuration")
        else { return nil }
        return StubResponse.Dribble(chunks: chunks, duration: duration)
    }

    // MARK: Streams

    /// Reads a step, spelled as in a cassette: a pause before the chunk in `after`. A string is a chunk of text.
    private mutating func steps(_ node: JSONNode) -> [StubResponse.StreamStep] {
        if case .scalar(.string(let text)) = node.value { return [.bytes(Array(text.utf8))] }
        guard let fields = fields(of: node, StubFields.step) else { return [] }
        if fields["text"] != nil, fields["base64"] != nil {
            report(node, "expected \"text\" or \"base64\" in a step of a stream, found both; remove one")
        } else if ["after", "text", "base64"].allSatisfy({ fields[$0] == nil }), fields.unknown.isEmpty {
            report(node, "expected \"after\", \"text\", or \"base64\" in a step of a stream, found none")
        }
        var steps: [StubResponse.StreamStep] = []
        if let pause = milliseconds(fields["after"], "after") { steps.append(.pause(pause)) }
        if let text = string(fields["text"], "text") {
            steps.append(.bytes(Array(text.utf8)))
        } else if let bytes = base64(fields["base64"], "base64") {
            steps.append(.bytes(bytes))
        }
        return steps
    }

    private mutating func outcome(_ node: JSONNode) -> StubResponse.Outcome? {
        if case .object = node.value {
            guard let fields = fields(of: node, StubFields.outcome) else { return nil }
            let count = required("bytesPerSecond", in: fields)
            let range = 1...Int(Int32.max)
            return integer(count, "bytesPerSecond", in: range, "a number of bytes, 1 or more,")
                .map { .bytesPerSecond($0) }
        }
        let outcomes: [ExactText: StubResponse.Outcome] = ["reset": .reset, "truncate": .truncate, "stall": .stall]
        return word(node, "then", among: Self.outcomes).flatMap { outcomes[$0] }
    }

    static let outcomes = ["reset", "truncate", "stall"]

    // MARK: Proxies

    private mutating func proxy(_ fields: JSONFields) -> StubResponse.Proxy? {
        guard let url = text(fields["proxyBaseUrl"], "proxyBaseUrl") else {
            let others = ["additionalProxyRequestHeaders", "removeProxyRequestHeaders", "proxyUrlPrefixToRemove"]
            for name in others where fields["proxyBaseUrl"] == nil {
                if let node = fields[name] {
                    note(at: node.offset, "\"\(name)\" has no effect without \"proxyBaseUrl\"")
                }
            }
            return nil
        }
        var proxy = StubResponse.Proxy(baseURL: url)
        proxy.pathPrefixToRemove = text(fields["proxyUrlPrefixToRemove"], "proxyUrlPrefixToRemove")
        if let node = fields["additionalProxyRequestHeaders"] {
            proxy.addedHeaders = headers(node, "additionalProxyRequestHeaders")
        }
        let removed = "removeProxyRequestHeaders"
        proxy.removedHeaders = list(fields[removed], removed, of: "names") { $0.text($1, removed) }
        return proxy
    }
}
