// SPDX-License-Identifier: Apache-2.0

import Foundation
import RepriseTestSupport
import Testing

@testable import RepriseCassettes
@testable import RepriseRecording

/// Exchanges whose lines are written to the log together.
@Suite struct BufferedLogLinesTests {
    private let folder = try! TemporaryFolder()
    private let log = "a.cassette.json.recording-log"

    @Test func writesBufferedLinesTogether() throws {
        let recorder = try CassetteRecorder(folder.cassette, configuration: .ticking())
        for path in ["/1", "/2", "/2"] { recorder.record(.get(path), holdsLine: true) }
        #expect(recorder.summary.exchanges == 3)
        #expect(try folder.text(log).isEmpty)
        recorder.writeBufferedLines()
        // The first line is the header.
        #expect(try folder.text(log).split(separator: "\n").count == 4)
        recorder.writeBufferedLines()
        recorder.record(.get("/3"))
        #expect(try folder.text(log).split(separator: "\n").count == 5)
        #expect(try recorder.finish().exchanges == 4)
        #expect(try folder.exchanges().map(\.request.url.last) == ["1", "2", "2", "3"])
    }

    @Test func finishesWithBufferedLines() throws {
        let recorder = try CassetteRecorder(folder.cassette, configuration: .ticking())
        recorder.record(.get("/1"), holdsLine: true)
        #expect(try recorder.finish().exchanges == 1)
        #expect(try folder.exchanges().map(\.request.url) == ["http://example.com/1"])
    }

    @Test func discardsBufferedLinesOfAbandonedRecording() throws {
        let recorder = try CassetteRecorder(folder.cassette, configuration: .ticking())
        recorder.record(.get("/1"), holdsLine: true)
        try recorder.abandon()
        recorder.writeBufferedLines()
        #expect(folder.names().isEmpty)
    }

    @Test func writesManyLinesWithoutWaiting() throws {
        let recorder = try CassetteRecorder(folder.cassette, configuration: .ticking())
        let text = String(repeating: "x", count: 10_000)
        for number in 0..<10 { recorder.record(.get("/\(number)", text), holdsLine: true) }
        #expect(try folder.text(log).utf8.count > BufferedLogLines.limit)
        #expect(try recorder.finish().exchanges == 10)
    }

    @Test func removesNamedValueFromHeldLine() throws {
        let recorder = try CassetteRecorder(folder.cassette, configuration: .ticking())
        recorder.record(.get("/1", "the key is kJ8sQ2pX9vLm4nRt"), holdsLine: true)
        var login = ScriptedExchange.get("/2")
        login.requestHeaders = ["Authorization: Bearer kJ8sQ2pX9vLm4nRt"]
        recorder.record(login, holdsLine: true)
        recorder.writeBufferedLines()
        #expect(try !folder.text(log).contains("kJ8sQ2pX9vLm4nRt"))
        #expect(try recorder.finish().exchanges == 2)
        #expect(try !folder.text("a.cassette.json").contains("kJ8sQ2pX9vLm4nRt"))
    }

    /// Runs in a separate process whose file size is limited, so that writes fail as on a full disk.
    @Test func reportsLostBufferedLines() async {
        await #expect(processExitsWith: .success) {
            let folder = try TemporaryFolder()
            var configuration = CassetteRecorder.Configuration.ticking()
            let reports = Reports()
            configuration.reportLoss = { reports.append($0) }
            let recorder = try CassetteRecorder(folder.cassette, configuration: configuration)
            let limit = FileSizeLimit(20_000)
            recorder.record(.get("/1"), holdsLine: true)
            recorder.record(.get("/2", String(repeating: "x", count: 30_000)), holdsLine: true)
            recorder.record(.get("/3"), holdsLine: true)
            recorder.writeBufferedLines()
            #expect(recorder.summary.exchanges == 2)
            #expect((recorder.summary.lost, recorder.summary.refused) == (1, 1))
            #expect(recorder.summary.notes.count == 1)
            #expect(recorder.summary.notes.first?.hasPrefix("GET http://example.com/2: not recorded") == true)
            #expect(reports.texts.count == 1)
            limit.lift()
            let error = try #require(throws: RecordingError.self) { try recorder.finish() }
            #expect(error.description.contains("exchanges in \(folder.cassette).recording-log: 2; exchanges lost: 1"))
            exit(EXIT_SUCCESS)
        }
    }

    /// The lines of a removed log are still in the open file, but a crash would lose them.
    @Test(arguments: [false, true]) func removedLogIsReportedOnce(holdsLine: Bool) throws {
        var configuration = CassetteRecorder.Configuration.ticking()
        let reports = Reports()
        configuration.reportLoss = { reports.append($0) }
        let recorder = try CassetteRecorder(folder.cassette, configuration: configuration)
        for path in ["/1", "/2", "/3"] {
            recorder.record(.get(path), holdsLine: holdsLine)
            recorder.writeBufferedLines()
            #expect(reports.texts.count == (path == "/1" ? 0 : 1))
            if path == "/1" { try FileManager.default.removeItem(atPath: "\(folder.path)/\(log)") }
        }
        #expect(reports.texts.first?.contains("the recording log was removed or replaced") == true)
        #expect(try recorder.finish().notes == reports.texts)
        #expect(try folder.exchanges().map(\.request.url.last) == ["1", "2", "3"])
    }
}
