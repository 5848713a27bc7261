// SPDX-License-Identifier: Apache-2.0

import RepriseDocuments
import RepriseText
import Testing

@testable import RepriseStubs

@Suite struct StubMatcherReadingTests {
    static let matchers: [(String, ValueMatcher)] = [
        (#""equalTo": "a""#, .equalTo("a")),
        (#""caseInsensitive": true, "equalTo": "a""#, .equalTo("a", ignoringCase: true)),
        (#""equalTo": "a", "caseInsensitive": null"#, .equalTo("a")),
        (#""binaryEqualTo": "AP8=""#, .binaryEqualTo([0, 0xFF])),
        (#""binaryEqualTo": "AP8""#, .binaryEqualTo([0, 0xFF])),
        (#""contains": "a""#, .contains("a")), (#""doesNotContain": "a""#, .doesNotContain("a")),
        (#""matches": "a.*""#, .matches("a.*")), (#""doesNotMatch": "a""#, .doesNotMatch("a")),
        (#""absent": true"#, .absent), (#""absent": false"#, .absent), (#""absent": null"#, .absent),
        (#""anything": "(always)""#, .anything),
        (#""equalToJson": {"a": 1}"#, .equalToJSON(["a": 1])),
        (#""equalToJson": "{'a': 1} x""#, .equalToJSON(["a": 1])),
        (#""equalToJson": null"#, .equalToJSON(.null)), (#""equalToJson": "\"a\"""#, .equalToJSON("a")),
        (
            #""equalToJson": "[]", "ignoreArrayOrder": "true", "ignoreExtraElements": true"#,
            .equalToJSON([], ignoresArrayOrder: true, ignoresExtraElements: true)
        ), (#""matchesJsonPath": "$.a""#, .matchesJSONPath("$.a")),
        (#""matchesJsonPath": {"expression": "$.a"}"#, .matchesJSONPath("$.a")),
        (
            #""matchesJsonPath": {"equalTo": "b", "caseInsensitive": true, "expression": "$.a"}"#,
            .matchesJSONPath("$.a", .equalTo("b", ignoringCase: true))
        ), (#""matchesJsonSchema": "{}""#, .matchesJSONSchema([:])),
        (
            #""matchesJsonSchema": {"type": "object"}, "schemaVersion": "V7""#,
            .matchesJSONSchema(["type": "object"], version: .v7)
        ),
        (#""matchesXPath": "//a""#, .matchesXPath("//a")),
        (
            #""matchesXPath": {"expression": "//n:a", "contains": "b"}, "xPathNamespaces": {"n": "u"}"#,
            .matchesXPath("//n:a", namespaces: [.init(prefix: "n", uri: "u")], .contains("b"))
        ), (#""equalToXml": "<a/>""#, .equalToXML("<a/>")),
        (#""and": [{"contains": "a"}, {"not": {"contains": "b"}}]"#, .and([.contains("a"), .not(.contains("b"))])),
        (#""or": [{"contains": "a"}, {"absent": true}]"#, .or([.contains("a"), .absent])),
        (#""hasExactly": [{"equalTo": "a"}]"#, .hasExactly([.equalTo("a")])), (#""includes": []"#, .includes([])),
        (#""matchesPathTemplate": "/a/{b}""#, .matchesPathTemplate("/a/{b}")),
        (#""equalToNumber": 1"#, .number(.equal, JSONNumber(1))),
        (#""lessThanEqualNumber": "1""#, .number(.lessOrEqual, JSONNumber(1))),
        (#""before": "now +3 days""#, .date(.init(.before, "now +3 days"))),
        // Of two matchers the first counts, but absent always does.
        (#""contains": "b", "equalTo": "a""#, .contains("b")), (#""equalTo": "a", "contains": "b""#, .equalTo("a")),
        (#""equalTo": "a", "absent": true"#, .absent), (#""equalTo": "a", "equalTo": "b""#, .equalTo("b")),
    ]

    @Test(arguments: matchers)
    func matcherIsRead(json: String, matcher: ValueMatcher) throws {
        #expect(try StubMappingReader.read(matcher: Array("{\(json)}".utf8)) == matcher)
    }

    @Test func optionsOfXMLAreRead() throws {
        let text = #"""
            {"equalToXml": "<a/>", "enablePlaceholders": true, "placeholderOpeningDelimiterRegex": "\\[",
             "placeholderClosingDelimiterRegex": "]", "exemptedComparisons": ["NAMESPACE_URI"],
             "ignoreOrderOfSameNode": true, "namespaceAwareness": "NONE"}
            """#
        var options = ValueMatcher.XMLOptions()
        options.enablesPlaceholders = true
        options.placeholderOpening = "\\["
        options.placeholderClosing = "]"
        options.exemptedComparisons = ["NAMESPACE_URI"]
        options.ignoresOrderOfSameNode = true
        options.namespaceAwareness = "NONE"
        #expect(try StubMappingReader.read(matcher: Array(text.utf8)) == .equalToXML("<a/>", options))
    }

    @Test func optionsOfDatesAreRead() throws {
        let text = #"""
            {"equalToDateTime": "now", "actualFormat": "epoch", "expectedOffset": -3, "expectedOffsetUnit": "DAYS",
             "truncateExpected": "First day of month", "truncateActual": "last day of year", "applyTruncationLast": true}
            """#
        var date = ValueMatcher.DateMatcher(.equal, "now")
        date.actualFormat = "epoch"
        date.offset = -3
        date.offsetUnit = "days"
        date.truncateExpected = "first day of month"
        date.truncateActual = "last day of year"
        date.truncatesLast = true
        #expect(try StubMappingReader.read(matcher: Array(text.utf8)) == .date(date))
    }

    @Test func nestingOfMatchersIsBounded() {
        let text = String(repeating: #"{"not": "#, count: 200) + "{}" + String(repeating: "}", count: 200)
        #expect(throws: StubProblems.self) { try StubMappingReader.read(matcher: Array(text.utf8)) }
    }
}
