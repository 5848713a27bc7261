// SPDX-License-Identifier: Apache-2.0

import RepriseTestSupport
import Testing

@testable import RepriseAnswers
@testable import RepriseCassettes
@testable import RepriseFixtures
@testable import RepriseMatching
@testable import RepriseText

/// Cassettes of format 2.
@Suite struct StandInCassetteTests {
    private static let jwt = "eyJhbGciOiJIUzI1NiJ9.eyJleHAiOjQwNzA5MDg4MDB9.c2lnbmF0dXJlc2lnbmF0dXJlMTIz"

    /// Two users with tokens, and an answer with a text that looks like a marker.
    private static let cassette = """
        {
          "reprise": 2,
          "standIns": [
            {"text": "[redacted~1]"},
            {"text": "\(jwt)", "shape": "jwt"},
            {"text": "[redacted~3]", "literal": "[redacted]"}
          ],
          "exchanges": [
            {
              "request": {"method": "GET", "url": "/me", "headers": ["Authorization: Bearer [redacted~1]"]},
              "response": {
                "status": "200 OK",
                "headers": ["Content-Type: text/plain", "X-Mark: <[redacted~3]>", "Content-Length: 10"],
                "body": {"text": "[redacted~3] one"}
              }
            },
            {
              "request": {"method": "GET", "url": "/me", "headers": ["Authorization: Bearer \(jwt)"]},
              "response": {
                "status": "200 OK",
                "headers": ["Content-Type: text/plain", "Transfer-Encoding: chunked"],
                "stream": [{"text": "a [redacted~3]"}, {"text": "[redacted~1]"}, {"end": "complete"}]
              }
            }
          ]
        }
        """

    private func load(_ cassette: String) throws -> (set: FixtureSet, folder: TemporaryFolder) {
        let folder = try TemporaryFolder(["a.cassette.json": cassette])
        return (try FixtureLoader.load([folder.path]), folder)
    }

    @Test func standInsFromResponsesAreKnown() throws {
        let bodies = [
            #""body": {"text": "{\"refresh\":\"[redacted~2]\"}"}"#,
            #""stream": [{"text": "[redac"}, {"text": "ted~4]"}, {"end": "complete"}]"#,
        ]
        let exchanges = zip([1, 3], bodies).map { number, body in
            #"{"request": {"method": "GET", "url": "/r?t=[redacted~\#(number)]"}, "response": {"status": "200 OK", "#
                + #""headers": ["Set-Cookie: a=[redacted~\#(number)]; b=[redacted~5]"], \#(body)}}"#
        }
        let standIns = (1...5).map { #"{"text": "[redacted~\#($0)]"}"# }.joined(separator: ", ")
        let text = #"{"reprise": 2, "standIns": [\#(standIns)], "exchanges": [\#(exchanges.joined(separator: ", "))]}"#
        let (set, folder) = try load(text)
        defer { withExtendedLifetime(folder) {} }
        let texts = try #require(set.fixtures.first?.pattern.standIns)
        #expect(texts.entries.map(\.isHandedOut) == [false, true, false, true, true])
    }

    /// Returns the notes on stand-ins, without the name of the file.
    private func notes(_ cassette: String) throws -> [String] {
        let (set, folder) = try load(cassette)
        defer { withExtendedLifetime(folder) {} }
        return SecretCheck(set).standInNotes.map { note in
            let text = note.description
            return text.firstRange(of: "a.cassette.json:").map { String(text[$0.upperBound...]) } ?? text
        }
    }

    @Test func playsLiteralsAsTheyWere() throws {
        let (set, _) = try load(Self.cassette)
        let head = try #require(set.fixtures[0].plan.head)
        #expect(head.headers.firstValue(named: "X-Mark") == "<[redacted]>")
        #expect(head.headers.firstValue(named: "Content-Length") == "14")
        #expect(set.fixtures[0].plan.steps[1] == .bytes(.bytes(Array("[redacted] one".utf8))))
        #expect(set.fixtures[1].plan.steps[1] == .bytes(.bytes(Array("a [redacted]".utf8))))
        #expect(set.fixtures[1].plan.steps[2] == .bytes(.bytes(Array("[redacted~1]".utf8))))
    }

    @Test func playsLiteralsOfBodyFiles() throws {
        let text = String(repeating: "x", count: 70_000) + "[redacted~3]"
        let folder = try TemporaryFolder([
            "a.cassette.json": #"""
            {"reprise": 2, "standIns": [{"text": "[redacted~3]", "literal": "%5Bredacted%5D"}], "exchanges": [
              {"request": {"method": "GET", "url": "/"}, "response": {"status": "200", "body": {"file": "b.txt"}}}
            ]}
            """#,
            "a.cassette.bodies/b.txt": text,
        ])
        let set = try FixtureLoader.load([folder.path])
        guard case .bytes(.bytes(let bytes)) = set.fixtures[0].plan.steps[1] else {
            Issue.record("expected bytes, found \(set.fixtures[0].plan.steps[1])")
            return
        }
        #expect(bytes.suffix(15) == Array("x%5Bredacted%5D".utf8)[...])
    }

    @Test func listsTheRequestsOfEachUser() throws {
        let (set, _) = try load(Self.cassette)
        let list = RouteList(set)
        #expect(list.routes.map(\.path) == ["/me", "/me"])
        #expect(list.routes.map { $0.answers.compactMap(\.line) } == [[9], [17]])
    }

    @Test func checkAcceptsShapesAndLiterals() throws {
        let (set, folder) = try load(Self.cassette)
        let check = withExtendedLifetime(folder) { SecretCheck(set) }
        #expect(check.problems.map(\.description) == [])
        #expect(check.standInNotes.map(\.description) == [])
    }

    @Test func checkAcceptsStandInsInUTF16() throws {
        let standIn = "8f14e45fceea167a5a36dedd4bea2543"
        let body = Array(#"{"password":"\#(standIn)","token":"\#(standIn)"}"#.utf8)
        let spellings: [[UInt8]] = [body.flatMap { [$0, 0] }, body.flatMap { [0, $0] }]
        for wide in spellings {
            let text = String(decoding: Base64.encode(wide), as: UTF8.self)
            let (set, folder) = try load(
                #"""
                {"reprise": 2, "standIns": [{"text": "\#(standIn)", "shape": "hex"}], "exchanges": [
                  {"request": {"method": "GET", "url": "/?token=\#(standIn)"},
                   "response": {"status": "200 OK", "headers": ["Content-Type: application/json; charset=utf-16"],
                     "body": {"base64": "\#(text)"}}}
                ]}
                """#
            )
            let check = withExtendedLifetime(folder) { SecretCheck(set) }
            #expect(check.problems.map(\.description) == [])
        }
    }

    /// The last character lacks its second byte.
    @Test(arguments: [false, true]) func checkReadsTextInUTF16ThatIsCutOff(isBigEndian: Bool) throws {
        let standIn = "8f14e45fceea167a5a36dedd4bea2543"
        let wide: [UInt8] = "{\"password\":\"\(standIn)".utf8.flatMap { isBigEndian ? [0, $0] : [$0, 0] }
        let text = String(decoding: Base64.encode(wide.dropLast()), as: UTF8.self)
        let (set, folder) = try load(
            #"""
            {"reprise": 2, "standIns": [{"text": "\#(standIn)", "shape": "hex"}], "exchanges": [
              {"request": {"method": "GET", "url": "/?token=\#(standIn)"},
               "response": {"status": "200 OK", "headers": ["Content-Type: application/json; charset=utf-16"],
                 "body": {"base64": "\#(text)"}}}
            ]}
            """#
        )
        let problems = withExtendedLifetime(folder) { SecretCheck(set).problems.map(\.message) }
        // What is left of it is no stand-in.
        #expect(problems.allSatisfy { $0.contains("in response body") })
    }

    @Test func checkReportsSecretsBesideShapes() throws {
        let other = Self.jwt.replacing("c2lnbmF0dXJl", with: "b3RoZXJvdGhlcg")
        let (set, folder) = try load(Self.cassette.replacing("\"a [redacted~3]\"", with: "\"a \(other)\""))
        let problems = withExtendedLifetime(folder) { SecretCheck(set).problems.map(\.message) }
        #expect(problems.count == 1)
        #expect(problems.first?.contains("response body (eyJ…)") == true)
    }

    @Test func checkNotesTextsThatAreNotListed() throws {
        let cassette = Self.cassette.replacing("a [redacted~3]", with: "a [redacted~4] [redacted:b] [redacted~4]")
        #expect(
            try notes(cassette) == [
                "17:5: [redacted~4] matches only itself; list it in \"standIns\" if it stands for a value",
                "17:5: [redacted:b] matches only itself; list it in \"standIns\" if it stands for a value",
            ]
        )
    }

    @Test func checkNotesEntriesThatDoNotOccur() throws {
        let cassette = Self.cassette.replacing(
            "{\"text\": \"[redacted~1]\"},\n",
            with: "{\"text\": \"[redacted~9]\"}, {\"text\": \"[redacted~1]\"},\n"
        )
        #expect(
            try notes(cassette) == [
                "4:5: [redacted~9] is listed in \"standIns\", but does not occur; remove it"
            ]
        )
    }

    @Test func checkNotesNumbersInFormatOne() throws {
        let cassette =
            #"{"reprise": 1, "exchanges": [{"request": {"method": "GET", "url": "/[redacted~1]/[redacted]"}, "#
            + #""failure": "dns"}]}"#
        #expect(
            try notes(cassette) == [
                "1:30: [redacted~1] matches only itself; in a cassette of format 1, "
                    + "only markers without a number match any value"
            ]
        )
        let index = FixtureIndex(try load(cassette).set.fixtures)
        #expect(index.match(OwnedRequest(method: "GET", url: "/x/y")) == .miss)
        #expect(index.match(OwnedRequest(method: "GET", url: "/[redacted~1]/y")) != .miss)
    }

    /// The server sends `100 Continue` itself, to clients that wait for it.
    @Test func playsInformationalResponsesExceptContinue() throws {
        let (set, _) = try load(
            #"{"reprise": 2, "exchanges": [{"request": {"method": "GET", "url": "/"}, "response": {"#
                + #""informational": [{"status": "100 Continue", "after": 1, "headers": []}, "#
                + #"{"status": "103 Early Hints", "after": 5, "headers": ["Link: </a>"]}], "#
                + #""status": "200", "after": 9}}]}"#
        )
        let plan = set.fixtures[0].plan
        #expect(plan.informational.map(\.head.status) == [103])
        #expect(plan.informational.map(\.head.reason) == ["Early Hints"])
        #expect(plan.informational.map(\.delay) == [.milliseconds(5)])
        #expect(plan.steps.first == .wait(.milliseconds(9)))
    }

    @Test func explainsTheChoiceWithoutValues() throws {
        let (set, _) = try load(Self.cassette)
        let index = FixtureIndex(set.fixtures)
        let play = SequenceState(index)
        func request(_ token: String) throws -> OwnedRequest {
            let line = try #require(HeaderLine("Authorization: Bearer \(token)"))
            return OwnedRequest(method: "GET", url: "/me", headers: [line])
        }
        guard case .hit(let sequence) = index.match(try request("T1")) else { throw Missing() }
        let first = try request("T1")
        #expect(play.take(sequence, for: first.view).turn.fixture == 0)
        let text = Explanation(index, try request("T2"), play: play).text()
        #expect(text.contains("\nStand-ins:\n  [redacted~1] in header.authorization: bound to another value\n  eyJh"))
        #expect(text.contains("… in header.authorization: free\n"))
        #expect(text.contains("fit the values of this request"))
        #expect(!text.contains("T1"))
    }

    @Test func missNamesTheStandIns() throws {
        let (set, _) = try load(Self.cassette)
        let index = FixtureIndex(set.fixtures, options: MatchingOptions(afterLast: .miss))
        let play = SequenceState(index)
        let line = try #require(HeaderLine("Authorization: Bearer T1"))
        let request = OwnedRequest(method: "GET", url: "/me", headers: [line])
        guard case .hit(let sequence) = index.match(request) else { throw Missing() }
        #expect((0..<3).map { _ in play.take(sequence, for: request.view).turn.fixture } == [0, 1, nil])
        let report = MissReport(index, request, play: play)
        let text = String(decoding: report.text(), as: UTF8.self)
        #expect(
            text.contains("  [redacted~1] in header.authorization: bound to the value of this request\n  eyJh")
        )
        let json = String(decoding: report.problem(), as: UTF8.self)
        #expect(json.contains("\"standIns\": [\n    \"[redacted~1] in header.authorization: bound to the value"))
    }

    private struct Missing: Error {}

    /// Each byte of the literal gets a zero on the same side.
    @Test(arguments: [false, true]) func literalIsReceivedInUTF16(isBigEndian: Bool) throws {
        func wide(_ text: String) -> [UInt8] { text.utf8.flatMap { isBigEndian ? [0, $0] : [$0, 0] } }
        let cassette = Cassette(standIns: [StandIn("[redacted~1]", literal: "[redacted]")])
        let body = RecordedBody(.bytes(wide("see [redacted~1].")))
        let exchange = Exchange(
            request: RecordedRequest(method: "GET", url: "/"),
            outcome: .response(RecordedResponse(status: 200, headers: [], content: .body(body)))
        )
        guard case .response(let response) = try #require(ReceivedTexts(cassette)).applied(to: exchange).outcome else {
            Issue.record("expected a response")
            return
        }
        #expect(response.content == .body(RecordedBody(.bytes(wide("see [redacted].")))))
    }
}
