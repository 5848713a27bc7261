// SPDX-License-Identifier: Apache-2.0

import Foundation
import RepriseTestSupport
import Testing

@testable import RepriseCassettes
@testable import RepriseRecording

/// Recordings for which writing to the disk fails.
@Suite struct RecordingFailureTests {
    private let folder = try! TemporaryFolder()

    @Test func reportsFolderInPlaceOfCassette() throws {
        try folder.write([1], to: "a.cassette.json/b")
        let error = try #require(throws: RecordingError.self) { try CassetteRecorder(folder.cassette) }
        #expect(
            error.description == "\(folder.cassette): expected a cassette or nothing, found a folder; move it, or "
                + "record to another path"
        )
    }

    @Test func reportsPipeInPlaceOfCassette() throws {
        try folder.pipe("a.cassette.json")
        let error = try #require(throws: RecordingError.self) { try CassetteRecorder(folder.cassette) }
        #expect(error.description.contains("expected a cassette or nothing, found a pipe, socket, or device; move it"))
    }

    /// A link in the place of the temporary file would lead the content elsewhere.
    @Test func replacesLinkInPlaceOfTemporaryFile() throws {
        try folder.write([1], to: "mine")
        try folder.link("a.cassette.json.tmp", to: "mine")
        try folder.record(.get("/"))
        #expect(try folder.exchanges().count == 1)
        #expect(!FileManager.default.fileExists(atPath: "\(folder.path)/a.cassette.json.tmp"))
        #expect(try folder.text("mine") == "\u{1}")
        #expect(
            try FileManager.default.attributesOfItem(atPath: folder.cassette)[.type] as? FileAttributeType
                == .typeRegular
        )
    }

    @Test func reportsFileInPlaceOfFolderAndFolderInPlaceOfLog() throws {
        try folder.write([1], to: "a")
        let error = try #require(throws: RecordingError.self) {
            try CassetteRecorder("\(folder.path)/a/b.cassette.json")
        }
        #expect(error.description.contains("cannot make the folder \(folder.path)/a"))
        #expect(error.description.contains("file exists; move the existing file"))
        try folder.write([1], to: "c.cassette.json.recording-log/x")
        let other = try #require(throws: RecordingError.self) { try CassetteRecorder("\(folder.path)/c.cassette.json") }
        #expect(
            other.description.contains(
                "cannot open \(folder.path)/c.cassette.json.recording-log: is a directory"
            )
        )
    }

    @Test func retainsLogIfCassetteCannotBeWritten() throws {
        try folder.record(.get("/old"))
        let old = try folder.text("a.cassette.json")
        let recorder = try CassetteRecorder(folder.cassette)
        recorder.record(.get("/new"))
        try folder.write([1], to: "a.cassette.json.tmp/x")
        let error = try #require(throws: RecordingError.self) { try recorder.finish() }
        #expect(error.description.contains("a.cassette.json.tmp"))
        #expect(try folder.text("a.cassette.json") == old)
        recorder.record(.get("/newer"))
        try FileManager.default.removeItem(atPath: "\(folder.path)/a.cassette.json.tmp")
        #expect(try recorder.finish().exchanges == 2)
        #expect(try folder.exchanges().map(\.request.url) == ["http://example.com/new", "http://example.com/newer"])
    }

    /// Finishing again must not start over: in mode append, the cassette would contain each exchange twice.
    @Test(arguments: RecordingMode.allCases)
    func writesNothingTwiceIfCleanupFails(mode: RecordingMode) throws {
        let inTheWay = "a.cassette.bodies/0123456789abcdef.txt"
        let recorder = try CassetteRecorder(folder.cassette, configuration: .ticking(mode: mode))
        recorder.record(.get("/1"))
        // A folder with the name of a body file can't be removed like a file.
        try folder.write([1], to: "\(inTheWay)/x")
        for _ in 1...2 { #expect(throws: RecordingError.self) { try recorder.finish() } }
        // The recording is over nevertheless.
        recorder.record(.get("/2"))
        #expect(recorder.summary.exchanges == 1)
        try FileManager.default.removeItem(atPath: "\(folder.path)/\(inTheWay)")
        #expect(try recorder.finish().exchanges == 1)
        #expect(try recorder.finish().exchanges == 1)
        #expect(try folder.exchanges().map(\.request.url) == ["http://example.com/1"])
        #expect(folder.names() == ["a.cassette.json"])
    }

    /// By then, the log was marked as already written to the cassette.
    @Test func continuesAfterFailedReplacement() throws {
        let recorder = try CassetteRecorder(folder.cassette)
        recorder.record(.get("/new"))
        try folder.write([1], to: "a.cassette.json/x")
        #expect(throws: RecordingError.self) { try recorder.finish() }
        try FileManager.default.removeItem(atPath: folder.cassette)
        recorder.record(.get("/newer"))
        recorder.record(.get("/newest"))
        #expect(try recorder.finish().exchanges == 3)
        let urls = ["/new", "/newer", "/newest"].map { "http://example.com\($0)" }
        #expect(try folder.exchanges().map(\.request.url) == urls)
    }

    @Test func reportsUnwritableBodyAndRetainsOtherExchanges() throws {
        try folder.record(.get("/old"))
        let old = try folder.text("a.cassette.json")
        try folder.write([1], to: "a.cassette.bodies")
        var recorder: CassetteRecorder? = try CassetteRecorder(folder.cassette)
        recorder?.record(.get("/small"))
        recorder?.record(.get("/large", String(repeating: "x", count: 100_000)))
        #expect(recorder?.summary.refused == 1)
        #expect(recorder?.summary.notes.first?.contains("large: not recorded: could not make the folder") == true)
        let error = try #require(throws: RecordingError.self) { try recorder?.finish() }
        #expect(
            error.description.contains(
                "the cassette is unchanged; exchanges in \(folder.cassette).recording-log: 1; exchanges lost: 1"
            )
        )
        #expect(try folder.text("a.cassette.json") == old)
        recorder = nil
        try FileManager.default.removeItem(atPath: "\(folder.path)/a.cassette.bodies")
        try folder.record(configuration: .ticking(mode: .append))
        #expect(try folder.exchanges().map(\.request.url) == ["http://example.com/old", "http://example.com/small"])
    }

    /// Runs in a separate process whose file size is limited, so that writes fail as on a full disk.
    @Test func preservesCassetteAndLogOnFullDisk() async {
        await #expect(processExitsWith: .success) {
            let folder = try TemporaryFolder()
            try folder.record(.get("/old", String(repeating: "o", count: 60_000)))
            let old = try folder.text("a.cassette.json")
            let limit = FileSizeLimit(150_000)
            var append = CassetteRecorder.Configuration.ticking(mode: .append)
            let reports = Reports()
            append.reportLoss = { reports.append($0) }

            // There is room for the log, but not for the cassette.
            let first = try CassetteRecorder(folder.cassette, configuration: append)
            for _ in 0..<2 { first.record(.get("/new", String(repeating: "n", count: 60_000))) }
            let noCassette = try #require(throws: RecordingError.self) { try first.finish() }
            #expect(noCassette.description.contains("file too large; free disk space"))
            #expect(try folder.text("a.cassette.json") == old)
            #expect(!folder.names().contains("a.cassette.json.tmp"))

            // There is no room for the log or a body file, either.
            first.record(.get("/line", String(repeating: "l", count: 60_000)))
            first.record(.get("/small"))
            first.record(.get("/body", String(repeating: "b", count: 300_000)))
            #expect(first.summary.refused == 2)
            #expect(first.summary.notes.allSatisfy { $0.contains("file too large") })
            let lost = try #require(throws: RecordingError.self) { try first.finish() }
            #expect(lost.description.contains("exchanges in \(folder.cassette).recording-log: 3; exchanges lost: 2"))
            #expect(first.summary.lost == 2)
            // At once, and then every ten seconds.
            #expect(reports.texts.count == 1)
            #expect(reports.texts.first?.hasSuffix("exchanges lost so far: 1; free disk space") == true)
            for _ in 0..<30 { first.record(.get("/body", String(repeating: "b", count: 300_000))) }
            #expect(reports.texts.count > 1)
            #expect(reports.texts.count < 15)
            #expect(try folder.text("a.cassette.json") == old)
            limit.lift()
            #expect(throws: RecordingError.self) { try first.finish() }
            exit(EXIT_SUCCESS)
        }
    }

    /// As above, but the next recording has room again.
    @Test func recoversExchangesOnceDiskHasRoom() async {
        await #expect(processExitsWith: .success) {
            let folder = try TemporaryFolder()
            let append = CassetteRecorder.Configuration.ticking(mode: .append)
            let limit = FileSizeLimit(100_000)
            var recorder: CassetteRecorder? = try CassetteRecorder(folder.cassette, configuration: append)
            for path in ["/1", "/2", "/3"] { recorder?.record(.get(path, String(repeating: "x", count: 40_000))) }
            #expect(recorder?.summary.exchanges == 2)
            #expect(throws: RecordingError.self) { try recorder?.finish() }
            limit.lift()
            recorder = nil
            try folder.record(.get("/4"), configuration: append)
            let paths = try folder.exchanges().map(\.request.url.last)
            #expect(paths == ["1", "2", "4"])
        }
    }
}

/// The reports of losses, which can come from any thread.
final class Reports: @unchecked Sendable {
    // Protected by `lock`.
    private var list: [String] = []
    private let lock = NSLock()

    var texts: [String] { lock.withLock { list } }

    func append(_ text: String) { lock.withLock { list.append(text) } }
}

/// Limits the size of the files that this process writes.
struct FileSizeLimit {
    private let before: rlimit

    init(_ size: UInt64) {
        // Otherwise, the signal would end the process before it sees the error.
        signal(SIGXFSZ, SIG_IGN)
        var limit = rlimit()
        unsafe getrlimit(Self.resource, &limit)
        before = limit
        limit.rlim_cur = rlim_t(size)
        unsafe setrlimit(Self.resource, &limit)
    }

    func lift() {
        var limit = before
        unsafe setrlimit(Self.resource, &limit)
    }

    #if canImport(Glibc)
        private static let resource = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
    #else
        private static let resource = RLIMIT_FSIZE
    #endif
}
