// SPDX-License-Identifier: Apache-2.0

import Reprise
import RepriseReplay
import Testing

@Suite struct MatcherTests {
    private static let fixtures: [Fixture] = [
        .recorded(
            "https://a.example.com/x?page=1",
            method: "POST",
            headers: ["Accept: text/plain", "X-User: ann", "Content-Type: application/json"],
            body: #"{"id": 1, "at": 100}"#,
            .text("ann")
        ),
        .recorded(
            "https://a.example.com/x?page=1",
            method: "POST",
            headers: ["Accept: text/plain", "X-User: bob", "Content-Type: application/json"],
            body: #"{"id": 1, "at": 100}"#,
            .text("bob")
        ),
    ]

    struct SentRequest: Sendable {
        var method = HTTPRequest.Method.post
        var host = "a.example.com"
        var path = "/x?page=1"
        var body = #"{"at":100,"id":1}"#
        var fields: HTTPFields = [:]
    }

    private func answer(_ sent: SentRequest, _ matching: [Matcher]) async -> String? {
        let transport = ReplayingTransport(fixtures: Self.fixtures, configuration: .init(matching: matching))
        let request = HTTPRequest(
            method: sent.method,
            scheme: "https",
            authority: sent.host,
            path: sent.path,
            headerFields: sent.fields
        )
        let body = sent.body.isEmpty ? nil : Body(sent.body)
        guard let response = try? await transport.send(request, body: body) else { return nil }
        return try? await response.text()
    }

    private static let withoutMethod: [Matcher] = [.path, .query, .body]
    private static let withoutPath: [Matcher] = [.method, .query, .body]
    private static let withoutQuery: [Matcher] = [.method, .path, .body]
    private static let withoutBody: [Matcher] = [.method, .path, .query]
    private static let withoutPage: [Matcher] = [.method, .path, .query(ignoring: ["page"]), .body]
    private static let withoutTime: [Matcher] = [.method, .path, .query, .body(ignoring: ["/at"])]

    @Test(arguments: [
        (SentRequest(method: .put), withoutMethod), (SentRequest(path: "/y?page=1"), withoutPath),
        (SentRequest(path: "/x?page=2"), withoutQuery), (SentRequest(path: "/x"), withoutQuery),
        (SentRequest(path: "/x?page=3"), withoutPage), (SentRequest(body: #"{"id":1}"#), withoutTime),
        (SentRequest(body: "other"), withoutBody),
        (SentRequest(body: ""), withoutBody), (SentRequest(host: "b.example.com"), [Matcher].standard),
    ])
    func comparesOnlyListedParts(sent: SentRequest, matching: [Matcher]) async {
        #expect(await answer(sent, matching) == "ann")
        #expect(await answer(sent, .standard + [.host]) == nil)
    }

    @Test func comparesHeadersIfListed() async {
        let matching: [Matcher] = .standard + [.headers(["x-user"])]
        #expect(await answer(SentRequest(fields: [.init("X-User")!: "bob"]), matching) == "bob")
        #expect(await answer(SentRequest(fields: [.init("X-User")!: "eve"]), matching) == nil)
        #expect(await answer(SentRequest(), matching) == nil)
    }

    @Test func appliesCustomMatcher() async {
        let matching: [Matcher] = [
            .method, .path,
            .custom("user") { recorded, incoming in
                recorded.headers.firstValue(named: "X-User") == incoming.headers.firstValue(named: "x-user")
            },
        ]
        #expect(await answer(SentRequest(path: "/x?page=9", fields: [.init("X-User")!: "bob"]), matching) == "bob")
        #expect(await answer(SentRequest(fields: [.init("X-User")!: "ann"]), matching) == "ann")
        #expect(await answer(SentRequest(fields: [.init("X-User")!: "eve"]), matching) == nil)
    }

    @Test func passesBodiesToCustomMatcher() async {
        let matching: [Matcher] = [
            .method, .path,
            .custom("length") { recorded, incoming in
                recorded.body?.source.count ?? 0 >= incoming.body?.source.count ?? 0
            },
        ]
        #expect(await answer(SentRequest(body: "short"), matching) == "ann")
        #expect(await answer(SentRequest(body: String(repeating: "long", count: 100)), matching) == nil)
    }
}
