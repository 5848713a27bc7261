// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import RepriseMatching
@testable import RepriseText

@Suite struct VolatilePartsTests {
    private static let one = "0d6f2c1e-8f0a-4c43-9a65-0c3c1d1f7d11"
    private static let other = "77b1a0c4-53c5-4a9c-8c0e-2f5f0d7c9e10"

    /// The parts that differ between a recorded request and one that is sent, with the suggested options.
    private func options(
        _ recorded: (url: String, body: String?),
        _ sent: (url: String, body: String?)
    ) -> String? {
        let entry = FixtureIndex.Entry.recorded("POST", recorded.url, body: recorded.body)
        let request = sent.body.map { OwnedRequest.post(sent.url, $0) } ?? OwnedRequest(method: "POST", url: sent.url)
        return FixtureIndex([entry]).nearMisses(request.view).volatile?.options
    }

    @Test func suggestsPointersAndNames() {
        let (one, other) = (Self.one, Self.other)
        #expect(
            options(
                ("/a?ts=2026-11-22T10%3A00%3A00Z&q=x&b%26c=\(one)", #"{"id":"\#(one)","at":1763854005,"text":"hi"}"#),
                (
                    "/a?ts=2026-11-23T11%3A30%3A00Z&q=x&b%26c=\(other)",
                    #"{"id":"\#(other)","at":1763854099,"text":"hi"}"#
                )
            ) == "--ignore-query 'b&c' --ignore-query ts --ignore-json /at --ignore-json /id"
        )
    }

    @Test func mergesElementsOfArrays() {
        func body(_ id: String) -> String {
            let elements = (0..<8).map { #"{"id":"\#(id.dropLast())\#($0)","n":\#($0)}"# }
            return #"{"messages":[\#(elements.joined(separator: ","))]}"#
        }
        #expect(options(("/a", body(Self.one)), ("/a", body(Self.other))) == "--ignore-json '/messages/*/id'")
    }

    @Test func suggestsNothingIfAnythingElseDiffers() {
        let (one, other) = (Self.one, Self.other)
        #expect(options(("/a?id=\(one)&page=1", nil), ("/a?id=\(other)&page=2", nil)) == nil)
        #expect(options(("/a?id=\(one)", nil), ("/a?id=\(other)&page=2", nil)) == nil)
        #expect(options(("/a/\(one)", nil), ("/a/\(other)", nil)) == nil)
        #expect(options(("/a", "id=\(one)"), ("/a", "id=\(other)")) == nil)
        #expect(options(("/a", #"{"id":"\#(one)"}"#), ("/a", #"{"id":1763854005}"#)) == nil)
        #expect(options(("/a", #"{"at":"1763854005"}"#), ("/a", #"{"at":1763854006}"#)) == nil)
        #expect(options(("/a", #"{"ids":["\#(one)"]}"#), ("/a", #"{"ids":[]}"#)) == nil)
    }

    /// The sixth difference is not among those that a report shows.
    @Test func considersDifferencesThatReportOmits() {
        func body(_ id: String, _ last: String) -> String {
            "{\((1...6).map { #""k\#($0)":"\#(id)""# }.joined(separator: ",")),\"z\":\"\(last)\"}"
        }
        #expect(options(("/a", body(Self.one, "x")), ("/a", body(Self.other, "y"))) == nil)
        let all = options(("/a", body(Self.one, "x")), ("/a", body(Self.other, "x")))
        #expect(all == (1...6).map { "--ignore-json /k\($0)" }.joined(separator: " "))
    }

    /// With 64 differences, there may be others.
    @Test(arguments: [(4, true), (5, true), (6, true), (63, true), (64, false), (65, false)])
    func considersLessThan64Differences(count: Int, isSuggested: Bool) {
        func url(_ id: String) -> String { "/a?" + (1...count).map { "k\($0)=\(id)" }.joined(separator: "&") }
        #expect((options((url(Self.one), nil), (url(Self.other), nil)) != nil) == isSuggested)
        func body(_ id: String) -> String {
            let members = (1...count).map { number in "\"k\(number)\":\"\(id)\"" }
            return "{\(members.joined(separator: ","))}"
        }
        #expect((options(("/a", body(Self.one)), ("/a", body(Self.other))) != nil) == isSuggested)
    }

    @Test(arguments: [#"{"a\"b":"X"}"#, #"{"a\u0007b":"X"}"#, "{\"a\u{202E}b\":\"X\"}"])
    func suggestsNothingForNamesThatNeedEscapes(body: String) {
        let bodies = [Self.one, Self.other].map { String(body.split(separator: "X").joined(separator: $0)) }
        #expect(options(("/a", bodies[0]), ("/a", bodies[1])) == nil)
    }

    @Test func suggestsComparingFewerHeaderFields() {
        let entry = FixtureIndex.Entry.recorded("GET", "/a", headers: ["X-Request-Id: \(Self.one)"])
        let options = MatchingOptions(headerNames: ["X-Request-Id"])
        let lines = [HeaderLine("X-Request-Id: \(Self.other)")].compactMap { $0 }
        let request = OwnedRequest(method: "GET", url: "/a", headers: lines)
        let parts = FixtureIndex([entry], options: options).nearMisses(request.view).volatile
        #expect(parts?.headerNames == ["X-Request-Id"])
        #expect(parts?.options == "remove --match-header X-Request-Id")
    }

    @Test func reportEndsWithSuggestionAndCommand() {
        let index = FixtureIndex([.recorded("GET", "/a?id=\(Self.one)")])
        let report = MissReport(index, .get("/a?id=\(Self.other)"))
        let text = String(decoding: report.text(), as: UTF8.self)
        let line = "If these values differ in each run, ignore them: --ignore-query id"
        #expect(text.contains("\n\n\(line)\n\nTo see every candidate, run:"))
        #expect(!String(decoding: report.text(suggestsOptions: false), as: UTF8.self).contains(line))
        #expect(String(decoding: report.problem(), as: UTF8.self).contains("found \(Self.other). \(line)\",\n"))
    }

    /// The values may be secrets, but their names are not.
    @Test func suggestsPartsWhoseValuesAreHidden() {
        let index = FixtureIndex([.recorded("GET", "/a?id=\(Self.one)")])
        let report = MissReport(index, .get("/a?id=\(Self.other)"), hiding: { _ in nil })
        let text = String(decoding: report.text(), as: UTF8.self)
        #expect(text.contains("--ignore-query id"))
        #expect(!text.contains(Self.other))
    }
}
