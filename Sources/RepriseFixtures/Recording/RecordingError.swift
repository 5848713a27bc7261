// SPDX-License-Identifier: Apache-2.0

/// Why a recording could not start, go on or be finished.
public struct RecordingError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What was expected, what was found, where, and what to do next.
    public var description: String

    /// A problem that `description` tells.
    public init(_ description: String) {
        self.description = description
    }
}
