// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// The rules for the values in a cassette. The reader and the writer share them, so that everything written can be
/// read.
///
/// Each function returns `nil` if the value is valid, or else what was expected and what was found.
package enum CassetteRules {
    /// Returns why `method` is not a valid method (RFC 9110 section 9.1).
    package static func fault(method: String) -> String? {
        guard method.isEmpty || !method.utf8.allSatisfy(isTokenByte) else { return nil }
        return "expected a method such as \"GET\", found \"\(clipped(method))\""
    }

    /// Returns why `url` is not a valid URL for a request of `method`.
    package static func fault(url: String, method: String) -> String? {
        guard let fault = RecordedURL.fault(of: url, method: method) else { return nil }
        return "expected an http or https URL, or a path that starts with '/', found \(fault) in \"\(clipped(url))\""
    }

    /// Returns why `base` is not a valid start of `url` for a proxy.
    package static func fault(base: String, url: String) -> String? {
        let next = url.utf8.dropFirst(base.utf8.count).first
        let isWhole = next == nil || next == UInt8(ascii: "/") || next == UInt8(ascii: "?")
        guard RecordedURL.isAbsolute(base), !base.hasSuffix("/"), url.utf8.starts(with: base.utf8), isWhole else {
            return "expected the start of the request's URL, up to a '/', for \"base\", found \"\(clipped(base))\""
        }
        return nil
    }

    /// Returns why `status` and `reason` are not valid in a final response.
    static func fault(status: Int, reason: [UInt8]) -> String? {
        switch status {
        case 200...999: break
        case 100..<200:
            // RFC 9110 section 15.2.
            return "expected a final status, from 200 to 999, found \(status): "
                + "a 1xx response precedes the final one, in \"informational\""
        default: return "expected a status from 200 to 999, found \(status)"
        }
        return fault(reason: reason)
    }

    /// Returns why `status` and `reason` are not valid in an informational response (RFC 9110 section 15.2). Nothing
    /// follows a 101 response.
    static func fault(informational status: Int, reason: [UInt8]) -> String? {
        guard 100...199 ~= status, status != 101 else {
            return "expected an informational status, from 100 to 199 except 101, found \(status)"
        }
        return fault(reason: reason)
    }

    private static func fault(reason: [UInt8]) -> String? {
        // RFC 9112 section 4 allows tabs, spaces and everything that is not a control character.
        guard let control = reason.first(where: { ($0 < 0x20 && $0 != 0x09) || $0 == 0x7F }) else { return nil }
        return "expected a status without control characters, found the byte 0x\(hexadecimal(control))"
    }

    /// Returns why `version` is not a valid HTTP version.
    static func fault(httpVersion version: String) -> String? {
        let parts = version.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count <= 2, parts.allSatisfy({ $0.utf8.count == 1 && $0.utf8.allSatisfy(isDigit) }) else {
            return "expected a version such as \"2\" or \"1.0\" for \"http\", found \"\(clipped(version))\""
        }
        return nil
    }

    /// Returns why `time` is not a valid time.
    static func fault(time: String) -> String? {
        guard DatedTime(rfc3339: time) == nil else { return nil }
        return "expected a time such as \"2026-11-21T09:00:00Z\" for \"at\", found \"\(clipped(time))\""
    }

    /// Returns why `milliseconds` is not a valid duration of an exchange.
    static func fault(milliseconds: Double) -> String? {
        guard milliseconds.isFinite, milliseconds >= 0 else {
            return "expected a number of milliseconds, 0 or more, found \(milliseconds)"
        }
        return nil
    }

    /// Returns why `pause` is not a valid pause.
    static func fault(pause: Duration) -> String? {
        guard pause < .zero || pause > .longestPause else { return nil }
        return "expected a pause from 0 to 31 days, found \(pause)"
    }

    /// Returns why `steps` is not a valid stream.
    static func fault(stream steps: [StreamStep]) -> String? {
        guard let last = steps.last, case .end = last.event else { return missingEnd }
        for step in steps.dropLast() {
            if case .end = step.event { return misplacedEnd }
        }
        return steps.lazy.compactMap { fault(pause: $0.after) ?? fault(missing: $0.missing, at: $0.event) }.first
    }

    /// Returns why `missing` bytes of a chunk are not valid at `event`.
    static func fault(missing: Int, at event: StreamStep.Event) -> String? {
        guard missing != 0 else { return nil }
        guard missing > 0 else { return "expected a positive number of missing bytes, found \(missing)" }
        switch event {
        case .end(.complete), .bytes: return "expected an \"end\" other than \"complete\" beside \"missing\""
        case .end: return nil
        }
    }

    static let missingEnd = "expected a last step such as {\"end\": \"complete\"} in the stream, found none"
    static let misplacedEnd = "expected \"end\" only in the last step, found a step after it"

    /// Returns why `chunks` are not valid chunk sizes of a body.
    static func fault(chunks: [Int]) -> String? {
        chunks.first { $0 < 0 }.map { "expected the size of a chunk in bytes, found \($0)" }
    }

    /// Returns why `name` is not a valid name of a body file.
    static func fault(bodyName name: String) -> String? {
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.contains(where: { $0.isEmpty || $0 == "." || $0 == ".." }) || name.utf8.contains(0) else {
            return nil
        }
        return "expected a file in the cassette's bodies folder, without '.' and '..', found \"\(clipped(name))\""
    }
}

// MARK: Stand-ins

extension CassetteRules {
    /// Returns why `standIn` is not a valid entry of the table.
    package static func fault(of standIn: StandIn) -> String? {
        let text = clipped(standIn.text)
        if standIn.shape != nil {
            if standIn.literal != nil { return "expected either \"shape\" or \"literal\", found both" }
            return standIn.text.isEmpty ? "expected the text of a stand-in for \"text\", found an empty string" : nil
        }
        guard RedactionMarker.isMarker(standIn.text) else {
            return "expected a marker such as \"[redacted~1]\" for \"text\", or a \"shape\" beside it, "
                + "found \"\(text)\""
        }
        guard let literal = standIn.literal else { return nil }
        if RedactionMarker.number(of: standIn.text) == nil {
            return "expected a marker with a number beside \"literal\", such as \"[redacted~1]\", found \"\(text)\""
        }
        let bytes = Array(literal.utf8)
        guard RedactionMarker.end(at: 0, in: bytes.span) != bytes.count else { return nil }
        return "expected a text that would otherwise be a marker for \"literal\", such as \"[redacted]\", "
            + "found \"\(clipped(literal))\""
    }

    /// Returns the message for a text that the table lists twice.
    static func repeated(_ standIn: StandIn) -> String {
        "expected each text once in \"standIns\", found \"\(clipped(standIn.text))\" again"
    }

    /// Returns the index of the first invalid entry of a table, and why it is invalid.
    static func fault(of standIns: [StandIn]) -> (index: Int, String)? {
        var known: Set<String> = []
        for (index, standIn) in standIns.enumerated() {
            if let fault = fault(of: standIn) { return (index, fault) }
            if !known.insert(standIn.text).inserted { return (index, repeated(standIn)) }
        }
        return nil
    }
}

// MARK: Whole exchanges

extension CassetteRules {
    /// Returns why `exchange` cannot be written.
    package static func fault(of exchange: Exchange) -> String? {
        if let fault = fault(ofMessages: exchange) { return fault }
        guard let recorded = exchange.recorded else { return nil }
        return fault(time: recorded.at) ?? recorded.milliseconds.flatMap(fault(milliseconds:))
    }

    /// Returns why the request and response of `exchange` cannot be written.
    package static func fault(ofMessages exchange: Exchange) -> String? {
        if let fault = fault(of: exchange.request) { return fault }
        guard case .response(let response) = exchange.outcome else { return nil }
        return fault(of: response)
    }

    private static func fault(of request: RecordedRequest) -> String? {
        fault(method: request.method) ?? fault(url: request.url, method: request.method)
            ?? request.base.flatMap { fault(base: $0, url: request.url) }
            ?? request.body.flatMap(fault(of:))
    }

    private static func fault(of response: RecordedResponse) -> String? {
        fault(status: response.status, reason: response.reasonBytes)
            ?? response.httpVersion.flatMap(fault(httpVersion:))
            ?? response.delay.flatMap(fault(pause:))
            ?? response.informational.lazy.compactMap(fault(of:)).first
            ?? fault(of: response.content)
    }

    private static func fault(of response: RecordedResponse.Informational) -> String? {
        fault(informational: response.status, reason: response.reasonBytes)
            ?? response.delay.flatMap(fault(pause:))
    }

    private static func fault(of content: RecordedResponse.Content) -> String? {
        switch content {
        case .none: nil
        case .body(let body): fault(of: body)
        case .stream(let steps): fault(stream: steps)
        }
    }

    private static func fault(of body: RecordedBody) -> String? {
        body.chunks.flatMap(fault(chunks:))
    }
}
