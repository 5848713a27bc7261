// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import RepriseServer

#if !CommandLine
    #error(
        "expected the package trait CommandLine, found it disabled; add .defaults to the traits of the dependency on reprise"
    )
#endif

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
        version: RepriseVersion.current,
        subcommands: [
            ServeCommand.self, RunCommand.self, RecordCommand.self, CheckCommand.self, ExplainCommand.self,
            RoutesCommand.self, HealthCommand.self, StopCommand.self, ResetCommand.self, RequestsCommand.self,
            CassetteCommand.self, AuthorityCommand.self,
        ],
        defaultSubcommand: ServeCommand.self
    )

    static func main() async {
        do {
            let command = try parseAsRoot(WireMockOptions.translated(CommandLine.arguments.dropFirst()))
            do {
                try await run(command)
            } catch let error as ValidationError {
                throw usageError(error, of: type(of: command))
            }
        } catch {
            let words = CommandLine.arguments.dropFirst()
            if words.first == "run", !words.contains("--"), exitCode(for: error) != .success {
                Report.message("mockserver: expected -- before the command, found none; write -- npm test, for example")
            }
            exit(withError: error)
        }
    }

    private static func run(_ command: any ParsableCommand) async throws {
        var command = command
        if var command = command as? any AsyncParsableCommand {
            try await command.run()
        } else {
            try command.run()
        }
    }

    /// Reports an error with the usage of the subcommand that found it. ArgumentParser does this only for the errors
    /// that it finds itself, and prints the usage of the whole program for all others.
    private static func usageError(_ error: ValidationError, of command: any ParsableCommand.Type) -> ExitCode {
        let words = [configuration.commandName, command.configuration.commandName].compactMap(\.self)
        Report.failure(
            """
            Error: \(error.message)
            Usage: \(usageString(for: command).replacing("\n", with: "\n       "))
              See '\(words.joined(separator: " ")) --help' for more information.
            """
        )
        return .validationFailure
    }
}
