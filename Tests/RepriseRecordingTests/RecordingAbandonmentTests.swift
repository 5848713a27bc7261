// SPDX-License-Identifier: Apache-2.0

import Foundation
import RepriseTestSupport
import Testing

@testable import RepriseCassettes
@testable import RepriseRecording
@testable import RepriseText

/// An abandoned recording changes neither the cassette nor its body files.
@Suite struct RecordingAbandonmentTests {
    private let folder = try! TemporaryFolder()
    private let long = String(repeating: "x", count: 100_000)

    @Test(arguments: [RecordingMode.append, .overwrite])
    func preservesCassetteAndReleasesLock(mode: RecordingMode) throws {
        try folder.record(.get("/old", "o" + long))
        let old = try folder.text("a.cassette.json")
        let bodies = folder.names("a.cassette.bodies")
        let recorder = try CassetteRecorder(folder.cassette, configuration: .ticking(mode: mode))
        recorder.record(.get("/new", long))
        let open = recorder.begin(ScriptedExchange.get("/open").request, at: .zero)
        open.requestBytes(Array((long + long).utf8))
        #expect(folder.names("a.cassette.bodies").count > bodies.count)
        #expect(try recorder.abandon().exchanges == 1)
        #expect(try folder.text("a.cassette.json") == old)
        #expect(folder.names() == ["a.cassette.bodies", "a.cassette.json"])
        #expect(folder.names("a.cassette.bodies") == bodies)
        // The recording is over, and its lock is released.
        open.end(.complete, at: .zero)
        #expect(try recorder.finish().exchanges == 1)
        #expect(try recorder.abandon().exchanges == 1)
        #expect(try folder.record(.get("/next")).exchanges == 1)
    }

    @Test func leavesNoFilesBehind() throws {
        let recorder = try CassetteRecorder(folder.cassette, configuration: .ticking(mode: .once))
        recorder.record(.get("/new", long))
        try recorder.abandon()
        #expect(folder.names() == [])
    }

    @Test func preservesExchangesOfInterruptedRecording() throws {
        let append = CassetteRecorder.Configuration.ticking(mode: .append)
        var broken: CassetteRecorder? = try CassetteRecorder(folder.cassette, configuration: append)
        broken?.record(.get("/1", long))
        broken = nil
        let recorder = try CassetteRecorder(folder.cassette, configuration: append)
        recorder.record(.get("/2", long + long))
        try recorder.abandon()
        let notes = try folder.record(.get("/3"), configuration: append).notes
        #expect(notes.first?.contains("recovered 1 exchange ") == true)
        #expect(try folder.exchanges().map(\.request.url) == ["http://example.com/1", "http://example.com/3"])
        #expect(folder.names("a.cassette.bodies").count == 1)
    }

    @Test func preservesBodiesOfUnreadableCassette() throws {
        try folder.record(.get("/old", long))
        let bodies = folder.names("a.cassette.bodies")
        try folder.write(Array("{".utf8), to: "a.cassette.json")
        let recorder = try CassetteRecorder(folder.cassette)
        recorder.record(.get("/new"))
        try recorder.abandon()
        #expect(try folder.text("a.cassette.json") == "{")
        #expect(folder.names("a.cassette.bodies") == bodies)
    }

    /// A secret is removed from the first line that is added, and the line that replaces it is dropped too.
    @Test func restoresLogOfInterruptedRecording() throws {
        let append = CassetteRecorder.Configuration.ticking(mode: .append)
        let secret = "q7Hd0pLx93Zb-kT4mWvN"
        let log = "a.cassette.json.recording-log"
        var broken: CassetteRecorder? = try CassetteRecorder(folder.cassette, configuration: append)
        broken?.record(.get("/1"))
        broken = nil
        let old = try folder.text(log)
        let recorder = try CassetteRecorder(folder.cassette, configuration: append)
        recorder.record(.get("/2", "see \(secret)"))
        var naming = ScriptedExchange.get("/3")
        naming.requestHeaders = ["Authorization: Bearer \(secret)"]
        recorder.record(naming)
        #expect(try folder.text(log).contains("see [redacted~"))
        try recorder.abandon()
        #expect(try folder.text(log) == old)
    }
}
