// SPDX-License-Identifier: Apache-2.0

/// The place where a fixture is defined.
public struct FixtureSource: Sendable, Hashable, CustomStringConvertible {
    /// The path of the file: as given by the user, or as found below a folder given by the user.
    public var file: String
    /// The position in a file with several fixtures; `nil` for a route file.
    public var location: FilePosition?

    /// Creates the source of a fixture at `location` in `file`.
    public init(file: String, location: FilePosition? = nil) {
        self.file = file
        self.location = location
    }

    /// `file:line`, or only the file. Positions in the first line include the column, because that line may contain
    /// all fixtures of a file. Control characters in the name are escaped, because logs and terminals show it.
    public var description: String {
        let file = DisplayText.escaped(file)
        guard let location else { return file }
        return location.line > 1 ? "\(file):\(location.line)" : "\(file):1:\(location.column)"
    }
}
