// SPDX-License-Identifier: Apache-2.0

internal import RepriseStorage

/// The reason a recording could not start, continue or finish.
public struct RecordingError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What was expected and found, where, and what to do next.
    public var description: String

    /// Creates an error with the given description.
    public init(_ description: String) {
        self.description = description
    }
}

extension RecordingError {
    init(busy path: String) {
        self.init(
            "\(path): expected to be the only recorder of this cassette, found another "
                + "(it has locked \(RecordingLog.path(forCassette: path))); wait until it finishes, "
                + "record to another cassette, or, if several tests share this one, use swift test --no-parallel"
        )
    }

    init(cassette path: String, _ error: FileError) {
        self.init("\(path): cannot \(error.call) \(error.path): \(error.reason); \(Self.advice(error))")
    }

    static func advice(_ error: FileError) -> String {
        if error.isFull { return "free disk space, and start the recording again" }
        if error.isForbidden { return "allow this user to write there, or record to another path" }
        if error.isOfWrongKind || error.isPresent { return "move the existing file, or record to another path" }
        return "correct this, or record to another path"
    }
}
