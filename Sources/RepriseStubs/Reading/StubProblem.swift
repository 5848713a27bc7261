// SPDX-License-Identifier: Apache-2.0

public import RepriseText

/// A problem in the JSON of a stub mapping, with its place in the JSON and in the text.
public struct StubProblem: Error, Sendable, Hashable, CustomStringConvertible {
    /// The JSON pointer (RFC 6901) of the value, such as `/request/headers/X/equalTo`. Empty for the whole text.
    public var pointer: String
    /// The position in the text.
    public var location: FilePosition
    /// What was expected, what was found, and what to do.
    public var message: String

    /// Creates a problem.
    public init(pointer: String, location: FilePosition, message: String) {
        self.pointer = pointer
        self.location = location
        self.message = message
    }

    /// `line:column: message`.
    public var description: String { "\(location.line):\(location.column): \(message)" }

    /// The problem as one of `file`.
    package func problem(in file: String) -> FixtureProblem {
        FixtureProblem(file: file, location: location, message: message)
    }
}

/// All problems in the JSON of a stub mapping, in the order of the text.
public struct StubProblems: Error, Sendable, Hashable, CustomStringConvertible {
    /// The problems.
    public var problems: [StubProblem]

    /// Creates an error from `problems`, which must not be empty.
    public init(_ problems: [StubProblem]) {
        self.problems = problems
    }

    /// The descriptions of the problems, one per line.
    public var description: String { problems.map(\.description).joined(separator: "\n") }
}
