// SPDX-License-Identifier: Apache-2.0

public import RepriseRecording

/// Where answers come from, and what is recorded.
public enum ReplayMode: Sendable, Hashable {
    /// From the network; nothing is recorded.
    case live
    /// From the network, and into the cassette.
    case record(RecordingMode)
    /// From the cassette.
    case replay(unmatched: Unmatched)
    /// From fixtures that were made by hand: a folder of route files and cassettes. No variable overrides it, and nothing
    /// has to be asked for.
    case stub

    /// What becomes of a request that is not in the cassette.
    public enum Unmatched: Sendable, Hashable {
        /// It fails.
        case fail
        /// It goes to the network, and is not recorded.
        case passThrough
    }

    /// From the cassette alone: the default.
    public static let replay = ReplayMode.replay(unmatched: .fail)
}
