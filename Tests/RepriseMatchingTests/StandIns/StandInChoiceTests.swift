// SPDX-License-Identifier: Apache-2.0

import RepriseText
import Testing

@testable import RepriseMatching

@Suite struct StandInChoiceTests {
    private static func me(_ token: String) -> String { "GET /me Authorization: Bearer \(token)" }

    /// Two users whose requests alternate.
    private static let twoUsers = [me("[redacted~1]"), me("[redacted~2]"), me("[redacted~1]"), me("[redacted~2]")]

    @Test(arguments: [
        (["A", "B", "A", "B"], [0, 1, 2, 3]),
        (["A", "A", "B", "B"], [0, 2, 1, 3]),
        (["A", "B", "B", "A", "A"], [0, 1, 3, 2, 2]),
    ])
    func usersKeepTheirSequences(tokens: [String], fixtures: [Int]) {
        let replay = StandInReplay(Self.twoUsers)
        #expect(tokens.map { replay(Self.me($0)) } == fixtures)
    }

    @Test func lookingBindsNothing() {
        let replay = StandInReplay(Self.twoUsers)
        #expect(replay.next(Self.me("B")) == 0)
        #expect(replay.next(Self.me("B")) == 0)
        #expect(replay(Self.me("A")) == 0)
        #expect(replay.next(Self.me("A")) == 2)
        #expect(replay.next(Self.me("B")) == 1)
        #expect(replay(Self.me("B")) == 1)
    }

    @Test func thirdValuePlaysWhatIsNext() {
        let replay = StandInReplay(Self.twoUsers)
        #expect(["A", "B", "C", "C", "C", "A"].map { replay(Self.me($0)) } == [0, 1, 2, 3, 3, 2])
    }

    @Test func refreshedTokenPlays() {
        let replay = StandInReplay([Self.me("[redacted~1]"), Self.me("[redacted~1]")])
        #expect(["A", "B"].map { replay(Self.me($0)) } == [0, 1])
    }

    @Test func textOfStandInChoosesItsSequence() {
        let replay = StandInReplay(Self.twoUsers)
        #expect(replay(Self.me("[redacted~2]")) == 1)
        #expect(replay(Self.me("A")) == 0)
        #expect(replay(Self.me("B")) == 2)
        #expect(replay(Self.me("[redacted~2]")) == 3)
    }

    @Test(arguments: [[0xFF, 0xFE], [0xFE, 0xFF], []] as [[UInt8]], [true, false])
    func standInsInUTF16AreFound(mark: [UInt8], isLittleEndian: Bool) {
        guard mark.isEmpty || (mark[0] == 0xFF) == isLittleEndian else { return }
        func wide(_ text: String) -> [UInt8] { text.utf8.flatMap { isLittleEndian ? [$0, 0] : [0, $0] } }
        let texts = StandInTexts(
            [.init("[redacted~1]", .secret), .init("0123456789abcdef", .secret)],
            source: "a.cassette.json"
        )
        let start = mark + wide("a [redacted~1], ")
        let body = start + wide("0123456789abcdef.")
        let found = texts.masks(in: body.span)
        #expect(found.map(\.standIn) == [0, 1])
        #expect(found.map(\.range.lowerBound) == [mark.count + 4, start.count])
        #expect(found.map(\.range.count) == [24, 32])
    }

    /// Two users refresh tokens. Each got the first one before the recording started, so it is in no response.
    @Test func newValuesAreNotThoseFromResponses() {
        let texts = (1...4).map { "[redacted~\($0)]" }
        let replay = StandInReplay(texts, handedOut: [texts[1], texts[3]], texts.map { "POST /refresh?t=\($0)" })
        #expect(replay("POST /refresh?t=A") == 0)
        #expect(replay("POST /refresh?t=B") == 2)
        #expect(replay("POST /refresh?t=\(texts[1])") == 1)
        #expect(replay("POST /refresh?t=\(texts[3])") == 3)
        // A third user gets the first answer of another one.
        #expect([0, 2].contains(replay("POST /refresh?t=C")))
    }

    @Test func newValuePlaysWhatIsFromResponseIfNothingElseIsThere() {
        let texts = ["[redacted~1]", "[redacted~2]"]
        let replay = StandInReplay(texts, handedOut: Set(texts), Self.twoUsers)
        #expect(["A", "B", "A"].map { replay(Self.me($0)) } == [0, 1, 2])
    }

    @Test func bindingsHoldForAllRequests() {
        let replay = StandInReplay([
            "POST /orders?key=[redacted~1]", "POST /orders?key=[redacted~2]", Self.me("[redacted~2]"),
            Self.me("[redacted~1]"),
        ])
        #expect(replay("POST /orders?key=A") == 0)
        #expect(replay(Self.me("A")) == 3)
        #expect(replay("POST /orders?key=B") == 1)
        #expect(replay(Self.me("B")) == 2)
    }

    @Test func numberInJSONStandsForSecret() {
        let replay = StandInReplay(
            ["9123", "9456"],
            [#"POST /a | {"pin":9123,"amount":50}"#, #"POST /a | {"pin":9456,"amount":50}"#, "GET /b?pin=9456"]
        )
        #expect(replay(#"POST /a | {"pin":7135,"amount":51}"#) == nil)
        #expect(replay(#"POST /a | {"pin":"7135","amount":50}"#) == nil)
        #expect(replay(#"POST /a | {"pin":7135,"amount":50}"#) == 0)
        #expect(replay(#"POST /a | {"amount":50,"pin":8642}"#) == 1)
        #expect(replay("GET /b?pin=8642") == 2)
    }

    @Test func twoStandInsCanHaveOneValue() {
        // The recording refreshed the token between the requests, and the replay does not.
        let replay = StandInReplay([
            Self.me("[redacted~1]"), "GET /b Authorization: Bearer [redacted~2]", Self.me("[redacted~2]"),
        ])
        #expect(replay(Self.me("A")) == 0)
        #expect(replay("GET /b Authorization: Bearer A") == 1)
        #expect(replay(Self.me("A")) == 2)
    }

    @Test func exhaustedSequenceLeavesTheRestInStrictReplay() {
        let replay = StandInReplay(Self.twoUsers, options: MatchingOptions(afterLast: .miss))
        #expect(["A", "A", "A", "A", "A"].map { replay(Self.me($0)) } == [0, 2, 1, 3, nil])
    }

    @Test func restartsEachSequence() {
        let replay = StandInReplay(Self.twoUsers, options: MatchingOptions(afterLast: .restart))
        #expect(["A", "A", "A", "B", "B", "B"].map { replay(Self.me($0)) } == [0, 2, 0, 1, 3, 1])
    }

    @Test func resetFreesStandIns() {
        let replay = StandInReplay(Self.twoUsers)
        #expect(replay(Self.me("A")) == 0)
        replay.play.reset()
        #expect(replay(Self.me("B")) == 0)
        #expect(replay(Self.me("A")) == 1)
    }

    @Test func requestWithoutCredentialsHasItsOwnSequence() {
        let replay = StandInReplay(["GET /me", Self.me("[redacted~1]"), "GET /me"])
        #expect(replay(Self.me("A")) == 1)
        #expect(replay("GET /me") == 0)
        #expect(replay("GET /me") == 2)
    }

    @Test func schemesAreDifferentPlaces() {
        let replay = StandInReplay([
            "GET /me Authorization: Basic [redacted~1]", "GET /me Authorization: Bearer [redacted~2]",
        ])
        #expect(replay(Self.me("A")) == 1)
        #expect(replay("GET /me Authorization: basic B") == 0)
    }

    @Test func standInCanTakeThePlaceOfTheScheme() {
        let lines = ["[redacted~1]", "[redacted~2]"].map { "GET /me Authorization: \($0)" }
        let replay = StandInReplay(lines + ["GET /me?t=[redacted~2]", "GET /me?t=[redacted~1]"])
        #expect(["A", "B", "A"].map { replay(Self.me($0)) } == [0, 1, 0])
        #expect(replay("GET /me?t=A") == 3)
        #expect(replay(Self.me("[redacted~2]")) == 1)
    }

    @Test func cookiesAreFoundByName() {
        let replay = StandInReplay([
            "GET /me Cookie: sid=[redacted~1]; theme=dark", "GET /me Cookie: theme=dark; sid=[redacted~2]",
        ])
        #expect(replay("GET /me Cookie: theme=light; sid=A") == 0)
        #expect(replay("GET /me Cookie: sid=B") == 1)
        #expect(replay("GET /me Cookie: sid=A; theme=x") == 0)
    }

    @Test func parametersOfCredentialsAreFoundByName() {
        let replay = StandInReplay([
            "GET /o Authorization: AWS4-HMAC-SHA256 Credential=[redacted~1]/20260101/s3, Signature=[redacted~2]",
            "GET /o Authorization: AWS4-HMAC-SHA256 Credential=[redacted~3]/20260101/s3, Signature=[redacted~2]",
        ])
        #expect(replay("GET /o Authorization: AWS4-HMAC-SHA256 Signature=x, Credential=A/20260101/s3") == 0)
        #expect(replay("GET /o Authorization: AWS4-HMAC-SHA256 Signature=y, Credential=B/20260101/s3") == 1)
        #expect(replay("GET /o Authorization: AWS4-HMAC-SHA256 Signature=z, Credential=A/20260101/s3") == 0)
    }

    @Test(arguments: [
        ("GET /u/%/x", ["a", "b"]),
        ("GET /a?t=%&p=1", ["a", "b%2Fc"]),
        ("POST /a Content-Type: application/x-www-form-urlencoded | p=1&t=%", ["a", "b%2F"]),
        ("POST /a Content-Type: application/json | {\"t\": \"x-%\", \"p\": [1]}", ["a", "b"]),
        ("POST /a Content-Type: text/plain | token %!", ["a", "b c"]),
        (
            "POST /a Content-Type: multipart/form-data;boundary=x | "
                + "--x\r\nContent-Disposition: form-data; name=t\r\n\r\n%\r\n--x--", ["a", "bcd"]
        ),
        ("GET /a X-Api-Key: %", ["a", "b"]),
    ])
    func valuesAreFoundInEveryPart(request: String, values: [String]) {
        func line(_ value: String) -> String {
            request.split(separator: "%", omittingEmptySubsequences: false).joined(separator: value)
        }
        let replay = StandInReplay(["[redacted~1]", "[redacted~2]", "[redacted~1]"].map(line))
        #expect(replay.index.standIns.choices.count == 1)
        #expect([0, 1, 0, 1].map { replay(line(values[$0])) } == [0, 1, 2, 1])
    }

    @Test func valueIsTheSameInEverySpelling() {
        let replay = StandInReplay([
            "GET /a?t=[redacted~1]", "GET /a?t=[redacted~2]", Self.me("[redacted~2]"), Self.me("[redacted~1]"),
        ])
        #expect(replay("GET /a?t=x%2By%3D") == 0)
        #expect(replay(Self.me("x+y=")) == 3)
    }

    @Test func numbersDoNotChangeTheLookup() {
        let replay = StandInReplay(["GET /a?t=[redacted~2]&t=[redacted~1]&b=1", "GET /a?b=1&t=[redacted~3]&t=x"])
        #expect(replay("GET /a?b=1&t=y&t=z") == 0)
        #expect(replay("GET /a?b=1&t=x&t=z") == 0)
        #expect(StandInReplay(["GET /a?t=[redacted~1]"])("GET /a?u=1") == nil)
    }

    @Test func namesOfRulesDistinguishRequests() {
        let texts = ["[redacted:a~1]", "[redacted:b~2]", "[redacted:a~3]"]
        let replay = StandInReplay(texts, texts.map { "GET /a?t=\($0)" })
        #expect(replay.index.standIns.choices.map(\.sequences.count) == [2])
        #expect(["x", "y"].map { replay("GET /a?t=\($0)") } == [0, 2])
    }

    @Test func markersWithoutNumberBindNothing() {
        let texts = ["[redacted]", "[redacted~1]"]
        let replay = StandInReplay(texts, ["GET /a?t=[redacted]", "GET /a?t=[redacted~1]", "GET /a?t=[redacted~1]"])
        #expect(["x", "x", "y", "x"].map { replay("GET /a?t=\($0)") } == [0, 1, 0, 2])
    }

    @Test func textsThatAreNotListedAreLiteral() {
        let replay = StandInReplay(["[redacted~1]"], ["GET /a?t=[redacted~2]", "GET /b?t=[redacted]"])
        #expect(replay("GET /a?t=x") == nil)
        #expect(replay("GET /b?t=x") == nil)
        #expect(replay("GET /a?t=%5bredacted~2%5d") == 0)
        #expect(replay("GET /b?t=[redacted]") == 1)
    }

    @Test func literalsAreCompared() {
        let texts = ["[redacted]", "[redacted~1]"]
        let replay = StandInReplay(
            texts,
            literals: ["[redacted~1]": "[redacted:x]"],
            [
                "GET /[redacted~1]/[redacted]?t=[redacted~1]&u=[redacted]",
                "POST /a Content-Type: application/json | {\"t\": \"[redacted~1]\"}",
            ]
        )
        #expect(replay("GET /%5Bredacted:x%5D/1?t=[redacted:x]&u=2") == 0)
        #expect(replay("GET /[redacted~1]/1?t=[redacted:x]&u=2") == nil)
        #expect(replay("GET /[redacted:x]/1?t=y&u=2") == nil)
        #expect(replay("POST /a Content-Type: application/json | {\"t\": \"[redacted:x]\"}") == 1)
        #expect(replay("POST /a Content-Type: application/json | {\"t\": \"x\"}") == nil)
    }

    @Test func shapesAreFoundInEverySpelling() {
        let texts = ["ab+cd/efgh12==", "7391"]
        let replay = StandInReplay(
            texts,
            [
                "GET /a/ab+cd%2Fefgh12%3D%3D", "GET /b?t=ab%2Bcd%2Fefgh12==", "GET /c/7391/x17391",
                #"POST /d Content-Type: application/json | {"t": "ab+cd\/efgh12\u003d=", "n": "{\"u\":\"ab+cd\\/efgh12==\"}"}"#,
            ]
        )
        #expect(replay("GET /a/x") == 0)
        #expect(replay("GET /b?t=y") == 1)
        #expect(replay("GET /c/1/x17391") == 2)
        #expect(replay("GET /c/1/x1") == nil)
        #expect(replay(#"POST /d Content-Type: application/json | {"n": "{\"u\":\"z\"}", "t": "x"}"#) == 3)
    }

    @Test func recordingOfOneUserNeedsNoChoice() {
        let replay = StandInReplay([Self.me("[redacted~1]"), Self.me("[redacted~1]"), "GET /a?t=[redacted~2]"])
        #expect(replay.index.standIns.choices.isEmpty)
    }

    @Test func cassettesAreApart() {
        let one = StandInReplay(["GET /a?t=[redacted~1]", "GET /a?t=[redacted~2]"], file: "a")
        let other = StandInReplay(["GET /b?t=[redacted~1]", "GET /b?t=[redacted~2]"], file: "b")
        let index = FixtureIndex(entries: one.index.entries + other.index.entries)
        #expect(index.standIns.names.count == 6)
        let play = SequenceState(index)
        let lines = ["GET /a?t=A", "GET /a?t=B", "GET /b?t=B", "GET /b?t=A"]
        let fixtures = lines.map { line -> Int? in
            let request = OwnedRequest(line: line)
            guard case .hit(let sequence) = index.match(request) else { return nil }
            return play.take(sequence, for: request.view).turn.fixture
        }
        #expect(fixtures == [0, 1, 2, 3])
    }

    /// A request that the former index still answers binds for both.
    @Test func reloadSharesBindingsOfEqualTexts() {
        let former = StandInReplay(Self.twoUsers)
        let next = StandInReplay(["[redacted~3]", "[redacted~2]", "[redacted~1]"], Self.twoUsers, continuing: former)
        #expect(former(Self.me("A")) == 0)
        #expect(next(Self.me("B")) == 1)
        #expect(next(Self.me("A")) == 0)
        #expect(next.index.standIns.names.map(\.text) == ["[redacted~1]", "[redacted~2]", "[redacted~3]"])
    }

    @Test func textsThatAreGoneAreNoLongerOwn() {
        let former = StandInReplay(Self.twoUsers)
        let next = StandInReplay(["[redacted~1]", "[redacted~2]"], Self.twoUsers, file: "b", continuing: former)
        #expect(next.index.standIns.names.count == 5)
        #expect(next.index.standIns.numbers(withText: StandInValue(Array("[redacted~1]".utf8))).map(\.rawValue) == [3])
        #expect(former(Self.me("A")) == 0)
        #expect(next(Self.me("B")) == 0)
    }

    @Test func headersThatAreComparedAlsoChoose() {
        let options = MatchingOptions(headerNames: ["X-Tenant", "Authorization"])
        let replay = StandInReplay(
            ["[redacted~1]", "[redacted~2]"].map { "GET /a X-Tenant: 1¦Authorization: Bearer \($0)" },
            options: options
        )
        #expect(replay("GET /a X-Tenant: 2¦Authorization: Bearer A") == nil)
        #expect(replay("GET /a X-Tenant: 1¦Authorization: Bearer A") == 0)
        #expect(replay("GET /a X-Tenant: 1¦Authorization: Bearer B") == 1)
        #expect(replay("GET /a X-Tenant: 1") == nil)
    }

    @Test func ignoredPartsDoNotChoose() {
        var ignored = IgnoredParts()
        ignored.add(queryName: "nonce")
        let replay = StandInReplay(
            ["GET /a?nonce=[redacted~1]&t=[redacted~2]", "GET /a?nonce=[redacted~3]&t=[redacted~2]"],
            options: MatchingOptions(ignored: ignored)
        )
        #expect(replay.index.standIns.choices.isEmpty)
        #expect(["x", "y"].map { replay("GET /a?nonce=\($0)&t=A") } == [0, 1])
    }
}
