// SPDX-License-Identifier: Apache-2.0

import Foundation
import RepriseAnswers
import RepriseText
import Testing

@testable import RepriseFixtures
@testable import RepriseStubAnswers

@Suite struct RecordedStubTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "reprise-\(UUID().uuidString)").path

    private static let cassette = """
        {"reprise": 1, "exchanges": [
          {"request": {"method": "POST", "url": "https://api.example.com/v1/chat"},
           "response": {"status": "200 OK",
             "headers": ["Content-Type: text/event-stream", "Transfer-Encoding: chunked"],
             "stream": [{"text": "data: 1\\n\\nda"}, {"text": "ta: 2\\n\\n"}, {"end": "complete"}]}},
          {"request": {"method": "GET", "url": "https://api.example.com/a"}, "response": {"status": "200 OK"}},
          {"request": {"method": "GET", "url": "https://api.example.com/a"}, "response": {"status": "204 No Content"}}
        ]}
        """

    /// Returns the plan of the stub in a mapping file with a response.
    private func plan(_ response: String) throws -> ResponsePlan? { try answer(response)?.plan }

    /// Returns the answer of the stub in a mapping file with a response.
    private func answer(_ response: String) throws -> StubAnswer? {
        let mappings = folder + "/mappings"
        try FileManager.default.createDirectory(atPath: mappings, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try Data(Self.cassette.utf8).write(to: URL(filePath: folder + "/chat.cassette.json"))
        let mapping = #"{"request": {"url": "/x"}, "response": \#(response)}"#
        try Data(mapping.utf8).write(to: URL(filePath: mappings + "/x.json"))
        return try FixtureLoader.load([mappings]).stubs.first?.answer
    }

    private func words(_ plan: ResponsePlan?) -> String {
        (plan?.steps ?? []).compactMap { step in
            switch step {
            case .bytes(.bytes(let bytes)): String(decoding: bytes, as: UTF8.self).replacing("\n", with: "_")
            case .end(let ending): ending.rawValue
            case .head(let head): "\(head.status)"
            default: nil
            }
        }.joined(separator: "|")
    }

    @Test(
        arguments: [
            (#""#, "200|data: 1__da|ta: 2__|complete"),
            (#"{"afterEvent": 1, "then": "reset"}"#, "200|data: 1__|reset"),
            (#"{"afterEvent": 1, "then": "truncate"}"#, "200|data: 1__|truncated"),
            (#"{"event": 1, "then": "stall"}"#, "200|timeout"),
            (#"{"event": 2, "drop": true}"#, "200|data: 1__|complete"),
            (#"{"event": 2, "replace": "X"}"#, "200|data: 1__|X|complete"),
            (#"{"event": 1, "repeat": 2}"#, "200|data: 1__|data: 1__|da|ta: 2__|complete"),
            (#"{"afterEvent": 2, "insert": "event: error\n\n"}"#, "200|data: 1__da|ta: 2__|event: error__|complete"),
            (#"{"afterByte": 3, "then": "reset"}"#, "200|dat|reset"),
            (#"{"afterLine": 1, "then": "reset"}"#, "200|data: 1_|reset"),
            (#"{"rechunk": 9}"#, "200|data: 1__|data: 2__|complete"),
            (#"{"body": "no"}"#, "200|no|complete"),
            (#"{"event": 2, "replace": {"base64": "WA=="}}"#, "200|data: 1__|X|complete"),
            (#"{"status": 529, "header": "Retry-After: 2"}"#, "529|data: 1__da|ta: 2__|complete"),
        ]
    )
    func playsRecordingWithEdits(bend: String, expected: String) throws {
        let response = #"{"recorded": "../chat.cassette.json#POST /v1/chat", "bend": [\#(bend)]}"#
        #expect(words(try plan(response)) == expected)
    }

    @Test func firstAnswersHaveTheirOwnEdits() throws {
        let bends = #"{"answers": 2, "status": 529, "body": "busy"}, {"answers": 1, "then": "reset"}"#
        let answer = try #require(try answer(#"{"recorded": "../chat.cassette.json#1", "bend": [\#(bends)]}"#))
        #expect((1...3).map { words(answer.plan(ofFirstAnswer: $0)) } == ["529|reset", "529|busy|complete", ""])
        #expect(words(answer.plan) == "200|data: 1__da|ta: 2__|complete")
    }

    @Test func numberNamesExchange() throws {
        #expect(words(try plan(#"{"recorded": "../chat.cassette.json#3"}"#)) == "204|complete")
    }

    @Test(
        arguments: [
            (#""recorded": "chat.cassette.json#1""#, "cannot play 'chat.cassette.json#1'"),
            (#""recorded": "../chat.cassette.json""#, "expected a recorded answer such as"),
            (#""recorded": "../chat.cassette.json#4""#, "expected the exchange '4' in '../chat.cassette.json', found"),
            (#""recorded": "../chat.cassette.json#0""#, "expected the exchange '0' in '../chat.cassette.json', found"),
            (
                #""recorded": "../chat.cassette.json#-9223372036854775808""#,
                "expected the exchange '-9223372036854775808' in '../chat.cassette.json', found"
            ),
            (
                #""recorded": "../chat.cassette.json#GET /a""#,
                "found 2; use its number, such as '../chat.cassette.json#2'"
            ),
            (
                #""recorded": "../chat.cassette.json#1", "bend": [{"afterEvent": 9, "then": "reset"}]"#,
                "expected event 9, but the response has 2"
            ),
            (
                #""recorded": "../chat.cassette.json#1", "bend": [{"afterTime": 9, "then": "reset"}]"#,
                "expected a time before the response ends, after 0.0 seconds"
            ),
            (
                #""recorded": "../chat.cassette.json#1", "bend": [{"answers": 1, "event": 9, "drop": true}]"#,
                "expected event 9, but the response has 2"
            ),
        ]
    )
    func rejectsRecordingThatCannotPlay(fields: String, message: String) {
        let error = #expect(throws: FixtureProblems.self) { _ = try plan("{\(fields)}") }
        #expect(error?.problems.first?.message.contains(message) == true)
        #expect(error?.problems.first?.location != nil)
    }
}
