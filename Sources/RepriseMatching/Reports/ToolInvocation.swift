// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// How the reader of a report runs the command-line tool, so that the commands in the report can be pasted.
package struct ToolInvocation: Sendable, Hashable {
    /// The words before the subcommand. The default is `swift run mockserver`.
    package var program: [String]
    /// The files and folders that contain the fixtures; empty if they are not known.
    package var paths: [String]
    /// The options that decide how requests are compared.
    package var options: [String] = []
    /// The options that reach the running server; empty if there is none, or if it answers no questions.
    package var server: [String] = []

    package init(program: [String] = ["swift", "run", "mockserver"], paths: [String] = []) {
        self.program = program
        self.paths = paths
    }

    /// Returns the command for `words`, each quoted for a shell where necessary.
    package func command(_ words: [String]) -> String {
        (program + words).map(DisplayText.shellWord).joined(separator: " ")
    }

    /// What decides about a request, as words of a command: the running server, or the fixtures and the options.
    ///
    /// - Parameter isStateful: Whether the answer depends on what the server did before.
    func source(isStateful: Bool) -> String {
        if !server.isEmpty, isStateful || paths.isEmpty {
            return server.map(DisplayText.shellWord).joined(separator: " ")
        }
        let words = (options + paths).map(DisplayText.shellWord)
        return (paths.isEmpty ? words + ["PATH…"] : words).joined(separator: " ")
    }
}
