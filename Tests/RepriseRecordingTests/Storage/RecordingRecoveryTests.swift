// SPDX-License-Identifier: Apache-2.0

import Foundation
import RepriseHashing
import RepriseTestSupport
import Testing

@testable import RepriseCassettes
@testable import RepriseRecording
@testable import RepriseText

/// Recovery of interrupted recordings.
@Suite struct RecordingRecoveryTests {
    private let folder = try! TemporaryFolder()
    private let append = CassetteRecorder.Configuration.ticking(mode: .append)

    private func urls() throws -> [String] {
        try folder.exchanges().map { String($0.request.url.dropFirst("http://example.com".count)) }
    }

    @Test(arguments: RecordingMode.allCases)
    func recoversExchangesOfUnfinishedRecording(mode: RecordingMode) throws {
        var recorder: CassetteRecorder? = try CassetteRecorder(folder.cassette, configuration: .ticking(mode: mode))
        var stream = ScriptedExchange(url: "http://example.com/2")
        stream.pieces = (0..<2000).map { .init("\($0)" + String(repeating: "x", count: 100)) }
        stream.ending = .reset
        recorder?.record(.get("/1", String(repeating: "y", count: 100_000)))
        recorder?.record(stream)
        var open = recorder?.begin(ScriptedExchange.get("/3").request, at: .zero)
        open?.requestBytes([UInt8](repeating: 65, count: 200_000))
        open?.requestBytes([UInt8](repeating: 65, count: 200_000))
        #expect(folder.names("a.cassette.bodies").contains("2.request.part"))
        // As if the process had ended: the recording isn't finished, and the files are closed.
        let log = try folder.text("a.cassette.json.recording-log")
        let bodies = folder.names("a.cassette.bodies")
        (recorder, open) = (nil, nil)
        try folder.write([1], to: "a.cassette.bodies/2.request.part")
        #expect(try folder.text("a.cassette.json.recording-log") == log)

        let next = try CassetteRecorder(folder.cassette, configuration: .ticking(mode: mode))
        let expected = "\(folder.cassette).recording-log: recovered 2 exchanges from an interrupted recording"
        #expect(next.summary == CassetteRecorder.Summary(notes: [expected]))
        #expect(folder.names("a.cassette.bodies") == bodies.filter { $0 != "2.request.part" })
        next.record(.get("/4"))
        #expect(try next.finish().exchanges == 1)
        #expect(try urls() == ["/1", "/2", "/4"])
        #expect(folder.names() == ["a.cassette.bodies", "a.cassette.json"])
        #expect(folder.names("a.cassette.bodies").count == 1)
        guard case .response(let response) = try folder.exchanges()[1].outcome,
            case .stream(let steps) = response.content
        else {
            Issue.record("expected a stream")
            return
        }
        #expect(steps.map(\.event) == stream.pieces.map { .bytes($0.bytes) } + [.end(.reset)])
    }

    /// Wherever a line is cut, the exchanges before it are recovered.
    @Test func dropsTornLine() throws {
        var recorder: CassetteRecorder? = try CassetteRecorder(folder.cassette, configuration: append)
        for path in ["/1", "/2"] { recorder?.record(.get(path)) }
        recorder = nil
        let log = Array(try folder.text("a.cassette.json.recording-log").utf8)
        // The first line is the header.
        let first = try #require(log.firstIndex(of: 0x0A)) + 1
        let second = try #require(log[first...].firstIndex(of: 0x0A)) + 1
        for length in stride(from: second + 1, to: log.count, by: 23) {
            try folder.write(Array(log[..<length]), to: "a.cassette.json.recording-log")
            let next = try CassetteRecorder(folder.cassette, configuration: .ticking(mode: .overwrite))
            #expect(next.summary.notes.count == 2)
            #expect(next.summary.notes.last?.contains("left out 1 damaged lines, at byte \(second)") == true)
            #expect(
                try folder.text("a.cassette.json.recording-log.damaged").utf8.elementsEqual(log[second..<length] + [10])
            )
            try FileManager.default.removeItem(atPath: "\(folder.cassette).recording-log.damaged")
            next.record(.get("/3"))
            _ = try next.finish()
            #expect(try urls() == ["/1", "/3"])
        }
    }

    /// Exchanges recorded after a torn line aren't lost if the recording is interrupted again.
    @Test func recoversExchangesAfterTornLine() throws {
        for path in ["/1", "/2"] {
            var recorder: CassetteRecorder? = try CassetteRecorder(folder.cassette, configuration: append)
            recorder?.record(.get(path))
            recorder = nil
            let log = Array(try folder.text("a.cassette.json.recording-log").utf8)
            try folder.write(log + Array("{\"ordinal\": 7, \"exch".utf8), to: "a.cassette.json.recording-log")
        }
        try folder.record(configuration: append)
        #expect(try urls() == ["/1", "/2"])
    }

    @Test func dropsInvalidLines() throws {
        var recorder: CassetteRecorder? = try CassetteRecorder(folder.cassette, configuration: append)
        recorder?.record(.get("/1"))
        recorder = nil
        let log = try folder.text("a.cassette.json.recording-log")
        try folder.write(Array("{}\nnonsense\n\(log)[1]\n".utf8), to: "a.cassette.json.recording-log")
        let summary = try folder.record(.get("/2"), configuration: append)
        #expect(summary.notes.last?.contains("left out 3 damaged lines, at byte 0, 3, ") == true)
        #expect(try urls() == ["/1", "/2"])
    }

    /// The process ends after the new cassette is in place, but before the log is removed.
    @Test func recoversNothingTwice() throws {
        let recorder = try CassetteRecorder(folder.cassette, configuration: append)
        for path in ["/1", "/2"] { recorder.record(.get(path)) }
        let log = try folder.text("a.cassette.json.recording-log")
        _ = try recorder.finish()
        let bytes = Array(try folder.text("a.cassette.json").utf8)
        let mark = String(decoding: LogLine.mark(hash: SHA256.hexadecimal(of: bytes)), as: UTF8.self)
        try folder.write(Array((log + mark).utf8), to: "a.cassette.json.recording-log")
        #expect(try folder.record(.get("/3"), configuration: append) == CassetteRecorder.Summary(exchanges: 1))
        #expect(try urls() == ["/1", "/2", "/3"])
        // The same mark, but the cassette has changed since.
        try folder.write(Array((log + mark).utf8), to: "a.cassette.json.recording-log")
        #expect(try folder.record(configuration: append).notes.count == 1)
        #expect(try urls() == ["/1", "/2", "/3", "/1", "/2"])
    }

    @Test func resumesReplacementOfEntry() throws {
        try folder.record(.get("/1"), .get("/2", "old"), .get("/3"))
        let only = CassetteRecorder.Configuration.ticking(only: try RequestSelection("GET /2"))
        var recorder: CassetteRecorder? = try CassetteRecorder(folder.cassette, configuration: only)
        recorder?.record(.get("/2", "new"))
        recorder = nil
        try folder.record(.get("/4"), configuration: append)
        #expect(try urls() == ["/1", "/2", "/3", "/4"])
        #expect(try folder.text("a.cassette.json").contains("\"text\": \"new\""))
    }

    /// Whatever path leads to it: a link, even to nothing, a link to its folder, or another name of the same file.
    @Test func refusesSecondRecorderByOtherPath() throws {
        try folder.write([], to: "real/x")
        try FileManager.default.createSymbolicLink(
            atPath: "\(folder.path)/folder",
            withDestinationPath: "\(folder.path)/real"
        )
        for target in ["real/a.cassette.json", "\(folder.path)/folder/a.cassette.json"] {
            let link = "\(folder.path)/link\(target.count).cassette.json"
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)
            let recorder = try CassetteRecorder(link)
            recorder.record(.get("/1"))
            for path in ["real", "folder"] {
                let error = try #require(throws: RecordingError.self) {
                    try CassetteRecorder("\(folder.path)/\(path)/a.cassette.json")
                }
                #expect(error.description.contains("found another"))
            }
            _ = try recorder.finish()
            #expect(folder.names("real").contains("a.cassette.json"))
        }
        let other = "\(folder.path)/other.cassette.json"
        try FileManager.default.linkItem(atPath: "\(folder.path)/real/a.cassette.json", toPath: other)
        let recorder = try CassetteRecorder("\(folder.path)/real/a.cassette.json")
        #expect(throws: RecordingError.self) { try CassetteRecorder(other) }
        _ = try recorder.finish()
    }

    @Test func refusesSecondRecorderOfCassette() throws {
        let recorder = try CassetteRecorder(folder.cassette)
        let error = try #require(throws: RecordingError.self) { try CassetteRecorder(folder.cassette) }
        #expect(error.description.contains("expected to be the only recorder of this cassette, found another"))
        #expect(error.description.contains("a.cassette.json.recording-log"))
        _ = try recorder.finish()
        _ = try CassetteRecorder(folder.cassette)
    }

    /// Runs in a separate process, which is killed while it records, spills, and finishes.
    @Test(arguments: 0..<6)
    func losesNothingIfProcessIsKilled(run: Int) async throws {
        let result = try #require(
            await #expect(processExitsWith: .signal(SIGKILL), observing: [\.standardOutputContent]) {
                try RecordingUntilKilled().run()
            }
        )
        let lines = String(decoding: result.standardOutputContent, as: UTF8.self).split(separator: "\n").map(
            String.init
        )
        let path = try #require(lines.first { $0.hasPrefix("/") })
        defer { try? FileManager.default.removeItem(atPath: path) }
        let finished = lines.compactMap { Int($0) }
        let cassette = "\(path)/\(RecordingUntilKilled.name)"

        let recorder = try CassetteRecorder(cassette, configuration: append)
        _ = try recorder.finish()
        let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: cassette)))
        let read = try CassetteReader.read(bytes, file: cassette, bodies: .beside(cassette: cassette))
        let numbers = read.cassette.exchanges.compactMap { Int($0.request.url.split(separator: "/").last ?? "") }
        // The last finished exchange may be missing from the output.
        #expect(numbers == Array(0..<numbers.count))
        #expect(finished == Array(0..<finished.count))
        #expect(numbers.count == finished.count || numbers.count == finished.count + 1)
        for (number, exchange) in zip(numbers, read.cassette.exchanges) {
            #expect(exchange.size == RecordingUntilKilled.size(of: number))
        }
        let names = Set(try FileManager.default.contentsOfDirectory(atPath: path))
        // A line that was being written is kept aside.
        let damaged = "\(RecordingUntilKilled.name).recording-log.damaged"
        #expect(names.isSubset(of: [RecordingUntilKilled.name, "a.cassette.bodies", damaged]))
    }
}

/// Records exchanges, prints the number of each one that is finished, and is killed at a random moment.
private struct RecordingUntilKilled {
    static let name = "a.cassette.json"

    /// The size of an exchange's body. Some bodies are large enough to be stored in a file.
    static func size(of number: Int) -> Int { number % 5 == 3 ? 200_000 + number : number * 10 }

    func run() throws {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("reprise-\(UUID().uuidString)")
        writeLine(url.path)
        let counter = Counter()
        let limit = Int.random(in: 1...40)
        Thread.detachNewThread {
            while counter.value < limit {}
            kill(getpid(), SIGKILL)
        }
        while true {
            let configuration = CassetteRecorder.Configuration(mode: .append)
            let recorder = try CassetteRecorder(
                url.appendingPathComponent(Self.name).path,
                configuration: configuration
            )
            for _ in 0..<Int.random(in: 1...6) {
                let number = counter.value
                recorder.record(exchange(number))
                writeLine("\(number)")
                counter.advance()
            }
            _ = try recorder.finish()
        }
    }

    private func exchange(_ number: Int) -> ScriptedExchange {
        var exchange = ScriptedExchange(url: "http://example.com/\(number)", headers: ["Transfer-Encoding: chunked"])
        if number % 2 == 1 { exchange.headers.append("Content-Type: text/event-stream") }
        let bytes = [UInt8](repeating: 65, count: Self.size(of: number))
        exchange.pieces = stride(from: 0, to: bytes.count, by: 10_000).map { start in
            .init(Array(bytes[start..<min(start + 10_000, bytes.count)]))
        }
        return exchange
    }

    private func writeLine(_ line: String) {
        let bytes = Array((line + "\n").utf8)
        _ = unsafe bytes.withUnsafeBytes { unsafe write(1, $0.baseAddress, $0.count) }
    }

    /// A number that two threads share.
    private final class Counter: @unchecked Sendable {
        // Protected by `lock`.
        private var number = 0
        private let lock = NSLock()

        var value: Int {
            lock.lock()
            defer { lock.unlock() }
            return number
        }

        func advance() {
            lock.lock()
            number += 1
            lock.unlock()
        }
    }
}

extension Exchange {
    /// The number of bytes of the response's content.
    fileprivate var size: Int? {
        guard case .response(let response) = outcome else { return nil }
        switch response.content {
        case .none: return 0
        case .body(let body): return body.source.count
        case .stream(let steps):
            return steps.reduce(0) { sum, step in
                if case .bytes(let bytes) = step.event { sum + bytes.count } else { sum }
            }
        }
    }
}
