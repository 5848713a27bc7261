// SPDX-License-Identifier: Apache-2.0

public import RepriseRecording

/// Where answers come from, and whether they are recorded.
public enum ReplayMode: Sendable, Hashable {
    /// Answers come from the network, and nothing is recorded.
    case live
    /// Answers come from the network and are recorded into the cassette.
    case record(RecordingMode)
    /// Answers come from the cassette.
    case replay(unmatched: Unmatched)
    /// Answers come from handwritten fixtures, such as a folder of route files and cassettes. `REPRISE_MODE` does not
    /// override this mode, and fixtures may stay unused.
    case stub

    /// What happens to a request that is not in the cassette.
    public enum Unmatched: Sendable, Hashable {
        /// The request fails.
        case fail
        /// The request is sent to the network and is not recorded.
        case passThrough
    }

    /// Answers come from the cassette alone. This is the default.
    public static let replay = ReplayMode.replay(unmatched: .fail)
}
