// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

@main
struct MockServerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mockserver",
        abstract: "Serve recorded HTTP traffic and fixtures by hand, byte for byte.",
        discussion: """
            mockserver Fixtures/ serves a folder: cassettes (*.cassette.json), HAR captures (*.har) and route files \
            (users/42.get.json answers GET /users/42). Every option can also be given as an environment variable: \
            --after-last as MOCKSERVER_AFTER_LAST, and so on; flags as 1 or 0, the names of --match-header separated by \
            commas. MOCKSERVER_PATHS holds the paths, separated by colons, for where none are given.
            """,
        subcommands: [
            ServeCommand.self, RecordCommand.self, CheckCommand.self, ExplainCommand.self, HealthCommand.self,
        ],
        defaultSubcommand: ServeCommand.self
    )
}
