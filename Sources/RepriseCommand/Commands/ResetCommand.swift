// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

struct ResetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reset",
        abstract: "Reset a running server to the state of its files.",
        discussion: """
            Removes the stubs that were added, restores those of the files, starts every sequence and scenario over, and \
            clears the journal.
            """
    )

    @OptionGroup var server: ServerArguments

    func run() async throws {
        try await server.client().change("/__admin/reset")
        Report.line("reset")
    }
}
