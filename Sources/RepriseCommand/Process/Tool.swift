// SPDX-License-Identifier: Apache-2.0

import RepriseMatching

/// The program as the user started it.
enum Tool {
    /// `swift run mockserver` if the program is in a build folder of SwiftPM, otherwise the program's name or path.
    static let invocation = invocation(of: CommandLine.arguments.first ?? "mockserver")

    static func invocation(of program: String) -> ToolInvocation {
        guard program.split(separator: "/").contains(".build") else { return ToolInvocation(program: [program]) }
        let options = program.contains("/release/") ? ["-c", "release"] : []
        return ToolInvocation(program: ["swift", "run"] + options + ["mockserver"])
    }

    /// Returns a command with these words, quoted for a shell.
    static func command(_ words: String...) -> String { invocation.command(words) }
}
