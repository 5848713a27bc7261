// SPDX-License-Identifier: Apache-2.0

import RepriseRedaction
import Testing

@testable import RepriseCassettes
@testable import RepriseFixtures
@testable import RepriseMatching
@testable import RepriseText

@Suite struct MissReportSecretsTests {
    private let index = FixtureIndex(
        [
            RecordedRequest(method: "GET", url: "/users?page=2"),
            RecordedRequest(method: "POST", url: "/users", body: RecordedBody(.bytes(Array(#"{"a":1}"#.utf8)))),
        ].map { Fixture(Exchange(request: $0, outcome: .failure(.dns))) }
    )

    @Test(arguments: [
        OwnedRequest(method: "GET", url: "/users?page=2&api_key=5ecret"),
        OwnedRequest(method: "GET", url: "/users?page=2&api%5Fkey=5ecret"),
        OwnedRequest(method: "GET", url: "/users?q=sk-5ecret5ecret5ecret5ecret5ecret5ecret"),
        OwnedRequest(method: "GET", url: "/sk-5ecret5ecret5ecret5ecret5ecret5ecret/users?page=2"),
        OwnedRequest(method: "GET", url: "/sk-5ecret5ecret5ecret5ecret5ecret5ecret"),
        OwnedRequest(method: "POST", url: "/users", body: Array(#"{"a":1,"password":"5ecret"}"#.utf8)),
        OwnedRequest(
            method: "POST",
            url: "/users",
            body: Array(#"{"a":"sk-5ecret5ecret5ecret5ecret5ecret5ecret"}"#.utf8)
        ),
    ])
    func hidesSecrets(request: OwnedRequest) {
        let report = MissReport(index, request)
        #expect(String(decoding: report.text(), as: UTF8.self).contains("5ecret"))
        let hiding = MissReport(index, request, hiding: MissReport.hidingSecrets(.standard))
        #expect(!String(decoding: hiding.text(), as: UTF8.self).contains("5ecret"))
    }

    /// The whole of an object is shown where the fixture has none.
    @Test func hidesSecretsInAddedObjects() throws {
        let added = #"{"name":"f0rtytwo","password":"hunter2","17":{"b":"f0rtytwo"}}"#
        let rules = try Redaction(["user.name", "user.*.b", "users[2].name", "users[*].*.b"].map { .path($0) })
        for body in [#"{"a":1,"user":\#(added)}"#, #"{"a":1,"users":[1,2,\#(added)]}"#] {
            let request = OwnedRequest(method: "POST", url: "/users", body: Array(body.utf8))
            let recorded = RecordedRequest(
                method: "POST",
                url: "/users",
                body: RecordedBody(.bytes(Array(#"{"a":1,"users":[1,2]}"#.utf8)))
            )
            let index = FixtureIndex([Fixture(Exchange(request: recorded, outcome: .failure(.dns)))])
            let report = MissReport(index, request, hiding: MissReport.hidingSecrets(rules))
            let text = String(decoding: report.text(), as: UTF8.self)
            #expect(!text.contains("f0rtytwo") && !text.contains("hunter2"), "\(text)")
        }
    }

    @Test(arguments: [
        (Redaction.Rule.name("shoe size"), #"{"a":1,"shoeSize":"f0rtytwo"}"#), (.path("b"), #"{"a":1,"b":"f0rtytwo"}"#),
        (.path("b[*].c/d~e"), #"{"a":1,"b":[{"c/d~e":"f0rtytwo"}]}"#), (.path("b[1]"), #"{"a":1,"b":[2,"f0rtytwo"]}"#),
        (.path("*.c"), #"{"a":1,"b":{"c":"f0rtytwo"}}"#), (.text("f0rtytwo"), #"{"a":1,"b":"is f0rtytwo"}"#),
    ])
    func hidesWhatRulesName(rule: Redaction.Rule, body: String) throws {
        let request = OwnedRequest(method: "POST", url: "/users", body: Array(body.utf8))
        let recorded = RecordedRequest(
            method: "POST",
            url: "/users",
            body: RecordedBody(.bytes(Array(body.replacing("f0rtytwo", with: "other").utf8)))
        )
        let index = FixtureIndex([Fixture(Exchange(request: recorded, outcome: .failure(.dns)))])
        let plain = MissReport(index, request, hiding: MissReport.hidingSecrets(.standard))
        #expect(String(decoding: plain.text(), as: UTF8.self).contains("f0rtytwo"))
        let hiding = MissReport(index, request, hiding: MissReport.hidingSecrets(try Redaction([rule])))
        #expect(!String(decoding: hiding.text(), as: UTF8.self).contains("f0rtytwo"))
    }
}
