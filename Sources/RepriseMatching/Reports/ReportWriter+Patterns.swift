// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

extension ReportWriter {
    /// Appends a verdict: `query.page: expected 2, found 3`, or `query.page: 2`.
    mutating func append(_ verdict: FieldVerdict) {
        append(verdict.name)
        append(": ")
        if !verdict.isEqual {
            append("expected ")
            append(verdict.expectedValue)
            append(", found ")
        }
        append(verdict.foundValue)
        if !verdict.isEqual, !verdict.isRequired { append(" (not required)") }
    }

    mutating func append(_ name: FieldVerdict.Name) {
        switch name {
        case .method: append("method")
        case .path: append("path")
        case .query: append("query")
        case .queryPair(let pair):
            append("query.")
            append(value: pair)
        case .body: append("body")
        case .bodyPair(let pair):
            append("body.")
            append(value: pair)
        case .bodyPointer(let pointer):
            append("body.")
            append(value: pointer[...])
        case .bodyPart(let name, let number, let isHeader):
            append("body.")
            append(value: name?[...] ?? Array("\(number)".utf8)[...])
            if isHeader { append(".headers") }
        case .header(let name), .selection(let name):
            append("header.")
            append(value: name)
        case .host: append("host")
        }
    }

    mutating func append(_ value: FieldVerdict.Value) {
        switch value {
        case .nothing: append("nothing")
        case .bytes(let bytes) where bytes.isEmpty: append(isJSON ? "\\\"\\\"" : "\"\"")
        case .bytes(let bytes): append(value: bytes)
        case .rest(let bytes):
            append("…")
            append(value: bytes)
        case .template(let segments): append(segments)
        case .masked(let bytes, let isWhole):
            append(isWhole ? "any text (" : "text like ")
            append(value: bytes)
            if isWhole { append(")") }
        case .hidden(let noun): append(noun)
        case .parts(let count): append(count == 1 ? "multipart of 1 part" : "multipart of \(count) parts")
        }
    }

    /// Appends a one-line description of a pattern's request: `GET /users?page=2`.
    mutating func append(_ pattern: RequestPattern) {
        append(value: pattern.method[...])
        append(" ")
        switch pattern.path {
        case .literal(let path): append(value: path[...])
        case .template(let segments): append(segments)
        }
        if let query = pattern.query, !query.isEmpty {
            append("?")
            append(value: query[...])
        }
    }

    /// Appends the place where a fixture is defined: `file:line`.
    mutating func append(_ source: FixtureSource) {
        append(value: source.file, limit: 400)
        if let location = source.location { append(":\(location.line)") }
    }

    private mutating func append(_ segments: [RequestPattern.Segment]) {
        for segment in segments {
            append("/")
            switch segment {
            case .literal(let bytes): append(value: bytes[...])
            case .parameter(let name):
                append("{")
                append(value: name)
                append("}")
            }
        }
    }
}
