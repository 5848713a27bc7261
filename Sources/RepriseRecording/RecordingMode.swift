// SPDX-License-Identifier: Apache-2.0

internal import RepriseStorage

/// How a recording treats an existing cassette.
public enum RecordingMode: String, Sendable, Hashable, CaseIterable {
    /// Records if the cassette is missing. An existing cassette is unchanged and can be replayed instead.
    case once
    /// Keeps the existing entries and adds the new ones after them. The existing text is kept byte for byte.
    case append
    /// Replaces the existing cassette when the recording is finished.
    case overwrite

    /// Returns whether this mode records to the cassette at `path`. ``once`` does not record if the cassette exists,
    /// unless an earlier recording was interrupted, which is then continued. A cassette without exchanges, as earlier
    /// versions wrote it if nothing was recorded, counts as missing.
    public func records(to path: String) -> Bool {
        self != .once || !FilePlace(path).exists || CassetteSource.isEmpty(path)
    }
}
