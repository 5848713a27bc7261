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
            SIGHUP reloads the fixtures. If the terminal that the server was started from was closed, it stops the \
            server instead. SIGINT and SIGTERM let responses in flight finish, for at most five seconds, and exit \
            with 0. A second signal, at least half a second later, exits immediately with 128 plus the signal's number.
            """
    )

    @Argument(help: ArgumentHelp("Folders and files with fixtures.", valueName: "path"))
    var paths: [String] = []

    @OptionGroup var options: ServeOptions

    func run() async throws {
        var resolved = try options.resolved()
        let staticFolder = resolved.configuration.staticFolder
        let mayBeEmpty = staticFolder != nil || resolved.configuration.admin.isEnabled
        let paths = try FixturePaths.resolved(paths + options.rootDir, mayBeEmpty: mayBeEmpty)
        if !resolved.isQuiet {
            resolved.configuration.requestLog = Terminal().hasColors ? .colored : .plain
        }
        let signals = try await ServerProcess.prepare()
        resolved.configuration.tool.paths = paths
        let watch = try await watch(paths)
        let server = try await start(paths, &resolved, signals, watch)
        if let watch { signals.follow(watch) }
        let recorder = resolved.configuration.upstream?.recorder ?? resolved.configuration.proxy?.origins?.recorder
        // Loading needs several times the memory of serving.
        ProcessMemory.returnUnused()
        ProcessMemory.forgetStartCode()
        let reloading = Task {
            for await request in signals.reloads { await reload(server, paths, after: request, watch) }
        }
        await signals.stopRequested()
        // The server does not wait for a load that has begun.
        reloading.cancel()
        await server.stop()
        Report.finish()
        if let recorder {
            try await ServerProcess.finish(recorder, of: server, mayBeEmpty: true)
        }
    }

    /// Loads the fixtures, starts the server, and reports that it is listening.
    private func start(
        _ paths: [String],
        _ resolved: inout ListenArguments.Resolved,
        _ signals: Signals,
        _ watch: FixtureWatch?
    ) async throws -> MockServer {
        let fixtures = try Report.loading { [configuration = resolved.configuration] () throws(FixtureProblems) in
            try configuration.load(paths)
        }
        watch?.watchBodies(of: fixtures)
        Report.notes(fixtures.notes)
        Report.waitingRecordings(in: paths)
        if let list = try routes(fixtures) { Report.message(list) }
        try options.setUpstream(in: &resolved.configuration)
        let server = try await ServerProcess.start(fixtures, resolved, signals)
        signals.beginServing()
        let configuration = resolved.configuration
        let summary = Self.summary(fixtures, configuration)
        try ServerProcess.announce(server, summary, resolved)
        if fixtures.total == 0, configuration.staticFolder == nil, configuration.upstream == nil {
            Report.message(try emptyNote(server, paths))
        }
        return server
    }

    /// Returns a note for a server without fixtures, which says how to add some.
    private func emptyNote(_ server: MockServer, _ paths: [String]) throws -> String {
        let stubs = "POST a stub mapping to \(server.url)/__admin/mappings"
        guard let folder = paths.first else { return "note: nothing to serve yet; \(stubs), or start with a folder" }
        let reload = try options.isWatching() ? "" : " and send SIGHUP"
        return "note: nothing to serve yet; \(stubs), or add files to \(folder)\(reload)"
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
        _ configuration: MockServer.Configuration
    ) -> String {
        let (staticFolder, upstream) = (configuration.staticFolder, configuration.upstream)
        var parts = fixtures.paths.isEmpty && staticFolder != nil ? [] : [fixtures.summary]
        if let staticFolder { parts.append("static files from \(staticFolder)") }
        if let upstream {
            parts.append("\(upstream.recorder == nil ? "forwarding" : "recording") the rest from \(upstream.url)")
        }
        if let proxy = configuration.proxy {
            parts.append("also as a proxy" + (proxy.origins == nil ? "" : ", recording the rest"))
        }
        return parts.joined(separator: ", ")
    }

    /// Starts watching the files, before they are loaded; nil without `--watch`.
    private func watch(_ paths: [String]) async throws -> FixtureWatch? {
        guard try options.isWatching() else { return nil }
        if paths.isEmpty, options.watch {
            throw ValidationError("--watch: expected a folder or file with fixtures, found none; add one")
        }
        do {
            return try await FixtureWatch(paths) { Report.messageWhileServing("error: \($0)") }
        } catch {
            throw Report.failure("--watch: \(error)")
        }
    }

    private func reload(
        _ server: MockServer,
        _ paths: [String],
        after request: Signals.Request,
        _ watch: FixtureWatch?
    ) async {
        await load(paths, into: server, after: request, watch)
        ProcessMemory.returnUnused()
    }

    private func load(
        _ paths: [String],
        into server: MockServer,
        after request: Signals.Request,
        _ watch: FixtureWatch?
    ) async {
        do {
            watch?.beginLoading()
            let set = try await server.reload(paths) { !Task.isCancelled }
            if Task.isCancelled { return }
            watch?.watchBodies(of: set)
            for note in set.notes { Report.messageWhileServing("note: \(note)") }
            if let list = try routes(set) { Report.messageWhileServing(list) }
            Report.messageWhileServing("reloaded \(set.summary)")
        } catch {
            if Task.isCancelled { return }
            if let problems = error as? FixtureProblems { watch?.watchBodies(ofFixturesIn: problems) }
            let next = request == .reload ? "fix the problems and send SIGHUP again" : "fix the problems"
            Report.messageWhileServing("\(error)\nnot reloaded: the previous fixtures stay in use; \(next)")
        }
    }
}
