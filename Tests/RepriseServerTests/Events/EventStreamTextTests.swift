// SPDX-License-Identifier: Apache-2.0

import Foundation
import RepriseText
import Testing

@testable import RepriseServer

@Suite struct EventStreamTextTests {
    private static let id = ServerEvent.RequestID(loop: 1, number: 7)
    private static let time = Date(timeIntervalSince1970: 0)

    private static func text(_ kinds: ServerEvent.Kind..., lost: Int = 0) -> [String] {
        var text = EventStreamText(.standard)
        let events = kinds.enumerated().map { ServerEvent(number: $0 + 1, time: time, kind: $1) }
        let bytes = text.entries(EventQueue.Batch(events: events, lost: lost)).flatMap(\.text)
        return String(decoding: bytes, as: UTF8.self).components(separatedBy: "\n\n").dropLast()
            .map { $0.replacing(#""time": 0, "#, with: "") }
    }

    private static func line(_ text: String) -> ServerEvent.Kind { .request(id, line: Array(text.utf8)) }

    @Test func requestAndAnswerNameMethodAndURL() {
        let answer = AnswerEvent(status: 200, fixture: FixtureSource(file: "a.get.txt"), ordinal: 2, isMiss: false)
        let request = #""request": "1-7", "method": "GET", "url": "/a?b=1""#
        let expected = [
            "id: 1\nevent: request\ndata: {\(request)}",
            "id: 2\nevent: answer\ndata: {\(request), \"status\": 200, \"fixture\": \"a.get.txt\", \"ordinal\": 2}",
            "id: 3\nevent: completed\ndata: {\(request), \"milliseconds\": 1.5}",
            "id: 4\nevent: cut-off\ndata: {\"request\": \"1-7\"}",
        ]
        let found = Self.text(
            Self.line("GET /a?b=1 HTTP/1.1"),
            .answer(Self.id, answer),
            .completed(Self.id, after: .microseconds(1500)),
            .cutOff(Self.id)
        )
        #expect(found == expected)
    }

    @Test func missIsEventOfItsOwn() {
        let found = Self.text(.answer(Self.id, AnswerEvent(status: 404, ordinal: 0, isMiss: true)))
        #expect(found == ["id: 1\nevent: miss\ndata: {\"request\": \"1-7\", \"status\": 404}"])
    }

    @Test func forwardedAnswerNamesServer() {
        let answer = AnswerEvent(status: 201, ordinal: 0, server: "https://api.example.com", isMiss: false)
        #expect(Self.text(.answer(Self.id, answer))[0].contains(#""by": "https://api.example.com""#))
    }

    @Test func secretsInURLAreRedacted() {
        let found = Self.text(Self.line("GET /a?access_token=abcdefghijklmnop HTTP/1.1"))
        #expect(!found[0].contains("abcdefghijklmnop"))
        #expect(found[0].contains("/a?access_token="))
    }

    @Test func invalidRequestLineIsEscaped() {
        let found = Self.text(.request(Self.id, line: [0x22, 0x5C, 0x0B, 0xFF]))
        #expect(found.count == 1)
        #expect(!found[0].utf8.contains(0x0B))
    }

    @Test func changesHaveNamesAndData() {
        let problem = FixtureProblem(file: "a.json", location: FilePosition(line: 2, column: 3), message: "expected x")
        let found = Self.text(
            .changed(.reloaded(fixtures: 3)),
            .changed(.reloadFailed(FixtureProblems([problem]))),
            .changed(.reset()),
            .changed(.recordingStarted(path: "a.cassette.json")),
            .changed(.recordingFinished(path: "a.cassette.json"))
        )
        #expect(found[0] == "id: 1\nevent: reload\ndata: {\"fixtures\": 3}")
        let data = #"{"problems": [{"file": "a.json", "line": 2, "column": 3, "message": "expected x"}]}"#
        #expect(found[1] == "id: 2\nevent: reload-failed\ndata: \(data)")
        #expect(found[2].hasPrefix("id: 3\nevent: reset\n"))
        #expect(found[3] == "id: 4\nevent: recording-started\ndata: {\"path\": \"a.cassette.json\"}")
        #expect(found[4] == "id: 5\nevent: recording-finished\ndata: {\"path\": \"a.cassette.json\"}")
    }

    @Test func lostEventsAreCountedAfterTheOthers() {
        #expect(
            Self.text(.changed(.reloaded(fixtures: 1)), lost: 4).last == "id: 5\nevent: lost\ndata: {\"events\": 4}"
        )
    }
}
