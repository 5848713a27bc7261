// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import Reprise

@Suite struct JSONLineDecoderTests {
    struct Entry: Codable, Equatable, Sendable {
        var id: Int
        var tags: [String]?
        var place: Place?

        struct Place: Codable, Equatable, Sendable {
            var latitude: Double
        }
    }

    private func read(_ text: String, cuts: [Int] = []) -> StreamTranscript<Entry> {
        StreamTranscript(JSONLineDecoder(as: Entry.self), Array(text.utf8), cuts: cuts)
    }

    @Test(arguments: [
        "{\"id\":1}\n{\"id\":2}\n", "{\"id\":1}\r\n{\"id\":2}", "\n \t\n{\"id\":1}\n\n\r\n{\"id\": 2} \n \n\n",
        "{\"id\":\r1}\r\n\r\n{\"id\":2}\r", "\u{FEFF}{\"id\":1}\n{\"id\":2}\n", "\u{FEFF}\n{\"id\":1}\n{\"id\":2}",
    ])
    func decodesNonblankLines(text: String) {
        for cuts in allSplits(of: text.utf8.count) {
            let transcript = read(text, cuts: cuts)
            #expect(transcript.elements == [Entry(id: 1), Entry(id: 2)])
            #expect(transcript.failure == nil)
        }
    }

    @Test func decodesWithCustomDecoder() throws {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        var lines = JSONLineDecoder(as: Date.self, decoder: decoder)
        lines.append(Array("\"1970-01-01T00:00:07Z\"\n".utf8))
        #expect(try lines.next() == Date(timeIntervalSince1970: 7))
    }

    /// A line need not be an object, and its text may contain any character.
    @Test func decodesStringsWithAnyCharacter() {
        let text = "\"\u{1F600}\\n\u{2028}\"\n\"\"\n"
        for cuts in allSplits(of: text.utf8.count) {
            let transcript = StreamTranscript(JSONLineDecoder(as: String.self), Array(text.utf8), cuts: cuts)
            #expect(transcript.elements == ["\u{1F600}\n\u{2028}", ""])
        }
    }

    @Test(arguments: [
        ("{\"id\":\"x\"}", ["at id: expected Int", "the line begins: {\"id\":\"x\"}"]),
        ("{}", ["expected the key \"id\"", "the line begins: {}"]),
        ("{\"id\":1,\"tags\":[\"a\",null]}", ["at tags[1]: expected String, found null"]),
        ("{\"id\":1,\"place\":{\"latitude\":true}}", ["at place.latitude: expected Double"]),
        ("{\"id\":1", ["not valid JSON", "the line begins: {\"id\":1"]), ("x", ["not valid JSON", "begins: x"]),
        ("{\u{1B}}", ["begins: { }"]), ("null", ["at the top level"]),
    ])
    func errorNamesUndecodableLine(line: String, words: [String]) throws {
        let transcript = read("{\"id\":1}\n\n\(line)\n{\"id\":2}\n")
        #expect(transcript.elements == [Entry(id: 1)])
        let failure = try #require(transcript.failure)
        #expect(failure.code == .invalidJSON)
        #expect(failure.line == 3)
        for word in ["cannot decode Entry from line 3: "] + words {
            #expect(failure.message.contains(word), "\(word.debugDescription) in \(failure.message)")
        }
    }

    @Test func preservesUnderlyingDecodingError() throws {
        var decoder = JSONLineDecoder(as: Entry.self)
        decoder.append(Array("{}\n".utf8))
        let error = #expect(throws: StreamDecodingError.self) { try decoder.next() }
        #expect(error?.underlying is DecodingError)
        #expect(error.map { "\($0)" }?.hasPrefix("invalidJSON: cannot decode Entry from line 1: at ") == true)
    }

    @Test func errorTruncatesLongLine() throws {
        let transcript = read(String(repeating: "\u{E9}", count: 1000))
        let message = try #require(transcript.failure?.message)
        #expect(message.contains(String(repeating: "\u{E9}", count: 150) + "… (2000 bytes)"))
        #expect(message.utf8.count < 600)
    }

    @Test func rejectsLineOverLimit() {
        let decoder = JSONLineDecoder(as: Entry.self, maxLineLength: 8)
        let transcript = StreamTranscript(decoder, Array("{\"id\":1}\n{\"id\":10}\n".utf8))
        #expect(transcript.elements == [Entry(id: 1)])
        #expect(transcript.failure?.code == .lineTooLong)
        #expect(transcript.failure?.line == 2)
    }
}
