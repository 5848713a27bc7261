// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import RepriseFixtures
import RepriseIO
import RepriseServer
import RepriseText

struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Serve fixtures (the default).",
        discussion: """
            SIGHUP reloads the fixtures. SIGINT and SIGTERM let responses in flight finish, for at most five seconds, \
            and exit with 0. A second signal, at least half a second later, exits immediately with 128 plus the \
            signal's number.
            """
    )

    @Argument(help: ArgumentHelp("Folders and files with fixtures.", valueName: "path"))
    var paths: [String] = []

    @OptionGroup var options: ServeOptions

    func run() async throws {
        let paths = try FixturePaths.resolved(paths)
        var resolved = try options.resolved()
        if !resolved.isQuiet {
            resolved.configuration.requestLog = StandardStream.error.isTerminal ? .colored : .plain
        }
        let signals = try await ServerProcess.prepare()
        let fixtures = try Report.loading { () throws(FixtureProblems) in try FixtureLoader.load(paths) }
        Report.notes(fixtures.notes)
        let upstream = try options.upstream()
        resolved.configuration.upstream = upstream
        resolved.configuration.tool.paths = paths
        let server = try await ServerProcess.start(fixtures.fixtures, resolved)
        signals.beginServing()
        try ServerProcess.announce(server, Self.summary(fixtures, upstream), resolved)
        for await request in signals.requests {
            guard request == .reload else { break }
            await reload(server, paths)
        }
        await server.stop()
        Report.finish()
        if let recorder = upstream?.recorder { try await ServerProcess.finish(recorder, of: server) }
    }

    private static func summary(_ fixtures: FixtureSet, _ upstream: MockServer.Upstream?) -> String {
        guard let upstream else { return fixtures.summary }
        let verb = upstream.recorder == nil ? "forwarding" : "recording"
        return "\(fixtures.summary), \(verb) the rest from \(upstream.url)"
    }

    private func reload(_ server: MockServer, _ paths: [String]) async {
        do {
            let set = try await server.reload(paths)
            for note in set.notes { Report.messageWhileServing("note: \(note)") }
            Report.messageWhileServing("reloaded \(set.summary)")
        } catch {
            Report.messageWhileServing(
                "\(error)\nnot reloaded: the previous fixtures stay in use; fix the problems and send SIGHUP again"
            )
        }
    }
}
