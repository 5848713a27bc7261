// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// How the reader of a report runs the command-line tool, so that the commands in the report can be pasted.
package struct ToolInvocation: Sendable, Hashable {
    /// The words before the subcommand. The default is `swift run mockserver`.
    package var program: [String]
    /// The files and folders that contain the fixtures; empty if they are not known.
    package var paths: [String]

    package init(program: [String] = ["swift", "run", "mockserver"], paths: [String] = []) {
        self.program = program
        self.paths = paths
    }

    /// Returns the command for `words`, each quoted for a shell where necessary.
    package func command(_ words: [String]) -> String {
        (program + words).map(DisplayText.shellWord).joined(separator: " ")
    }

    /// The paths as words of a command, or `PATH…` if they are not known.
    var pathWords: String {
        paths.isEmpty ? "PATH…" : paths.map(DisplayText.shellWord).joined(separator: " ")
    }
}
