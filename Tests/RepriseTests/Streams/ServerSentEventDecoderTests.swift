// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Reprise

/// The rules of WHATWG HTML section 9.2.6, one by one.
@Suite struct ServerSentEventDecoderTests {
    private func read(_ text: String) -> [ServerSentEvent] {
        StreamTranscript.events(Array(text.utf8)).elements
    }

    @Test(arguments: [
        ("data: x\n\n", ["x"]), ("data:x\n\n", ["x"]), ("data:  x\n\n", [" x"]), ("data:\tx \n\n", ["\tx "]),
        ("data: a\ndata: b\ndata:c\n\n", ["a\nb\nc"]), ("data\n\n", [""]), ("data:\n\n", [""]),
        ("data\ndata\n\n", ["\n"]),
        ("data: a\r\rdata: b\r\n\r\ndata: c\n\n", ["a", "b", "c"]), ("data: a: b\n\n", ["a: b"]),
        ("data: x\n\n\n\n\ndata: y\n\n", ["x", "y"]), (": ping\n\n:data: x\n\n", []), ("", []), ("\n\n", []),
        ("Data: x\n data: y\ndatas: z\ndat: a\ndata : b\n\n", []), ("event: e\n\n", []),
    ])
    func parsesData(stream: String, data: [String]) {
        #expect(read(stream).map(\.data) == data)
    }

    @Test func parsesAllFields() {
        let stream = ": c\nevent: add\nid: 7\nretry: 250\nnote: n\ndata: 1\ndata: 2\n\ndata: 3\n\n"
        let first = ServerSentEvent(name: "add", data: "1\n2", id: "7", retry: .milliseconds(250))
        #expect(read(stream) == [first, ServerSentEvent(data: "3", id: "7")])
    }

    @Test func usesLastEventTypeOfBlock() {
        #expect(read("event: a\nevent: b\ndata\n\nevent: c\nevent:\ndata\n\n").map(\.name) == ["b", "message"])
        #expect(read("event: a\n\ndata\n\n").map(\.name) == ["message"])
    }

    @Test(arguments: [
        ("id: 1\ndata\n\ndata\n\n", ["1", "1"]), ("id: 1\n\ndata\n\n", ["1"]),
        ("id: 1\ndata\n\nid\ndata\n\n", ["1", ""]),
        ("id: 1\nid: a\0b\ndata\n\n", ["1"]), ("id: 1\nid: 2\ndata\n\n", ["2"]),
        ("id:  \u{E9} \ndata\n\n", [" \u{E9} "]),
    ])
    func retainsLastEventID(stream: String, ids: [String]) {
        #expect(read(stream).map(\.id) == ids)
    }

    @Test(
        arguments: [
            ("0", .zero), ("007", .milliseconds(7)), ("3000", .seconds(3)),
            ("9223372036854775807", .milliseconds(Int64.max)),
            ("9223372036854775808", .milliseconds(Int64.max)), ("99999999999999999999999999", .milliseconds(Int64.max)),
            ("", nil), ("-1", nil), ("+1", nil), ("1.5", nil), ("1s", nil), ("0x1", nil), ("1 ", nil),
            ("\u{0663}", nil),
            ("99999999999999999999999999x", nil),
        ] as [(String, Duration?)]
    )
    func parsesRetryWithDigitsOnly(value: String, time: Duration?) throws {
        #expect(read("retry: \(value)\ndata\n\n").map(\.retry) == [time])
        var decoder = ServerSentEventDecoder()
        decoder.append(Array("retry: \(value)\n".utf8))
        #expect(try decoder.next() == nil)
        #expect(decoder.reconnectionTime == time)
    }

    @Test func skipsOneByteOrderMarkAtStart() {
        #expect(read("\u{FEFF}data: x\n\n").map(\.data) == ["x"])
        #expect(read("\u{FEFF}\u{FEFF}data: x\n\n").isEmpty)
        #expect(read("data: x\n\n\u{FEFF}data: y\n\n").map(\.data) == ["x"])
        #expect(read("\u{FEFF}\ndata: x\n\n").map(\.data) == ["x"])
    }

    @Test func discardsTruncatedEventAndReportsIt() {
        for stream in ["data: x", "data: x\n", "event: e\n", "id: 1\r\n", "da"] {
            var decoder = ServerSentEventDecoder()
            decoder.append(Array("data: whole\n\n\(stream)".utf8))
            decoder.finish()
            #expect(throws: Never.self) { try decoder.next() == ServerSentEvent(data: "whole") }
            #expect(throws: Never.self) { try decoder.next() == nil }
            #expect(decoder.isInsideEvent, "\(stream.debugDescription)")
        }
        for stream in ["", "data: x\n\n", ": c", ": c\n", "\n\n", "x: y\n"] {
            #expect(StreamTranscript.events(Array(stream.utf8)).rest.last == "false", "\(stream.debugDescription)")
        }
    }

    /// A client that reconnects must not skip an event that it never received.
    @Test func updatesLastEventIDAtEndOfBlock() throws {
        var decoder = ServerSentEventDecoder(lastEventID: "5")
        decoder.append(Array("data: x\n\nid: 6\ndata: y\n".utf8))
        #expect(try decoder.next() == ServerSentEvent(data: "x", id: "5"))
        #expect(try decoder.next() == nil)
        #expect(decoder.lastEventID == "5")
        decoder.append(Array("\nid: 7\n\n".utf8))
        #expect(try decoder.next() == ServerSentEvent(data: "y", id: "6"))
        #expect(try decoder.next() == nil)
        #expect(decoder.lastEventID == "7")
    }

    @Test func returnsEventAsSoonAsBlankLineArrives() throws {
        var decoder = ServerSentEventDecoder()
        decoder.append(Array("data: x\r\n\r".utf8))
        #expect(try decoder.next()?.data == "x")
        decoder.append(Array("\ndata: y\n\n".utf8))
        #expect(try decoder.next()?.data == "y")
    }

    @Test(arguments: [
        ("data: 12345678\n\n", 13, StreamDecodingError.Code.lineTooLong, 1),
        (": 12345678901234\n", 13, .lineTooLong, 1),
        ("data: 12\ndata: 45\n\ndata: 12\ndata: 45\ndata: 78\ndata\n\n", 8, .eventTooLong, 7),
        ("data\ndata\ndata\ndata\ndata\ndata\n", 4, .eventTooLong, 6),
    ])
    func rejectsEventOverLimit(text: String, limit: Int, code: StreamDecodingError.Code, line: Int) {
        for cuts in allSplits(of: text.utf8.count) {
            let transcript = StreamTranscript.events(Array(text.utf8), limit: limit, cuts: cuts)
            #expect(transcript.failure?.code == code)
            #expect(transcript.failure?.line == line)
            #expect(transcript.failure?.message.contains("\(limit)") == true)
        }
        #expect(StreamTranscript.events(Array(text.utf8), limit: 2 * limit).failure == nil)
    }
}
