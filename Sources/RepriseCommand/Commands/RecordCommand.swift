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
        abstract: "Stand before a server, pass everything on, and record it.",
        discussion: """
            Requests go to the upstream server, responses come back as they are, chunk by chunk, and both are written to a \
            cassette, without what looks like a secret. SIGINT and SIGTERM finish what is in flight, for five seconds at \
            most, and then the cassette. Exits with 1 if something was not written.
            """
    )

    @Argument(help: "The upstream server's URL, such as https://staging.example.com.")
    var upstream: String?

    @Option(help: ArgumentHelp("The cassette to write, FILE.cassette.json.", valueName: "file"))
    var out: String?

    @Option(
        help: """
            What to do about the cassette that is there: append to it, once: replay it instead of recording, or \
            overwrite it. (default: append)
            """
    )
    var mode: String?

    @Option(
        help: ArgumentHelp(
            "Record these requests anew, in their place in the cassette, and pass on the others.",
            valueName: "method path"
        )
    )
    var only: String?

    @OptionGroup var upstreamOptions: UpstreamArguments
    @OptionGroup var listening: ListenArguments

    func run() async throws {
        guard let url = upstream ?? EnvironmentVariable(of: "--upstream").text() else {
            throw ValidationError("expected the upstream server's URL, such as: mockserver record https://example.com")
        }
        guard let path = out ?? EnvironmentVariable(of: "--out").text() else {
            throw ValidationError("--out: expected the cassette to write, such as --out api.cassette.json")
        }
        var options = try listening.resolved()
        let mode = try RecordingMode.resolved(mode, "--mode") ?? .append
        var upstream = try upstreamOptions.upstream(url, from: "upstream")
        let only = try selection()
        let signals = try await ServerProcess.prepare()
        let isTerminal = StandardStream.error.isTerminal
        if !options.isQuiet, !isTerminal { options.configuration.requestLog = .plain }
        if only == nil, !mode.records(to: path) {
            return try await replay(path, options, signals)
        }
        let recorder = try upstreamOptions.recorder(path, mode: mode, only: only, from: "--out")
        upstream.recorder = recorder
        options.configuration.upstream = upstream
        let server = try await ServerProcess.start([], options)
        signals.beginServing()
        try ServerProcess.announce(server, "recording \(upstream.url) into \(path)", options)
        let status = isTerminal && !options.isQuiet ? RecordingStatus(recorder) : nil
        for await request in signals.requests where request == .stop { break }
        await server.stop()
        await status?.end()
        Report.finish()
        try await ServerProcess.finish(recorder, of: server)
    }

    /// The requests to record anew; nil for all.
    private func selection() throws -> RequestSelection? {
        let variable = EnvironmentVariable(of: "--only")
        guard let text = only ?? variable.text() else { return nil }
        do {
            return try RequestSelection(text)
        } catch {
            throw ValidationError("\(only == nil ? variable.name : "--only"): \(error)")
        }
    }

    /// What `once` means when there is a cassette already.
    private func replay(_ path: String, _ options: ListenArguments.Resolved, _ signals: Signals) async throws {
        let fixtures = try Report.loading { () throws(FixtureProblems) in try FixtureLoader.load([path]) }
        Report.notes(fixtures.notes)
        let server = try await ServerProcess.start(fixtures.fixtures, options)
        signals.beginServing()
        try ServerProcess.announce(server, "replaying \(path), recorded once", options)
        for await request in signals.requests where request == .stop { break }
        await server.stop()
        Report.finish()
    }
}
