// SPDX-License-Identifier: Apache-2.0

import RepriseAdmin
import RepriseDocuments
import RepriseStubs
import RepriseText
import Testing

@Suite struct VerificationTests {
    @Test(arguments: [
        (RequestCount.exactly(2), [2], "exactly 2 requests"), (.exactly(1), [1], "exactly 1 request"),
        (.never, [0], "no request"), (.atLeast(1), [1, 2, 3], "at least 1 request"),
        (.atLeast(3), [3], "at least 3 requests"),
        (.atMost(1), [0, 1], "at most 1 request"), (.atMost(0), [0], "at most 0 requests"),
    ])
    func countIncludesItsBounds(count: RequestCount, included: [Int], text: String) {
        #expect((0...3).filter(count.includes) == included)
        #expect("\(count)" == text)
    }

    private static func miss(_ url: String) -> NearMiss {
        NearMiss(
            LoggedRequest(method: "GET", url: url),
            pattern: StubRequest(),
            distance: 0.5,
            conditions: [
                NearMiss.Condition(field: "url", expected: "/a", found: url, isMatch: false),
                NearMiss.Condition(field: "method", expected: "GET", found: "GET", isMatch: true),
                NearMiss.Condition(field: "body", expected: "x", found: nil, isMatch: false),
            ]
        )
    }

    @Test(arguments: [
        (0, [], "expected exactly 1 request for GET /a, found 0\nThe server received no similar request."),
        (2, [], "expected exactly 1 request for GET /a, found 2"),
        (
            0, ["/b"],
            """
            expected exactly 1 request for GET /a, found 0
            The nearest request:
              GET /b
                url: expected /a, found /b
                body: expected x, found nothing
            """
        ),
        (
            0, ["/b", "/c"],
            """
            expected exactly 1 request for GET /a, found 0
            The nearest requests:
              GET /b
                url: expected /a, found /b
                body: expected x, found nothing
              GET /c
                url: expected /a, found /c
                body: expected x, found nothing
            """
        ),
    ])
    func failureNamesTheNearestRequests(found: Int, nearest: [String], text: String) {
        let failure = VerificationFailure(
            StubRequest(method: .oneOf(["GET"]), url: .path("/a")),
            expected: .exactly(1),
            found: found,
            nearest: nearest.map(Self.miss)
        )
        #expect("\(failure)" == text)
    }

    @Test(arguments: [
        (StubRequest(), "ANY any URL"), (StubRequest(method: .oneOf(["PUT"]), url: .equalTo("/a?b=1")), "PUT /a?b=1"),
        (StubRequest(method: .any, url: .pathTemplate("/a/{id}")), "ANY /a/{id}"),
        (StubRequest(method: .oneOf(["GET", "PUT"]), url: .path("/a")), #"{"urlPath":"/a","method":["GET","PUT"]}"#),
        (StubRequest(method: .oneOf(["GET"]), url: .matching("/a.*")), #"{"urlPattern":"/a.*","method":"GET"}"#),
    ])
    func patternIsShownAsLineIfThatSaysAll(request: StubRequest, text: String) {
        let failure = VerificationFailure(request, expected: .atLeast(1), found: 0)
        let prefix = "expected at least 1 request for "
        #expect("\(failure)".hasPrefix(prefix))
        let shown = "\(failure)".dropFirst(prefix.count).prefix { $0 != "\n" }.replacing(", found 0", with: "")
        if text.hasPrefix("{") { #expect(shown.hasPrefix("{")) } else { #expect(shown == text) }
    }

    // MARK: Reading numbers and names

    @Test(arguments: [
        ("0", 0), ("2678400000", 2_678_400_000), ("2678400001", nil), ("-1", nil), ("1.5", nil), ("\"1\"", nil),
        ("1e3", 1000),
    ])
    func delayIsAtMost31Days(text: String, milliseconds: Int?) throws {
        let json = try JSONTree(parsing: Array(#"{"fixedDelay": \#(text)}"#.utf8))
        guard let milliseconds else {
            #expect { try ServerSettings(received: json) } throws: { "\($0)".hasPrefix("/fixedDelay: ") }
            return
        }
        #expect(try ServerSettings(received: json).delay?.fixed == .milliseconds(milliseconds))
    }

    @Test func nullIsAsGoodAsMissing() throws {
        #expect(try ServerSettings(received: ["fixedDelay": .null, "extended": .null]) == ServerSettings())
        #expect(try AdminList<ServeEvent>(json: ["requests": [], "meta": .null]).elements.isEmpty)
    }

    @Test(arguments: ["8999999999999999", "-8999999999999999", "0", "9000000000000000", "-9000000000000000", "1e300"])
    func integersHaveTheirRange(text: String) throws {
        let json = try JSONTree(parsing: Array(#"{"addedDelay": \#(text)}"#.utf8))
        let isInRange = text.utf8.count < 5 || text.contains("8999")
        guard text != "1e300", isInRange else {
            #expect(throws: AdminModelError.self) { try ServeTiming(json: json) }
            return
        }
        #expect(try ServeTiming(json: json).addedDelay == Int(text))
    }

    @Test func missingTimesAreZero() throws {
        #expect(try ServeTiming(json: [:]) == ServeTiming())
        let timing = ServeTiming()
        #expect(
            [timing.addedDelay, timing.processTime, timing.responseSendTime, timing.serveTime, timing.totalTime] == [
                0, 0, 0, 0, 0,
            ]
        )
        let health = try ServerHealth(json: [:])
        #expect((health.uptime, health.time) == (0, 0))
        #expect(try AdminErrors(json: ["errors": [[:]]]).errors.map(\.code) == [0])
    }

    @Test(arguments: [("FULL", false), ("IDS", true), ("ids", true), ("Full", false)])
    func outputFormatIsReadInAnyCase(text: String, sendsIDs: Bool) throws {
        #expect(try RecordingSpec(json: ["outputFormat": .string(text)]).sendsIDs == sendsIDs)
    }

    @Test func valuesWithOneNameAreOneEntry() {
        let pairs = [("A", "1"), ("b", "2"), ("a", "3"), ("A", "4")].map { (name: $0.0, value: $0.1) }
        let apart = [NamedValues](grouping: pairs, ignoringCase: false)
        #expect(apart == [NamedValues("A", ["1", "4"]), NamedValues("b", ["2"]), NamedValues("a", ["3"])])
        let together = [NamedValues](grouping: pairs, ignoringCase: true)
        #expect(together == [NamedValues("A", ["1", "3", "4"]), NamedValues("b", ["2"])])
        #expect(together["a"] == ["1", "3", "4"])
        #expect(together["B"] == ["2"])
    }
}
