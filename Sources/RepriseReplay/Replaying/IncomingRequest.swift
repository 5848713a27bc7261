// SPDX-License-Identifier: Apache-2.0

internal import Reprise
internal import RepriseCassettes
internal import RepriseMatching
internal import RepriseText

/// A client's request in the form in which the index compares it.
struct IncomingRequest {
    private(set) var head: [UInt8] = []
    private(set) var parts: RequestParts
    var body: [UInt8] = []

    init(_ request: HTTPRequest, _ rules: MatchingRules) {
        let method = request.method.rawValue
        let target = request.path ?? "/"
        let host = request.authority
        let contentType = request.headerFields[.contentType]
        head.reserveCapacity(
            method.utf8.count + target.utf8.count + (host?.utf8.count ?? 0) + (contentType?.utf8.count ?? 0) + 4
        )
        head += method.utf8
        let methodEnd = head.count
        head.append(0x20)
        let start = head.count
        head += target.utf8
        let end = head.count
        head.append(0x20)
        var mark = start
        while mark < end, head[mark] != UInt8(ascii: "?") { mark += 1 }
        parts = RequestParts(method: 0..<methodEnd, path: start..<mark, query: mark < end ? mark + 1..<end : nil)
        parts.host = host.map { append($0) }
        parts.contentType = contentType.map { append($0) }
        if !rules.options.headerNames.isEmpty {
            parts.headerValues = OwnedRequest(request.recorded(), body: []).parts(for: rules.options).headerValues
        }
    }

    /// Says that the body is not at hand.
    mutating func forgetBody() {
        parts.isBodyKnown = false
    }

    private mutating func append(_ text: String) -> Range<Int> {
        let start = head.count
        head += text.utf8
        head.append(0x20)
        return start..<head.count - 1
    }
}

extension HTTPRequest {
    /// The request as a recording has it.
    func recorded(body: [UInt8] = []) -> RecordedRequest {
        RecordedRequest(
            method: method.rawValue,
            url: urlText,
            headers: headerFields.compactMap(HeaderLine.init(field:)),
            body: body.isEmpty ? nil : RecordedBody(.bytes(body))
        )
    }
}

extension HeaderLine {
    /// The line of a field; nil if there is none that could be sent.
    init?(field: HTTPField) {
        self.init("\(field.name.rawName): \(field.value)")
    }
}
