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
            as MOCKSERVER_AFTER_LAST for --after-last. A flag is 1 or 0, and names in a list are separated by commas. \
            If the command line has no paths, MOCKSERVER_PATHS contains them, separated by colons.
            """,
        subcommands: [
            ServeCommand.self, RecordCommand.self, CheckCommand.self, ExplainCommand.self, HealthCommand.self,
        ],
        defaultSubcommand: ServeCommand.self
    )
}
