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
            SIGHUP reloads the fixtures, unless the terminal that the server was started from was closed: then it \
            stops the server. SIGINT and SIGTERM let responses in flight finish, for at most five seconds, and exit \
            with 0. A second signal, at least half a second later, exits immediately with 128 plus the signal's number.
            """
    )

    @Argument(help: ArgumentHelp("Folders and files with fixtures.", valueName: "path"))
    var paths: [String] = []

    @OptionGroup var options: ServeOptions

    func run() async throws {
        var resolved = try options.resolved()
        let staticFolder = resolved.configuration.staticFolder
        let paths = try FixturePaths.resolved(paths + options.rootDir, mayBeEmpty: staticFolder != nil)
        if !resolved.isQuiet {
            resolved.configuration.requestLog = Terminal().hasColors ? .colored : .plain
        }
        let signals = try await ServerProcess.prepare()
        resolved.configuration.tool.paths = paths
        let server = try await start(paths, &resolved, signals)
        let upstream = resolved.configuration.upstream
        // Loading needs several times the memory of serving.
        ProcessMemory.returnUnused()
        ProcessMemory.forgetStartCode()
        for await request in signals.requests {
            guard request == .reload else { break }
            await reload(server, paths)
        }
        await server.stop()
        Report.finish()
        if let recorder = upstream?.recorder { try await ServerProcess.finish(recorder, of: server) }
    }

    /// Loads the fixtures, starts the server, and reports that it is listening.
    private func start(
        _ paths: [String],
        _ resolved: inout ListenArguments.Resolved,
        _ signals: Signals
    ) async throws -> MockServer {
        let stubOptions = resolved.configuration.stubs
        let fixtures = try Report.loading { () throws(FixtureProblems) in
            try FixtureLoader.load(paths, stubOptions: stubOptions)
        }
        Report.notes(fixtures.notes)
        if let list = try routes(fixtures) { Report.message(list) }
        resolved.configuration.upstream = try options.upstream()
        let server = try await ServerProcess.start(fixtures, resolved, signals)
        signals.beginServing()
        let configuration = resolved.configuration
        let summary = Self.summary(fixtures, configuration.staticFolder, configuration.upstream)
        try ServerProcess.announce(server, summary, resolved)
        return server
    }

    /// The list of what the fixtures answer; nil without `--verbose`.
    private func routes(_ set: FixtureSet) throws -> String? {
        guard try options.isVerbose() else { return nil }
        let matching = options.matching
        let rules = MatchingRules(try matching.matchers(), afterLast: try matching.resolvedAfterLast())
        return RouteList(set, options: rules.options).table()
    }

    private static func summary(
        _ fixtures: FixtureSet,
        _ staticFolder: String?,
        _ upstream: MockServer.Upstream?
    ) -> String {
        var parts = fixtures.paths.isEmpty && staticFolder != nil ? [] : [fixtures.summary]
        if let staticFolder { parts.append("static files from \(staticFolder)") }
        if let upstream {
            parts.append("\(upstream.recorder == nil ? "forwarding" : "recording") the rest from \(upstream.url)")
        }
        return parts.joined(separator: ", ")
    }

    private func reload(_ server: MockServer, _ paths: [String]) async {
        await load(paths, into: server)
        ProcessMemory.returnUnused()
    }

    private func load(_ paths: [String], into server: MockServer) async {
        do {
            let set = try await server.reload(paths)
            for note in set.notes { Report.messageWhileServing("note: \(note)") }
            if let list = try routes(set) { Report.messageWhileServing(list) }
            Report.messageWhileServing("reloaded \(set.summary)")
        } catch {
            Report.messageWhileServing(
                "\(error)\nnot reloaded: the previous fixtures stay in use; fix the problems and send SIGHUP again"
            )
        }
    }
}
