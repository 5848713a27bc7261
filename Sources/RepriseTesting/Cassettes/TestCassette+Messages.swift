// SPDX-License-Identifier: Apache-2.0

internal import Reprise
internal import RepriseRecording

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

extension TestCassette {
    /// Prints the result of a recording, even if the test passes.
    func announce(_ summary: CassetteRecorder.Summary) {
        let noun = summary.exchanges == 1 ? "exchange" : "exchanges"
        let heading = "Recorded \(summary.exchanges) \(noun) into \(path)"
        let lines = summary.isEmpty ? summary.notes : [heading] + summary.notes.map { "  \($0)" }
        print(lines.joined(separator: "\n"))
    }

    func announce(abandoned summary: CassetteRecorder.Summary) {
        guard summary.exchanges > 0 else { return }
        let cassette = FileManager.default.fileExists(atPath: path) ? "is unchanged" : "still does not exist"
        let text = """
            \(path): nothing was recorded because the test failed; the cassette \(cassette). To keep what a failing \
            test records, set \(Self.keepVariable)=1
            """
        log.note(text)
        print(text)
    }

    static func hasUnfinished(_ requests: [String], _ path: String) -> RecordingError {
        RecordingError(
            """
            \(path): these requests were still in progress when the test ended, so nothing was recorded. Read their \
            responses in the test, and await the tasks that do, even if you cancel them:
              \(requests.joined(separator: "\n  "))
            """
        )
    }

    static func isOver(_ path: String) -> TransportError {
        TransportError(
            .noFixture,
            """
            \(path): the test has ended, but one of its tasks still sends requests; await the task in the test, or, if it \
            belongs to an object that several tests share, create the object in each test: a task keeps the cassette of \
            the test that started it
            """
        )
    }
}
