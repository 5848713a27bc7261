// SPDX-License-Identifier: Apache-2.0

/// One small mistake in one place of a file.
struct Mutation: CustomStringConvertible {
    /// The file, relative to the package.
    var file: String
    var line: Int
    var column: Int
    /// The offsets in the file of the text that is replaced.
    var range: Range<Int>
    /// The text as it stands.
    var original: String
    var mistake: Mistake

    /// How the text becomes one that makes the mistake if its number is chosen.
    enum Mistake {
        /// An expression takes its place.
        case expression(String)
        /// The statement is left out.
        case leftOut
    }

    /// The original and the mistake, in one line.
    var description: String {
        let original = original.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        if case .expression(let mistake) = mistake { return "\(original) → \(mistake)" }
        return "\(original) → left out"
    }

    /// The text that makes the mistake if the environment variable chooses `number`.
    func text(number: Int) -> String {
        switch mistake {
        case .expression(let mistake): "(mutant(\(number)) ? (\(mistake)) : (\(original)))"
        case .leftOut: "if !mutant(\(number)) { \(original) }"
        }
    }
}
