// SPDX-License-Identifier: Apache-2.0

import RepriseAnswers
import RepriseMatching
import RepriseStubs
import RepriseTemplates
import RepriseText
import Testing

@testable import RepriseStubAnswers

@Suite struct StubAnswerTests {
    @Test func reasonPhraseIsOneLine() throws {
        var response = StubResponse(status: 200)
        response.reason = "a\r\nX: y\u{0}\u{E9}"
        let stub = try StubFixture(StubMapping(response: response))
        let head = try #require(stub.answer.plan?.head)
        #expect(String(decoding: head.reasonBytes, as: UTF8.self) == "a  X: y \u{E9}")
        #expect(head.headers.allSatisfy { !$0.hasName("X") })
    }

    @Test func headerValueIsOneLine() throws {
        var response = StubResponse(status: 200)
        response.headers = [StubHeader("X", "a\r\nY: \nb")]
        let head = try #require(StubFixture(StubMapping(response: response)).answer.plan?.head)
        #expect(head.headers.first { $0.hasName("X") }?.value == "a  Y:  b")
        #expect(head.headers.allSatisfy { !$0.hasName("Y") })
    }

    /// A request without a port has the default port of its scheme.
    @Test(arguments: [
        ("http", "/", 80), ("https", "/", 443), ("http", "http://a.test/", 80), ("https", "https://a.test/", 443),
        ("https", "https://a.test:81/", 81),
    ])
    func templateSeesPort(scheme: String, url: String, port: Int) {
        let facts = DecodedRequest(OwnedRequest(method: "GET", url: url), scheme: scheme)
        #expect(TemplateRequest(facts, pathTemplate: nil).port == port)
    }
}
