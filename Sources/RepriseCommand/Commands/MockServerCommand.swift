// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

@main
struct MockServerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mockserver",
        abstract: "Serve recorded HTTP traffic and handmade fixtures, byte for byte.",
        discussion: """
            mockserver Fixtures/ serves a folder with cassettes (*.cassette.json), HAR files (*.har), and route files \
            (users/42.get.json answers GET /users/42). Every option can also be set as an environment variable, such \
            as MOCKSERVER_AFTER_LAST for --after-last. Flags are 1 or 0, and the names of --match-header are separated \
            by commas. MOCKSERVER_PATHS sets the paths, separated by colons, if the command line has none.
            """,
        subcommands: [
            ServeCommand.self, RecordCommand.self, CheckCommand.self, ExplainCommand.self, HealthCommand.self,
        ],
        defaultSubcommand: ServeCommand.self
    )
}
