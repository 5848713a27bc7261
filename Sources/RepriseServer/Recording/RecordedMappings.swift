// SPDX-License-Identifier: Apache-2.0

internal import RepriseAdmin
internal import RepriseCassettes
internal import RepriseDocuments
internal import RepriseFixtures
internal import RepriseMatching
internal import RepriseStubs
internal import RepriseText

#if canImport(FoundationEssentials)
    private import FoundationEssentials
#else
    private import Foundation
#endif

/// Makes stub mappings from recorded exchanges, as WireMock does. Pure, except for the identifiers.
///
/// Where a stand-in replaced a secret, a mapping matches any text.
struct RecordedMappings {
    private let spec: RecordingSpec
    private let standIns: StandInTexts?
    private(set) var mappings: [StubMapping] = []
    private var places: [StubRequest: [Int]] = [:]

    /// - Parameter isPersistent: Whether the mappings are marked as kept in files.
    init(_ cassette: Cassette, _ spec: RecordingSpec, isPersistent: Bool) {
        self.spec = spec
        let cassette = cassette.listingMarkers()
        standIns = cassette.standIns.map { StandInTexts($0, file: "") }
        let received = ReceivedTexts(cassette)
        for exchange in cassette.exchanges {
            append(received?.applied(to: exchange) ?? exchange, isPersistent: isPersistent)
        }
        makeScenarios()
    }

    private mutating func append(_ exchange: Exchange, isPersistent: Bool) {
        let request = request(exchange.request)
        if !spec.repeatsAsScenarios, places[request] != nil { return }
        var mapping = StubMapping(request, response: Self.response(exchange))
        mapping.id = UUID().uuidString.lowercased()
        mapping.name = Self.name(of: exchange.request)
        if isPersistent { mapping.isPersistent = true }
        places[request, default: []].append(mappings.count)
        mappings.append(mapping)
    }

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
        let target = RedactedText(Self.target(of: recorded), standIns)
        var request = StubRequest(
            method: .oneOf([recorded.method]),
            url: target.plain.map { .equalTo($0) } ?? .matching(target.pattern)
        )
        for header in spec.headers {
            guard let value = recorded.headers.firstValue(named: header.name) else { continue }
            request.headers.append(NamedMatcher(header.name, matcher(value, ignoringCase: header.ignoresCase)))
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
        String(target(of: request).prefix { $0 != "?" }).slug(separator: "_", limit: 60) { character in
            character.isLetter || character.isNumber || character == "-" || character == "."
        }
    }

    private func body(_ bytes: [UInt8], type: String) -> ValueMatcher? {
        switch spec.body.kind {
        case .equalToJSON: return json(bytes) ?? plain(bytes)
        case .equalToXML: return xml(bytes) ?? plain(bytes)
        case .equalTo: return plain(bytes)
        case .auto:
            let type = type.lowercased()
            // Each request has a different boundary.
            if type.hasPrefix("multipart/") { return nil }
            return (type.contains("xml") ? xml(bytes) : nil) ?? json(bytes) ?? plain(bytes)
        }
    }

    private func xml(_ bytes: [UInt8]) -> ValueMatcher? {
        String(bytes: bytes, encoding: .utf8).flatMap { RedactedText($0, standIns).plain }.map { .equalToXML($0) }
    }

    private func json(_ bytes: [UInt8]) -> ValueMatcher? {
        guard let tree = try? JSONTree(parsing: bytes) else { return nil }
        switch tree {
        case .object, .array:
            return .equalToJSON(
                ignoringSecrets(tree),
                ignoresArrayOrder: spec.body.ignoresArrayOrder,
                ignoresExtraElements: spec.body.ignoresExtraElements
            )
        default: return nil
        }
    }

    /// Returns JSON with a placeholder for any value in place of each string and number with a stand-in.
    private func ignoringSecrets(_ tree: JSONTree) -> JSONTree {
        let ignored = JSONTree.string("${json-unit.ignore}")
        switch tree {
        case .string(let text): return RedactedText(text, standIns).plain.map { .string($0) } ?? ignored
        case .number(let number): return RedactedText(number.spelling, standIns).plain == nil ? ignored : tree
        case .array(let elements): return .array(elements.map(ignoringSecrets))
        case .object(let members):
            return .object(members.map { JSONTree.Member($0.name, ignoringSecrets($0.value)) })
        case .null, .bool: return tree
        }
    }

    /// Returns `nil` for bytes that are not text if they contain a stand-in.
    private func plain(_ bytes: [UInt8]) -> ValueMatcher? {
        if let text = String(bytes: bytes, encoding: .utf8) {
            return matcher(text, ignoringCase: spec.body.ignoresCase)
        }
        return standIns?.ranges(in: bytes.span).isEmpty == false ? nil : .binaryEqualTo(bytes)
    }

    private func matcher(_ text: String, ignoringCase: Bool) -> ValueMatcher {
        let text = RedactedText(text, standIns)
        return text.plain.map { .equalTo($0, ignoringCase: ignoringCase) } ?? .matches(text.pattern)
    }

    // MARK: Responses

    private static func response(_ exchange: Exchange) -> StubResponse {
        guard case .response(let recorded) = exchange.outcome else {
            var response = StubResponse()
            response.fault = .connectionReset
            return response
        }
        var response = StubResponse(status: recorded.status)
        response.reason = recorded.reason.isEmpty ? nil : recorded.reason
        // Content that is not sent does not determine its length (RFC 9110 section 8.6).
        let isHeadOnly = exchange.request.method == "HEAD" || recorded.status == 304
        response.headers = recorded.headers.compactMap { line in
            let name = line.name.lowercased()
            let isLeftOut = isHeadOnly && name == "content-length" ? false : leftOut.contains(name)
            return isLeftOut ? nil : StubHeader(line.name, line.value)
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

    /// The header fields that a stub's own content determines, and those that name the stub.
    private static let leftOut: Set = [
        "content-length", "transfer-encoding", "connection", "keep-alive", "matched-stub-id", "matched-stub-name",
    ]
}

extension RecordedResponse {
    /// The content without pauses, and how it ended.
    var wholeContent: (bytes: [UInt8], ending: Ending) {
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
