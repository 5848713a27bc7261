// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import RepriseRedaction

/// A body whose secrets are marked with `«»`: `{"password":"«maple»"}`. An empty mark is left out.
struct MarkedBody: Sendable, CustomTestStringConvertible {
    let type: String
    private let marked: String

    init(_ type: String, _ marked: String) { (self.type, self.marked) = (type, marked) }

    static func json(_ marked: String) -> MarkedBody { MarkedBody("application/json", marked) }
    static func form(_ marked: String) -> MarkedBody { MarkedBody("application/x-www-form-urlencoded", marked) }
    static func plain(_ marked: String) -> MarkedBody { MarkedBody("text/plain", marked) }
    static func html(_ marked: String) -> MarkedBody { MarkedBody("text/html", marked) }

    var testDescription: String { marked }

    /// The body with its secrets.
    var text: String { marked.replacing("«", with: "").replacing("»", with: "") }

    /// The body without its secrets.
    var redacted: String { marked.replacing("«»", with: "").replacing(/«[^»]*»/, with: "[redacted]") }

    /// Expects that redaction replaces the marked secrets and nothing else, and that the result stays the same if it is
    /// redacted again.
    func expectRedaction(sourceLocation: SourceLocation = #_sourceLocation) throws {
        let (text, redacted) = (text, redacted)
        #expect(try BodyRedactions.redact(text, type: type).text == redacted, sourceLocation: sourceLocation)
        #expect(try BodyRedactions.redact(redacted, type: type).text == redacted, sourceLocation: sourceLocation)
    }

    /// Expects the same of the body of a request with these header lines.
    func expectRedaction(inRequestWith headers: [String]) throws {
        let headers = ["Content-Type: \(type)"] + headers
        for (text, expected) in [(text, redacted), (redacted, redacted)] {
            let output = try BodyRedactions.redact([Array(text.utf8)], headers: headers, isRequest: true)
            #expect(output.text == expected)
        }
    }
}
