// SPDX-License-Identifier: Apache-2.0

/// Where a fixture was written.
public struct FixtureSource: Sendable, Hashable, CustomStringConvertible {
    /// The file, as the user named it or as found below the folder that the user named.
    public var file: String
    /// Its place in a file that holds several; `nil` for a route file.
    public var location: FilePosition?

    /// The fixture at `location` in `file`.
    public init(file: String, location: FilePosition? = nil) {
        self.file = file
        self.location = location
    }

    /// `file:line`, or the file alone. With its column in the first line, where all fixtures of a file may stand.
    public var description: String {
        guard let location else { return file }
        return location.line > 1 ? "\(file):\(location.line)" : "\(file):1:\(location.column)"
    }
}
