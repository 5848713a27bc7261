// SPDX-License-Identifier: Apache-2.0

import Foundation
import RepriseLocking
import RepriseTestSupport
import Testing

@testable import RepriseCassettes
@testable import RepriseRecording
@testable import RepriseText

/// The received part of an exchange is kept if the process ends before the exchange does.
@Suite struct UnfinishedExchangeTests {
    private let folder = try! TemporaryFolder()
    private var append: CassetteRecorder.Configuration { .ticking(mode: .append) }

    /// Begins an exchange whose response has not ended.
    private func begin(
        _ recorder: CassetteRecorder,
        _ path: String,
        type: String = "text/event-stream",
        pieces: [String]
    ) -> ExchangeRecording {
        let recording = recorder.begin(ScriptedExchange.get(path).request, at: .zero)
        recording.requestEnd(at: .milliseconds(1))
        let headers = ["Content-Type: \(type)", "Transfer-Encoding: chunked"].compactMap { HeaderLine($0) }
        recording.head(status: 200, reason: "OK", headers: headers, at: .milliseconds(3))
        for (number, piece) in pieces.enumerated() {
            recording.bytes(Array(piece.utf8), endsChunk: true, at: .milliseconds(4 + number))
        }
        return recording
    }

    /// The events of the stream with this number in the cassette.
    private func events(_ number: Int) throws -> [StreamStep.Event] {
        guard case .response(let response) = try folder.exchanges()[number].outcome,
            case .stream(let steps) = response.content
        else { return [] }
        return steps.map(\.event)
    }

    private func copy() throws -> TemporaryFolder {
        let copy = try TemporaryFolder()
        for name in folder.names() {
            try FileManager.default.copyItem(atPath: "\(folder.path)/\(name)", toPath: "\(copy.path)/\(name)")
        }
        return copy
    }

    /// The value is in the URL of the stream. A request names it while the stream goes on.
    @Test(arguments: [false, true])
    func removesNamedValueFromHead(isFirst: Bool) throws {
        let recorder = try CassetteRecorder(folder.cassette, configuration: append)
        var login = ScriptedExchange.get("/login")
        if !isFirst {
            login.requestHeaders = ["Authorization: Bearer Zx81QwLk22TtYb7P"]
            recorder.record(login)
        }
        let recording = begin(recorder, "/items/kJ8sQ2pX9vLm", pieces: ["data: a\n\n", "data: b\n\n"])
        recorder.saveLongRunning(includingNew: true)
        #expect(try folder.text("a.cassette.json.recording-log").contains("kJ8sQ2pX9vLm"))
        login.requestHeaders = ["Authorization: Bearer kJ8sQ2pX9vLm"]
        recorder.record(login)
        #expect(try !folder.text("a.cassette.json.recording-log").contains("kJ8sQ2pX9vLm"))
        recording.end(.complete, at: .milliseconds(9))
    }

    @Test(arguments: ["text/event-stream", "text/plain"])
    func keepsWhatWasSaved(type: String) throws {
        let recorder = try CassetteRecorder(folder.cassette, configuration: append)
        recorder.record(.get("/1"))
        let recording = begin(recorder, "/2", type: type, pieces: ["data: a\n\n", "data: b\n\n"])
        recorder.record(.get("/3"))
        recorder.saveLongRunning(includingNew: true)
        recording.bytes(Array("data: c\n\n".utf8), endsChunk: true, at: .milliseconds(9))
        recorder.saveLongRunning()
        // As if the process ended here: the copy has no recorder.
        let crashed = try copy()
        let notes = try crashed.record(configuration: append).notes
        #expect(notes.first?.contains("recovered 3 exchanges") == true)
        #expect(notes.last?.contains("1 of these exchanges had not ended") == true)
        #expect(try crashed.exchanges().map(\.request.url.last) == ["1", "2", "3"])
        guard case .response(let response) = try crashed.exchanges()[1].outcome,
            case .stream(let steps) = response.content
        else {
            Issue.record("expected a stream")
            return
        }
        // From the end of the request to the head.
        #expect(response.delay == .milliseconds(2))
        let data = steps.dropLast().flatMap { step in
            if case .bytes(let bytes) = step.event { bytes } else { [UInt8]() }
        }
        // A secret could go on in the event after the last one, which is therefore not decided. Short text is scanned
        // as a whole, so nothing of it is decided before its end.
        let isWhole = type == "text/plain"
        #expect(String(decoding: data, as: UTF8.self) == (isWhole ? "" : "data: a\n\ndata: b\n\n"))
        #expect(steps.last?.event == .end(.reset))
        if !isWhole { #expect(steps.first?.after == .milliseconds(1)) }
        #expect(crashed.names() == ["a.cassette.json"])
        _ = recording
    }

    /// Without a call by the test. It begins again after all streams have ended.
    @Test(.timeLimit(.minutes(1))) func savesRegularlyWhileStreamsGoOn() async throws {
        let recorder = try CassetteRecorder(folder.cassette, configuration: append)
        let log = "a.cassette.json.recording-log"
        for path in ["/first", "/second"] {
            let recording = begin(recorder, path, pieces: ["data: a\n\n", "data: b\n\n"])
            #expect(try !folder.text(log).contains(path))
            while try !folder.text(log).contains(path), !Task.isCancelled { await Task.yield() }
            #expect(try copy().record(configuration: append).notes.last?.contains("1 of these") == true)
            recording.end(.complete, at: .seconds(1))
            while recorder.state.withLock({ $0.longRunning.isSaving }), !Task.isCancelled { await Task.yield() }
        }
        #expect(recorder.summary.exchanges == 2)
    }

    /// Saving changes nothing in what is recorded.
    @Test(arguments: ["text/event-stream", "text/plain"], [2, 9000])
    func recordsTheSameIfSaved(type: String, count: Int) throws {
        var texts: [String] = []
        for saves in [false, true] {
            let recorder = try CassetteRecorder(folder.cassette, configuration: .ticking())
            let recording = begin(recorder, "/1", type: type, pieces: (0..<count).map { "data: \($0)\n\n" })
            if saves { recorder.saveLongRunning(includingNew: true) }
            recording.bytes(Array("data: end\n\n".utf8), endsChunk: true, at: .seconds(20))
            if saves { recorder.saveLongRunning() }
            recording.end(.complete, at: .seconds(21))
            #expect(try folder.text("a.cassette.json.recording-log").contains("isOpen") == false)
            // Saved parts are removed when the exchange ends, not only when the recording ends.
            let place = try #require(recorder.log?.places.last)
            let entry = try #require(try recorder.log?.entry(at: place))
            #expect(Set(folder.names("a.cassette.bodies")) == Set(entry.files))
            _ = try recorder.finish()
            texts.append(try folder.everything())
        }
        #expect(texts[0] == texts[1])
    }

    @Test func forgetsDiscardedExchange() throws {
        var recorder: CassetteRecorder? = try CassetteRecorder(folder.cassette, configuration: append)
        var recording = recorder.map { begin($0, "/1", pieces: ["data: a\n\n"]) }
        recorder?.saveLongRunning(includingNew: true)
        #expect(folder.names("a.cassette.bodies").count == 2)
        recording?.discard()
        #expect(folder.names("a.cassette.bodies").isEmpty)
        (recorder, recording) = (nil, nil)
        try folder.record(.get("/2"), configuration: append)
        #expect(try folder.exchanges().map(\.request.url.last) == ["2"])
    }

    /// The process can end between two writes.
    @Test func keepsBytesWithoutTimes() throws {
        let recorder = try CassetteRecorder(folder.cassette, configuration: append)
        let recording = begin(recorder, "/1", pieces: ["data: a\n\n", "data: b\n\n"])
        recorder.saveLongRunning(includingNew: true)
        let pace = "a.cassette.bodies/0.pace.part"
        for count in 0...2 {
            let crashed = try copy()
            let bytes = try Data(contentsOf: URL(fileURLWithPath: "\(folder.path)/\(pace)"))
            try crashed.write(Array(bytes.prefix(count)), to: pace)
            try crashed.record(configuration: append)
            let text = try crashed.everything()
            #expect(text.contains("data: a\\n\\n"))
            #expect(text.contains("data: b\\n\\n") == true)
            #expect(try crashed.exchanges().count == 1)
        }
        _ = recording
    }

    /// The bytes on the disk decide: a time without its bytes is left out, and the last bytes are what there is.
    @Test(arguments: [
        (0, []), (9, ["data: a\n\n"]), (12, ["data: a\n\n", "dat"]), (18, ["data: a\n\n", "data: b\n\n"]),
        (20, ["data: a\n\n", "data: b\n\n", "da"]),
    ])
    func keepsTimesOfBytes(count: Int, expected: [String]) throws {
        let recorder = try CassetteRecorder(folder.cassette, configuration: append)
        let recording = begin(recorder, "/1", pieces: ["a", "b", "c", "d"].map { "data: \($0)\n\n" })
        recorder.saveLongRunning(includingNew: true)
        let crashed = try copy()
        let name = "a.cassette.bodies/0.response.part"
        let bytes = Array(try crashed.text(name).utf8)
        try #require(bytes.count > 20)
        try crashed.write(Array(bytes.prefix(count)), to: name)
        try crashed.record(configuration: append)
        guard case .response(let response) = try #require(try crashed.exchanges().first).outcome,
            case .stream(let steps) = response.content
        else {
            Issue.record("expected a stream")
            return
        }
        #expect(steps.map(\.event) == expected.map { .bytes(Array($0.utf8)) } + [.end(.reset)])
        _ = recording
    }

    /// A short response is not saved before it ends, and a stream is.
    @Test(arguments: [("text/plain", 1, false), ("text/plain", 2, true), ("text/event-stream", 1, true)])
    func onlyLongResponseIsSaved(type: String, count: Int, isSaved: Bool) throws {
        let recorder = try CassetteRecorder(folder.cassette, configuration: append)
        let recording = begin(recorder, "/1", type: type, pieces: Array(repeating: "data: a\n\n", count: count))
        #expect(recorder.state.withLock { $0.longRunning.isEmpty } == !isSaved)
        recorder.saveLongRunning(includingNew: true)
        #expect(try folder.text("a.cassette.json.recording-log").contains("isOpen") == isSaved)
        recording.end(.complete, at: .seconds(1))
        #expect(recorder.saveLongRunning(includingNew: true) == false)
        #expect(recorder.state.withLock { $0.longRunning.isEmpty })
    }

    /// The first turn after its beginning does not save it, and what it receives meanwhile does not begin it anew.
    @Test func streamIsSavedFromSecondTurnOn() throws {
        let recorder = try CassetteRecorder(folder.cassette, configuration: append)
        let log = "a.cassette.json.recording-log"
        let recording = begin(recorder, "/1", pieces: ["data: a\n\n", "data: b\n\n"])
        #expect(recorder.saveLongRunning())
        #expect(try !folder.text(log).contains("isOpen"))
        recording.bytes(Array("data: c\n\n".utf8), endsChunk: true, at: .seconds(1))
        let other = begin(recorder, "/2", pieces: ["data: a\n\n", "data: b\n\n"])
        #expect(recorder.saveLongRunning())
        #expect(try folder.text(log).contains("http://example.com/1"))
        #expect(try !folder.text(log).contains("http://example.com/2"))
        recording.end(.complete, at: .seconds(2))
        #expect(recorder.saveLongRunning())
        #expect(try folder.text(log).contains("http://example.com/2"))
        other.discard()
        #expect(!recorder.saveLongRunning())
    }

    /// Once the recording is over, nothing is saved, and nothing waits to be.
    @Test func savingEndsWithRecording() throws {
        let recorder = try CassetteRecorder(folder.cassette, configuration: append)
        recorder.record(.get("/0"))
        let recording = begin(recorder, "/1", pieces: ["data: a\n\n", "data: b\n\n"])
        let notes = try recorder.finish().notes
        #expect(notes == ["1 exchange had not ended when the recording ended, and was left out"])
        #expect(!recorder.saveLongRunning(includingNew: true))
        #expect(!recorder.state.withLock { $0.longRunning.isSaving })
        #expect(folder.names() == ["a.cassette.json"])
        _ = recording
    }

    /// A secret that is not redacted yet stays in memory.
    @Test func savesNothingUndecided() throws {
        let recorder = try CassetteRecorder(folder.cassette, configuration: append)
        let key = "sk-proj-Ab3dEf6hIj9kLm2nOp5qRs8tUv1w"
        let recording = begin(recorder, "/1", pieces: ["data: a\n\n", "data: \(key.prefix(20))"])
        recorder.saveLongRunning(includingNew: true)
        #expect(try !folder.everything().contains(key.prefix(20)))
        recording.bytes(Array("\(key.dropFirst(20))\n\n".utf8), endsChunk: true, at: .seconds(2))
        recorder.saveLongRunning()
        #expect(try !folder.everything().contains(key.prefix(12)))
        recording.end(.complete, at: .seconds(3))
        _ = try recorder.finish()
        #expect(try events(0).count == 4)
        #expect(try !folder.everything().contains(key.prefix(12)))
    }

    /// The secret is named while the stream that mentions it goes on, and then the process ends.
    @Test func removesSecretNamedLater() throws {
        let secret = "q7Hd0pLx93Zb-kT4mWvN"
        let recorder = try CassetteRecorder(folder.cassette, configuration: append)
        let recording = begin(recorder, "/1", pieces: ["data: \(secret)\n\n", "data: b\n\n"])
        recorder.saveLongRunning(includingNew: true)
        var naming = ScriptedExchange.get("/2")
        naming.requestHeaders = ["Authorization: Bearer \(secret)"]
        recorder.record(naming)
        let crashed = try copy()
        try crashed.record(configuration: append)
        #expect(try !crashed.everything().contains(secret))
        #expect(try crashed.everything().contains("data: [redacted~"))
        recording.end(.complete, at: .seconds(3))
        _ = try recorder.finish()
        #expect(try !folder.everything().contains(secret))
    }

    /// The recorder that continues knows only a fingerprint of the value, which is in the URL of a stream.
    @Test func removesValueOfInterruptedRecordingFromHead() throws {
        let secret = "kJ8sQ2pX9vLm"
        var recorder: CassetteRecorder? = try CassetteRecorder(folder.cassette, configuration: append)
        var login = ScriptedExchange.get("/login")
        login.requestHeaders = ["Authorization: Bearer \(secret)"]
        recorder?.record(login)
        recorder = nil
        let next = try CassetteRecorder(folder.cassette, configuration: append)
        let recording = begin(next, "/items/\(secret)", pieces: ["data: a\n\n", "data: b\n\n"])
        next.saveLongRunning(includingNew: true)
        let log = try folder.text("a.cassette.json.recording-log")
        #expect(log.contains("/items/[redacted~"))
        #expect(!log.contains(secret))
        recording.end(.complete, at: .milliseconds(9))
    }

    /// Without a response, there is nothing to play.
    @Test func endWithoutResponseLeavesNothing() throws {
        let recorder = try CassetteRecorder(folder.cassette, configuration: .ticking())
        let recording = recorder.begin(RecordedRequest(method: "POST", url: "http://example.com/1"), at: .zero)
        recording.requestBytes([UInt8](repeating: 0x78, count: 200_000))
        recording.requestEnd(at: .milliseconds(1))
        recording.end(.complete, at: .milliseconds(2))
        #expect(!recording.isRunning)
        recorder.record(.get("/2"))
        let summary = try recorder.finish()
        #expect(summary.exchanges == 1)
        #expect(summary.notes == [])
        #expect(folder.names() == ["a.cassette.json"])
    }

    /// Another thread records while the recording ends.
    @Test(.timeLimit(.minutes(1))) func countsOnlyExchangesThatAreWritten() async throws {
        let recorder = try CassetteRecorder(folder.cassette, configuration: .ticking())
        let other = Task.detached {
            var number = 0
            while !Task.isCancelled {
                recorder.record(.get("/\(number)"))
                number += 1
            }
        }
        while recorder.summary.exchanges < 50, !Task.isCancelled { await Task.yield() }
        let summary = try recorder.finish()
        other.cancel()
        await other.value
        #expect(try folder.exchanges().count == summary.exchanges)
        #expect(recorder.summary == summary)
        #expect(folder.names() == ["a.cassette.json"])
    }

    @Test func keepsRequestOfSavedExchange() throws {
        let recorder = try CassetteRecorder(folder.cassette, configuration: append)
        let headers = [HeaderLine(name: "Content-Type", value: "text/plain")]
        let request = RecordedRequest(method: "POST", url: "http://example.com/1", headers: headers)
        let recording = recorder.begin(request, at: .zero)
        recording.requestBytes(Array("question".utf8))
        recording.requestTrailers([HeaderLine(name: "X-Sum", value: "7")])
        recording.requestEnd(at: .milliseconds(1))
        let lines = [HeaderLine(name: "Content-Type", value: "text/event-stream")]
        recording.head(status: 200, reason: "OK", headers: lines, at: .milliseconds(2))
        recording.bytes(Array("data: a\n\n".utf8), endsChunk: true, at: .milliseconds(3))
        recorder.saveLongRunning(includingNew: true)
        let crashed = try copy()
        try crashed.record(configuration: append)
        let recovered = try #require(try crashed.exchanges().first?.request)
        #expect(recovered.body == RecordedBody(.bytes(Array("question".utf8))))
        #expect(recovered.trailers == [HeaderLine(name: "X-Sum", value: "7")])
        _ = recording
    }
}
