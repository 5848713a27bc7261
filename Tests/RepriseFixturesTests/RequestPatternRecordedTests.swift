// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import RepriseCassettes
@testable import RepriseFixtures
@testable import RepriseMatching
@testable import RepriseText

@Suite struct RequestPatternRecordedTests {
    @Test func readsBodiesFromFiles() {
        let file = FileSource(path: "/body", size: 3)
        let request = RecordedRequest(method: "POST", url: "/", body: RecordedBody(.file(file)))
        let known = RequestPattern(recorded: request) { _ in Array("[1]".utf8) }
        #expect(known.body == .equal(.json, Array("[1]".utf8)))
        #expect(RequestPattern(recorded: request) { _ in nil }.body == .any)
    }

    @Test func comparesOnlyCompleteBodies() {
        let body = RecordedBody(.bytes(Array("x".utf8)))
        let whole = RecordedRequest(method: "POST", url: "/", body: body)
        #expect(RequestPattern(recorded: whole).body == .equal(.bytes, Array("x".utf8)))
        let partial = RecordedRequest(method: "POST", url: "/", body: body, comparesBody: false)
        #expect(RequestPattern(recorded: partial).body == .any)
    }

    @Test(arguments: [
        ("/users?key=[redacted]", true), ("/users?key=%5Bredacted:ann%5D", true), ("/users?key=x", false),
    ])
    func matchesAnyTextAtMarker(url: String, matches: Bool) {
        let pattern = RequestPattern(recorded: RecordedRequest(method: "GET", url: url))
        #expect(pattern.matches(OwnedRequest(method: "GET", url: "/users?key=hunter2")) == matches)
    }
}
