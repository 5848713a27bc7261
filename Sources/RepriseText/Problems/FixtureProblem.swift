// SPDX-License-Identifier: Apache-2.0

/// A problem in a fixture file and its position, in the format `file:line:column: what was expected, what was found`.
public struct FixtureProblem: Error, Sendable, Hashable, CustomStringConvertible {
    /// The path of the file: as given by the user, or as found below a folder given by the user.
    public var file: String
    /// The position in the file, or `nil` if the problem concerns the whole file, for example if it cannot be read.
    public var location: FilePosition?
    /// What was expected, what was found, and what to do.
    public var message: String

    /// Creates a problem in `file` at `location`.
    public init(file: String, location: FilePosition? = nil, message: String) {
        self.file = file
        self.location = location
        self.message = message
    }

    /// `file:line:column: message`. Control characters are escaped, because logs and terminals show it.
    public var description: String {
        let (file, message) = (DisplayText.escaped(file), DisplayText.escaped(lines: message))
        guard let location else { return "\(file): \(message)" }
        return "\(file):\(location.line):\(location.column): \(message)"
    }
}

/// A position in a text file. Both numbers start at 1. Columns count characters (Unicode scalars), as editors do.
public struct FilePosition: Sendable, Hashable, Comparable {
    /// The line number.
    public var line: Int
    /// The column number.
    public var column: Int

    /// The start of a file.
    package static let start = FilePosition(line: 1, column: 1)

    /// Creates a position at `line` and `column`.
    public init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }

    /// Whether `one` precedes `other`.
    public static func < (one: FilePosition, other: FilePosition) -> Bool {
        (one.line, one.column) < (other.line, other.column)
    }
}

/// All problems found while fixtures were loaded, in file order.
public struct FixtureProblems: Error, Sendable, Hashable, CustomStringConvertible {
    /// The problems.
    public var problems: [FixtureProblem]
    /// The paths of the body files and cassettes that fixtures name, whether they exist or not. Watching them shows
    /// when a problem may have been corrected.
    package var bodyFiles: [String] = []

    /// The maximum number of mistakes reported for one file. A hostile file could have as many mistakes as bytes, so
    /// reading stops at the first mistake past the limit.
    package static let limitOfFile = 100

    /// The message that replaces all mistakes past the limit.
    package static let andMore = "and more; the first \(limitOfFile) are shown"

    /// Creates an error from `problems`, which must not be empty.
    public init(_ problems: [FixtureProblem]) {
        self.problems = problems
    }

    /// The descriptions of the problems, one per line.
    public var description: String {
        problems.map(\.description).joined(separator: "\n")
    }
}
