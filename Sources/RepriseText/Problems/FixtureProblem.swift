// SPDX-License-Identifier: Apache-2.0

/// Something wrong in a fixture, and where: `file:line:column: what was expected, what was found`.
public struct FixtureProblem: Error, Sendable, Hashable, CustomStringConvertible {
    /// The file, as the user named it or as found below the folder that the user named.
    public var file: String
    /// The place in the file; `nil` where the file as a whole is meant (it cannot be read).
    public var location: FilePosition?
    /// What was expected, what was found, and what to do.
    public var message: String

    /// A problem in `file` at `location`.
    public init(file: String, location: FilePosition? = nil, message: String) {
        self.file = file
        self.location = location
        self.message = message
    }

    /// `file:line:column: message`.
    public var description: String {
        guard let location else { return "\(file): \(message)" }
        return "\(file):\(location.line):\(location.column): \(message)"
    }
}

/// A place in a text file. Both numbers start at 1; a column counts characters (Unicode scalars), as editors do.
public struct FilePosition: Sendable, Hashable, Comparable {
    /// The line.
    public var line: Int
    /// The character in the line.
    public var column: Int

    /// The first character of a file.
    package static let start = FilePosition(line: 1, column: 1)

    /// The place at `line` and `column`.
    public init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }

    /// Whether `one` comes first.
    public static func < (one: FilePosition, other: FilePosition) -> Bool {
        (one.line, one.column) < (other.line, other.column)
    }
}

/// All that is wrong with the fixtures that were to be loaded: every broken file at once, in file order.
public struct FixtureProblems: Error, Sendable, Hashable, CustomStringConvertible {
    /// The problems.
    public var problems: [FixtureProblem]

    /// The `problems`, of which there is at least one.
    public init(_ problems: [FixtureProblem]) {
        self.problems = problems
    }

    /// One line a problem.
    public var description: String {
        problems.map(\.description).joined(separator: "\n")
    }
}
