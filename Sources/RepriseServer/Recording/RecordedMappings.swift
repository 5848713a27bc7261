// SPDX-License-Identifier: Apache-2.0

internal import RepriseAdmin
internal import RepriseCassettes
internal import RepriseStubs
internal import RepriseText

#if canImport(FoundationEssentials)
    private import FoundationEssentials
#else
    private import Foundation
#endif

/// Makes stub mappings from recorded exchanges, as WireMock does. Pure, except for the identifiers.
///
/// Where a secret was redacted, a mapping matches any text.
struct RecordedMappings {
    private let spec: RecordingSpec
    private(set) var mappings: [StubMapping] = []
    /// The mappings with equal requests, in order.
    private var places: [StubRequest: [Int]] = [:]

    /// - Parameter isPersistent: Whether the mappings are marked as kept in files.
    init(_ exchanges: [Exchange], _ spec: RecordingSpec, isPersistent: Bool) {
        self.spec = spec
        for exchange in exchanges { append(exchange, isPersistent: isPersistent) }
        makeScenarios()
    }

    private mutating func append(_ exchange: Exchange, isPersistent: Bool) {
        let request = request(exchange.request)
        if !spec.repeatsAsScenarios, places[request] != nil { return }
        var mapping = StubMapping(request, response: Self.response(exchange.outcome))
        mapping.id = UUID().uuidString.lowercased()
        mapping.name = Self.name(of: exchange.request)
        if isPersistent { mapping.isPersistent = true }
        places[request, default: []].append(mappings.count)
        mappings.append(mapping)
    }

    /// Puts repeated requests into scenarios.
    private mutating func makeScenarios() {
        var count = 0
        for first in mappings.indices {
            guard let places = places[mappings[first].request], places.count > 1, places[0] == first else { continue }
            count += 1
            let name = "scenario-\(count)-\(mappings[first].name ?? "")"
            for (number, place) in places.enumerated() {
                mappings[place].scenario = StubMapping.Scenario(
                    name: name,
                    requiredState: number == 0 ? StubMapping.Scenario.started : "\(name)-\(number + 1)",
                    newState: number == places.count - 1 ? nil : "\(name)-\(number + 2)"
                )
            }
        }
    }

    // MARK: Requests

    private func request(_ recorded: RecordedRequest) -> StubRequest {
        let target = Self.target(of: recorded)
        var request = StubRequest(
            method: .oneOf([recorded.method]),
            url: RedactedText.contains(target) ? .matching(RedactedText.pattern(target)) : .equalTo(target)
        )
        for header in spec.headers {
            guard let value = recorded.headers.firstValue(named: header.name) else { continue }
            let matcher: ValueMatcher =
                RedactedText.contains(value)
                ? .matches(RedactedText.pattern(value)) : .equalTo(value, ignoringCase: header.ignoresCase)
            request.headers.append(NamedMatcher(header.name, matcher))
        }
        if recorded.comparesBody, case .bytes(let bytes)? = recorded.body?.source, !bytes.isEmpty {
            request.body =
                body(bytes, type: recorded.headers.firstValue(named: "Content-Type") ?? "").map { [$0] } ?? []
        }
        return request
    }

    /// Returns the path and query that a client of this server sent.
    private static func target(of request: RecordedRequest) -> String {
        var url = request.url[...]
        if let base = request.base, url.hasPrefix(base) {
            url = url.dropFirst(base.count)
        } else if let scheme = url.firstRange(of: "://") {
            url = url[scheme.upperBound...].drop { $0 != "/" && $0 != "?" }
        }
        return url.hasPrefix("/") ? String(url) : "/" + url
    }

    private static func name(of request: RecordedRequest) -> String {
        var name = ""
        for character in target(of: request).prefix(while: { $0 != "?" }) {
            if character.isLetter || character.isNumber || character == "-" || character == "." {
                name.append(character)
            } else if !name.isEmpty, name.last != "_" {
                name.append("_")
            }
            if name.utf8.count >= 60 { break }
        }
        while name.last == "_" { name.removeLast() }
        return name
    }

    private func body(_ bytes: [UInt8], type: String) -> ValueMatcher? {
        let text = String(bytes: bytes, encoding: .utf8)
        switch spec.body.kind {
        case .equalToJSON: return json(bytes) ?? plain(bytes, text)
        case .equalToXML: return text.map { .equalToXML($0) } ?? plain(bytes, text)
        case .equalTo: return plain(bytes, text)
        case .auto:
            let type = type.lowercased()
            // Each request has a different boundary.
            if type.hasPrefix("multipart/") { return nil }
            if type.contains("xml"), let text, !RedactedText.contains(text) { return .equalToXML(text) }
            return json(bytes) ?? plain(bytes, text)
        }
    }

    private func json(_ bytes: [UInt8]) -> ValueMatcher? {
        guard let tree = try? JSONTree(parsing: bytes) else { return nil }
        switch tree {
        case .object, .array:
            return .equalToJSON(
                RedactedText.ignored(in: tree),
                ignoresArrayOrder: spec.body.ignoresArrayOrder,
                ignoresExtraElements: spec.body.ignoresExtraElements
            )
        default: return nil
        }
    }

    private func plain(_ bytes: [UInt8], _ text: String?) -> ValueMatcher {
        guard let text else { return .binaryEqualTo(bytes) }
        if RedactedText.contains(text) { return .matches(RedactedText.pattern(text)) }
        return .equalTo(text, ignoringCase: spec.body.ignoresCase)
    }

    // MARK: Responses

    private static func response(_ outcome: Exchange.Outcome) -> StubResponse {
        guard case .response(let recorded) = outcome else {
            var response = StubResponse()
            response.fault = .connectionReset
            return response
        }
        var response = StubResponse(status: recorded.status)
        response.reason = recorded.reason.isEmpty ? nil : recorded.reason
        response.headers = recorded.headers.compactMap { line in
            framing.contains(line.name.lowercased()) ? nil : StubHeader(line.name, line.value)
        }
        let (bytes, ending) = recorded.wholeContent
        switch ending {
        case .reset: response.then = .reset
        case .truncated: response.then = .truncate
        case .timedOut, .cancelled: response.then = .stall
        case .complete: break
        }
        if !bytes.isEmpty {
            response.body = String(bytes: bytes, encoding: .utf8).map { .text($0) } ?? .bytes(bytes)
        }
        return response
    }

    /// The header fields that a stub's own content determines.
    private static let framing: Set = ["content-length", "transfer-encoding", "connection", "keep-alive"]
}

extension RecordedResponse {
    /// The content without pauses, and how it ended.
    fileprivate var wholeContent: (bytes: [UInt8], ending: Ending) {
        switch content {
        case .none: return ([], .complete)
        case .body(let body):
            if case .bytes(let bytes) = body.source { return (bytes, .complete) }
            return ([], .complete)
        case .stream(let steps):
            var bytes: [UInt8] = []
            var ending = Ending.complete
            for step in steps {
                switch step.event {
                case .bytes(let more): bytes += more
                case .end(let end): ending = end
                }
            }
            return (bytes, ending)
        }
    }
}

/// Text in which secrets were replaced by markers.
enum RedactedText {
    private static let starts = ["[redacted", "%5Bredacted"]
    private static let ends = ["]", "%5D"]

    static func contains(_ text: String) -> Bool { starts.contains { text.contains($0) } }

    /// Returns a regular expression for the text, in which each marker matches any text.
    static func pattern(_ text: String) -> String {
        var pattern = ""
        var rest = text[...]
        while let (marker, after) = marker(in: rest) {
            pattern += quoted(rest[..<marker]) + ".*"
            rest = rest[after...]
        }
        return pattern + quoted(rest)
    }

    private static func marker(in text: Substring) -> (start: String.Index, end: String.Index)? {
        for (start, end) in zip(starts, ends) {
            guard let first = text.firstRange(of: start), let last = text[first.upperBound...].firstRange(of: end)
            else { continue }
            return (first.lowerBound, last.upperBound)
        }
        return nil
    }

    private static func quoted(_ text: Substring) -> String {
        var quoted = ""
        for character in text {
            if "\\^$.|?*+()[]{}".contains(character) { quoted.append("\\") }
            quoted.append(character)
        }
        return quoted
    }

    /// Returns JSON in which each string with a marker is replaced by a placeholder for any value.
    static func ignored(in tree: JSONTree) -> JSONTree {
        switch tree {
        case .string(let text): contains(text) ? .string("${json-unit.ignore}") : tree
        case .array(let elements): .array(elements.map { ignored(in: $0) })
        case .object(let members): .object(members.map { JSONTree.Member($0.name, ignored(in: $0.value)) })
        case .null, .bool, .number: tree
        }
    }
}
