// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

struct StopCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stop",
        abstract: "Stop a running server.",
        discussion: "Responses in flight may finish, for at most five seconds."
    )

    @OptionGroup var server: ServerArguments

    func run() async throws {
        try await server.client().change("/__admin/shutdown")
        Report.line("stopping")
    }
}
