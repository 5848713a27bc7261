// SPDX-License-Identifier: Apache-2.0

internal import RepriseRecording
internal import RepriseReplay

/// A use of a test's cassette, from the first request to the end of the test: by clients or by a server.
protocol CassetteUse: Sendable {
    /// What was replayed; nil if nothing is replayed.
    var report: ReplayReport? { get }
    /// The requests whose exchanges would be left out of a recording, because they have not ended.
    var unfinished: [String] { get }
    /// What was recorded so far; nil if nothing is recorded.
    var recorded: CassetteRecorder.Summary? { get }

    /// Writes what was recorded, and checks what was replayed.
    ///
    /// - Returns: What was recorded; nil if nothing is recorded.
    /// - Throws: `RecordingError` if the cassette could not be written, `ReplayFailure` if a strict replay had misses
    ///   or unused exchanges.
    func finish() throws -> CassetteRecorder.Summary?

    /// Discards what was recorded, and checks what was replayed.
    func abandon() throws -> CassetteRecorder.Summary?
}

extension CassetteSession: CassetteUse {
    func finish() throws -> CassetteRecorder.Summary? { try (finish() as Outcome).recording }

    func abandon() throws -> CassetteRecorder.Summary? { try (abandon() as Outcome).recording }
}
