// SPDX-License-Identifier: Apache-2.0

package import RepriseFixtures
package import RepriseRecording

/// What a use of a cassette replays and records: its mode, applied to the files that exist.
package struct SessionPlan {
    /// Whether recorded exchanges answer.
    package private(set) var replays = false
    /// Whether requests that are not answered go to the network.
    package private(set) var reachesNetwork = true
    /// The recorder of what the network answers; nil if nothing is recorded.
    package private(set) var recorder: CassetteRecorder?
    /// The paths of the fixtures to replay.
    package private(set) var paths: [String] = []
    /// What an interrupted run recorded, which is not recorded again.
    package private(set) var leftovers: [Fixture] = []

    private var recordingMode: RecordingMode?

    /// Opens the recording, if there is one.
    ///
    /// - Throws: ``ReplayModeError`` if the mode is not allowed, `RecordingError` if the cassette cannot be recorded.
    package init(
        _ path: String,
        _ mode: ReplayMode,
        recording: CassetteRecorder.Configuration,
        environment: [String: String]
    ) throws {
        let hasCassette = !RecordingMode.once.records(to: path)
        apply(mode, hasCassette: hasCassette)
        if reachesNetwork { try mode.checkNetwork(for: path, in: environment) }
        if let recordingMode {
            var recording = recording
            recording.mode = recordingMode
            recording.replacesLeftovers = recordingMode == .overwrite
            let recorder = try CassetteRecorder(path, configuration: recording)
            self.recorder = recorder
            if recordingMode != .overwrite { leftovers = try recorder.leftovers() }
        }
        if !leftovers.isEmpty { replays = true }
        if replays, hasCassette || leftovers.isEmpty { paths = [path] }
    }

    private mutating func apply(_ mode: ReplayMode, hasCassette: Bool) {
        switch mode {
        case .live: break
        case .record(.once) where hasCassette: (replays, reachesNetwork) = (true, false)
        case .record(.append) where hasCassette: (replays, recordingMode) = (true, .append)
        case .record(let mode): recordingMode = mode
        case .replay(.passThrough): replays = true
        case .replay(.fail), .stub: (replays, reachesNetwork) = (true, false)
        }
    }
}
