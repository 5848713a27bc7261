// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import RepriseFixtures
import RepriseIO
import RepriseRecording
import RepriseServer
import RepriseText

struct RecordCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "record",
        abstract: "Forward requests to a server and record the exchanges.",
        discussion: """
            Requests are sent to the upstream server, responses are passed back unchanged, chunk by chunk, and both \
            are written to a cassette with likely secrets removed. SIGINT and SIGTERM let responses in flight finish, \
            for at most five seconds, and then write the cassette. If nothing was recorded, no cassette is created. Exits \
            with 1 then, and if an exchange was not written.
            """
    )

    @Argument(help: "The upstream server's URL, such as https://staging.example.com.")
    var upstream: String?

    @Option(help: ArgumentHelp("The cassette to write, FILE.cassette.json.", valueName: "file"))
    var out: String?

    @Option(
        help: """
            What to do with an existing cassette: append adds to it, once replays it instead of recording, and \
            overwrite replaces it. (default: append)
            """
    )
    var mode: String?

    @Option(
        help: ArgumentHelp(
            "Record only these requests, replacing them in the cassette, and forward all others.",
            valueName: "method path"
        )
    )
    var only: String?

    @OptionGroup var upstreamOptions: UpstreamArguments
    @OptionGroup var listening: ListenArguments

    func run() async throws {
        var options = try listening.resolved()
        let url = upstream ?? EnvironmentVariable(of: "--upstream").text()
        if url == nil, options.configuration.proxy == nil {
            throw ValidationError(
                """
                expected the upstream server's URL, or --proxy, found none; run: \
                \(Tool.command("record", "https://staging.example.com", "--out", "api.cassette.json"))
                """
            )
        }
        guard let path = out ?? EnvironmentVariable(of: "--out").text() else {
            throw ValidationError("--out: expected the cassette to write, found none; add --out api.cassette.json")
        }
        if let upstream, listening.proxy.proxy {
            throw ValidationError("expected \(upstream) or --proxy, found both; remove one of them")
        }
        let mode = try OptionKind.mode.value(mode, "--mode") ?? .append
        if mode != .append { try Contradiction.refuse("--mode \(mode.rawValue)", with: ["--only": only != nil]) }
        var upstream =
            try options.configuration.proxy == nil
            ? url.map { try upstreamOptions.upstream($0, from: "upstream") } : nil
        let only = try selection()
        let signals = try await ServerProcess.prepare()
        let showsStatus = Terminal().replacesLines
        if !options.isQuiet, !showsStatus { options.configuration.requestLog = .plain }
        if only == nil, !mode.records(to: path) {
            return try await replay(path, options, signals)
        }
        let recorder = try upstreamOptions.recorder(path, mode: mode, only: only, from: "--out")
        upstream?.recorder = recorder
        if var proxy = options.configuration.proxy {
            proxy.origins = try upstreamOptions.origins(recorder: recorder, of: proxy)
            proxy.ignored += IgnoredHosts.unrecorded(FixtureSet(), proxy)
            options.configuration.proxy = proxy
        }
        options.configuration.tool.paths = [path]
        options.configuration.upstream = upstream
        let server = try await ServerProcess.start(FixtureSet(), options, signals)
        signals.beginServing()
        try ServerProcess.announce(
            server,
            "recording \(upstream?.url ?? "all hosts, as a proxy,") into \(path)",
            options
        )
        let status = showsStatus && !options.isQuiet ? RecordingStatus(recorder) : nil
        await signals.stopRequested()
        await server.stop()
        await status?.end()
        Report.finish()
        try await ServerProcess.finish(recorder, of: server, mayBeEmpty: false)
    }

    /// The requests to record; nil for all.
    private func selection() throws -> RequestSelection? {
        let variable = EnvironmentVariable(of: "--only")
        guard let text = only ?? variable.text() else { return nil }
        do {
            return try RequestSelection(text)
        } catch {
            throw ValidationError("\(only == nil ? variable.name : "--only"): \(error)")
        }
    }

    /// Serves an existing cassette, for the mode `once`.
    private func replay(_ path: String, _ options: ListenArguments.Resolved, _ signals: Signals) async throws {
        let fixtures = try Report.loading { () throws(FixtureProblems) in try FixtureLoader.load([path]) }
        Report.notes(fixtures.notes)
        var options = options
        options.configuration.tool.paths = [path]
        let server = try await ServerProcess.start(fixtures, options, signals)
        signals.beginServing()
        try ServerProcess.announce(server, "replaying \(path), recorded once", options)
        await signals.stopRequested()
        await server.stop()
        Report.finish()
    }
}
