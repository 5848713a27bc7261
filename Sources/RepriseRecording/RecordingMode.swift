// SPDX-License-Identifier: Apache-2.0

internal import RepriseStorage

/// What a recording does about the cassette that is there already.
public enum RecordingMode: String, Sendable, Hashable, CaseIterable {
    /// Record if there is none, else leave it alone: whoever asks for this replays it then.
    case once
    /// Keep what is there, and add what is new behind it. What is there stays as it stands in the file, byte for byte.
    case append
    /// Replace it all when the recording is finished.
    case overwrite

    /// Whether there is something to record to the cassette at `path`: not for ``once`` where that is there. A
    /// recording that was broken off is not finished, and goes on.
    public func records(to path: String) -> Bool {
        self != .once || !FilePlace(path).exists
    }
}
