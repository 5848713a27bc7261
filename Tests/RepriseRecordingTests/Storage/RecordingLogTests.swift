// SPDX-License-Identifier: Apache-2.0

import Foundation
import RepriseTestSupport
import Testing

@testable import RepriseCassettes
@testable import RepriseRecording
@testable import RepriseText

/// The recording log, as it was written and damaged.
@Suite struct RecordingLogTests {
    private let folder = try! TemporaryFolder()
    private let append = CassetteRecorder.Configuration.ticking(mode: .append)

    /// The lines of a log: the header and four entries.
    private func lines() throws -> [[UInt8]] {
        var recorder: CassetteRecorder? = try CassetteRecorder(folder.cassette, configuration: append)
        for number in 1...4 { recorder?.record(.get("/\(number)", "{\"ordinal\": \(number)} \"\n")) }
        recorder = nil
        let log = Array(try folder.text("a.cassette.json.recording-log").utf8)
        try FileManager.default.removeItem(atPath: "\(folder.cassette).recording-log")
        return log.split(separator: 0x0A).map { Array($0) + [0x0A] }
    }

    /// Reads a log in blocks of a size, and returns the lines that it takes and the ones that are damaged.
    private func read(_ log: [UInt8], blocks size: Int) -> (taken: [[UInt8]], damaged: [[UInt8]], size: Int) {
        var reader = RecordingLogReader(cassette: folder.cassette, cassetteHash: nil)
        for start in stride(from: 0, to: log.count, by: size) {
            reader.append(Array(log[start..<min(log.count, start + size)]))
        }
        reader.finish()
        let taken = reader.places.map { Array(log[$0.offset..<$0.offset + $0.length]) }
        return (taken, reader.leftovers.damaged.map { Array(log[$0]) }, reader.leftovers.size)
    }

    @Test func readsEverythingBeforeCut() throws {
        let lines = try lines()
        let log = Array(lines.joined())
        for length in 0...log.count {
            var whole = 0
            var count = 0
            while count < lines.count, whole + lines[count].count <= length {
                whole += lines[count].count
                count += 1
            }
            let read = read(Array(log[..<length]), blocks: 1 + length % 97)
            #expect(read.taken == Array(lines[..<count].dropFirst()))
            #expect(read.damaged == (whole < length ? [Array(log[whole..<length])] : []))
            #expect(read.size == whole)
        }
    }

    /// No line is lost but the one with the damage, or the two around a damaged line feed, and none has other content.
    @Test func readsEverythingExceptDamagedLine() throws {
        let lines = try lines()
        let log = Array(lines.joined())
        var random = SeededGenerator(seed: 17)
        for offset in log.indices {
            for change in [0x01, 0x20, 0x0A ^ log[offset], UInt8.random(in: 1...255, using: &random)] where change != 0
            {
                var damaged = log
                damaged[offset] ^= change
                var start = 0
                let number = lines.firstIndex { line in
                    defer { start += line.count }
                    return start..<start + line.count ~= offset
                }
                let intact = lines.indices.filter { $0 != number && $0 > 0 }.map { lines[$0] }
                let read = read(damaged, blocks: 1 + offset % 251)
                #expect(read.taken == intact)
                #expect(!read.damaged.isEmpty)
            }
        }
    }

    /// Random bytes in, over and instead of lines.
    @Test(arguments: 0..<40 as Range<UInt64>)
    func readsIntactLinesAmongRandomBytes(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var log: [UInt8] = []
        var expected: [[UInt8]] = []
        for line in try lines() {
            switch Int.random(in: 0..<4, using: &random) {
            case 0:
                let count = Int.random(in: 1...300, using: &random)
                log += (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
                log.append(0x0A)
            case 1:
                let part = line.prefix(Int.random(in: 1..<line.count, using: &random))
                log += part + [0x0A]
                continue
            case 2: log += [UInt8](repeating: 0x20, count: Int.random(in: 0...50, using: &random)) + [0x0A]
            default: break
            }
            log += line
            if line.starts(with: "{\"ordinal".utf8) { expected.append(line) }
        }
        #expect(read(log, blocks: 64).taken == expected)
    }

    @Test func readsLogWithoutChecksums() throws {
        let lines = try lines().dropFirst().map { line in Array(LogLine.json(of: line[...]) ?? []) + [0x0A] }
        try folder.write(
            Array(lines.joined()) + Array("{\"ordinal\": 7, \"exch".utf8),
            to: "a.cassette.json.recording-log"
        )
        var recorder: CassetteRecorder? = try CassetteRecorder(folder.cassette, configuration: append)
        #expect(recorder?.summary.notes.first?.contains("recovered 4 exchanges") == true)
        // The log goes on with checksums.
        recorder?.record(.get("/5"))
        recorder = nil
        try folder.record(.get("/6"), configuration: append)
        #expect(try folder.exchanges().map(\.request.url.last) == ["1", "2", "3", "4", "5", "6"])
    }

    /// A damaged line is reported once, and the log goes on.
    @Test func setsDamagedLineAside() throws {
        var lines = try lines()
        lines[2][20] ^= 1
        try folder.write(Array(lines.joined()), to: "a.cassette.json.recording-log")
        let place = lines[0].count + lines[1].count
        for run in 1...2 {
            let recorder = try CassetteRecorder(folder.cassette, configuration: append)
            let notes = recorder.summary.notes
            #expect(notes.first?.contains("recovered 3 exchanges") == true)
            #expect(notes.count == (run == 1 ? 2 : 1))
            if run == 1 {
                #expect(
                    notes.last
                        == "\(folder.cassette).recording-log: left out 1 damaged lines, at byte \(place); they were "
                        + "moved to \(folder.cassette).recording-log.damaged, which you can delete"
                )
            }
        }
        try folder.record(configuration: append)
        #expect(try folder.exchanges().map(\.request.url.last) == ["1", "3", "4"])
        let damaged = try folder.text("a.cassette.json.recording-log.damaged")
        #expect(Array(damaged.utf8) == lines[2])
    }

    @Test(arguments: [(5, "at byte 0, 10, 20, 30, 40; they"), (6, "at byte 0, 10, 20, 30, 40, …; they")])
    func noteNamesFirstDamagedLines(count: Int, places: String) {
        let leftovers = RecordingLog.Leftovers(damaged: (0..<count).map { 10 * $0..<10 * $0 + 9 })
        let notes = leftovers.notes(cassette: "a.json", isReplaced: false)
        #expect(notes.count == 1)
        #expect(notes.first?.contains("left out \(count) damaged lines, \(places)") == true)
        #expect(RecordingLog.Leftovers().notes(cassette: "a.json", isReplaced: false) == [])
    }

    @Test(arguments: [
        (1, 0, false, ["recovered 1 exchange from an interrupted recording"]),
        (2, 0, false, ["recovered 2 exchanges from an interrupted recording"]),
        (2, 0, true, ["left out 2 exchanges from an interrupted recording"]),
        (1, 1, true, ["left out 1 exchange from an interrupted recording"]),
        (3, 2, false, ["recovered 3 exchanges from", "2 of these exchanges had not ended; a replay sends the part"]),
    ])
    func noteCountsExchanges(count: Int, unfinished: Int, isReplaced: Bool, expected: [String]) {
        let place = RecordingLog.Place(ordinal: 0, offset: 0, length: 1)
        let leftovers = RecordingLog.Leftovers(count: count, unfinished: Array(repeating: place, count: unfinished))
        let notes = leftovers.notes(cassette: "a.json", isReplaced: isReplaced)
        #expect(notes.count == expected.count)
        for (note, text) in zip(notes, expected) { #expect(note.hasPrefix("a.json.recording-log: \(text)")) }
    }

    /// A log that goes on has the header and the salt of its beginning.
    @Test func logHasOneHeader() throws {
        var salts: Set<[UInt8]> = []
        for number in 1...3 {
            var recorder: CassetteRecorder? = try CassetteRecorder(folder.cassette, configuration: append)
            recorder?.record(.get("/\(number)"))
            if let salt = recorder?.log?.salt { salts.insert(salt) }
            recorder = nil
            let lines = try folder.text("a.cassette.json.recording-log").split(separator: "\n")
            #expect(
                lines.map { $0.hasPrefix("{\"recordingLog\": ") } == [true] + Array(repeating: false, count: number)
            )
        }
        #expect(salts.count == 1)
        try folder.record(configuration: append)
        #expect(try folder.exchanges().map(\.request.url.last) == ["1", "2", "3"])
    }
}
