// SPDX-License-Identifier: Apache-2.0

/// What a recording does about the cassette that is there already.
public enum RecordingMode: String, Sendable, Hashable, CaseIterable {
    /// Record if there is none, else leave it alone: whoever asks for this replays it then.
    case once
    /// Keep what is there, and add what is new behind it.
    case append
    /// Replace it all when the recording is finished.
    case overwrite
}
