// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import RepriseFixtures
import RepriseIO
import RepriseRecording
import RepriseServer
import RepriseStorage

struct RunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Run a command, such as tests, with a mock server.",
        usage: """
            mockserver run --serve PATH [--env NAME ...] [OPTIONS] -- COMMAND ...
            mockserver run CASSETTE [--replay | --record | --once] [OPTIONS] -- COMMAND ...
            mockserver run CASSETTE --upstream URL [--replay | --record | --once] [--env NAME ...] [OPTIONS] \
            -- COMMAND ...
            """,
        discussion: """
            The server listens on a free port of this machine, and stops when the command ends. The command gets the \
            server's URL in MOCKSERVER_URL and in the variables of --env. With a cassette and without --upstream, the \
            server is the proxy of the command, which gets variables such as https_proxy, and SSL_CERT_FILE with a \
            certificate authority that exists only for this run. At the end, the requests that nothing answered are \
            written to standard error, each with the nearest recordings.

            Exits with the status of the command, or with 128 plus the number of the signal that ended it; with 127 \
            if the command was not found, and with 126 if it cannot be executed. Exits with 70 if the command passed, \
            but a request was not answered, no request arrived, or the recording is not complete. If the server cannot \
            start, exits with 1 and does not run the command.

            Signals are passed on to the command; a second SIGTERM also ends this program at once. A recording is \
            written only if the command passes. If CI is set, nothing is recorded unless REPRISE_ALLOW_NETWORK=1 is set.
            """
    )

    @Argument(help: ArgumentHelp("The cassette to replay or record, FILE.cassette.json.", valueName: "cassette"))
    var cassette: String?

    @Argument(parsing: .postTerminator, help: ArgumentHelp("The command and its arguments.", valueName: "command"))
    var command: [String] = []

    @Option(help: ArgumentHelp("Serve this folder or file with fixtures; repeatable.", valueName: "path"))
    var serve: [String] = []

    @Option(help: ArgumentHelp("The server that the cassette stands for.", valueName: "url"))
    var upstream: String?

    @Flag var mode: RunMode?

    @Option(
        help: ArgumentHelp(
            """
            Set this variable to the server's URL; repeatable. NAME=/v1 appends a path, and {url}, {host}, and {port} \
            in NAME=value are replaced.
            """,
            valueName: "name"
        )
    )
    var env: [String] = []

    @Option(help: ArgumentHelp("Write a JUnit report of the requests that were not answered.", valueName: "file"))
    var report: String?

    @Option(help: "The port to listen on. (default: a free one)")
    var port: String?

    @Option(help: "The pace of recorded streams: recorded, instant, or a factor such as 0.1. (default: instant)")
    var pace: String?

    @Flag(help: "Let web pages from any origin read the answers, and answer preflight requests.")
    var cors = false

    @Flag(
        help: """
            On Linux: let the command reach nothing but the server and what it starts itself, so that requests that go \
            around the server fail.
            """
    )
    var sealed = false

    @Option(
        help: ArgumentHelp(
            """
            With a proxy: give each worker of a test runner its own place in the recordings. NAME is the variable in \
            which Node.js finds the worker's name, such as JEST_WORKER_ID or VITEST_POOL_ID.
            """,
            valueName: "name"
        )
    )
    var workerVar: String?

    @OptionGroup var proxy: ProxyArguments

    @OptionGroup var matching: MatchingArguments

    @OptionGroup var stubs: StubArguments

    @OptionGroup var upstreamOptions: UpstreamArguments

    func run() async throws {
        let plan = try plan()
        let reportPath = report ?? EnvironmentVariable(of: "--report").text()
        if let reportPath { try prepare(report: reportPath) }
        var options = try options(plan)
        let network = try sealed || EnvironmentVariable(of: "--sealed").isSet() ? options.seal() : nil
        let signals = try await ForwardedSignals()
        var fixtures = FixtureSet()
        switch plan.source {
        case .fixtures(let paths):
            options.configuration.tool.paths = paths
            options.configuration.proxy?.passing = try upstreamOptions.origins(recorder: nil)
            fixtures = try Report.loading { [configuration = options.configuration] () throws(FixtureProblems) in
                try configuration.load(paths)
            }
            Report.notes(fixtures.notes)
            Report.waitingRecordings(in: paths)
        case .recording(let url, let path):
            options.configuration.tool.paths = [path]
            let recorder = try upstreamOptions.recorder(
                path,
                mode: .overwrite,
                replacesLeftovers: true,
                from: "the cassette"
            )
            options.configuration.upstream = try url.map { try upstreamOptions.upstream($0, from: "--upstream") }
            options.configuration.upstream?.recorder = recorder
            if url == nil {
                let proxy = options.configuration.proxy
                options.configuration.proxy?.origins = try upstreamOptions.origins(recorder: recorder, of: proxy)
            }
        }
        let proxy = options.configuration.proxy
        options.configuration.proxy?.ignored += IgnoredHosts.unrecorded(fixtures, proxy)
        let server = try await ServerProcess.start(fixtures, options, nil)
        let end: CommandProcess.End
        do {
            let clients = try server.certificateAuthority.flatMap { plan.usesProxy ? try RunClients(server, $0) : nil }
            defer { clients?.removeFiles() }
            let recorder = server.configuration.recorder
            signals.atEnd {
                clients?.removeFiles()
                _ = try? recorder?.abandon()
            }
            end = try await run(plan, signals, server, clients?.environment.variables ?? [:], network)
        }
        await server.stop(grace: .seconds(2))
        let traffic = await server.trafficSummary()
        let recording = await finish(server, end, traffic)
        let verdict = RunVerdict(end, traffic, plan.hint, recording)
        Report.finish()
        for message in verdict.messages { Report.message("mockserver: \(message)") }
        var status = verdict.status
        do {
            let report = JUnitReport(traffic, recordingProblem: verdict.recordingProblem)
            if let reportPath { try FilePlace(reportPath).write(Array(report.xml.utf8)) }
        } catch {
            Report.message("mockserver: cannot write the report: \(error)")
            if status == 0 { status = RunVerdict.unreliable }
        }
        if case .killed(SIGINT, let byTerminal) = end { ProcessEnd.byInterrupt(withGroup: byTerminal) }
        throw ExitCode(status)
    }

    private func plan() throws -> RunPlan {
        let path = cassette
        let worker = workerVar ?? EnvironmentVariable(of: "--worker-var").text()
        // The variables of --serve, --upstream, and --port may be set for a server that this command does not start.
        let arguments = RunPlan.Arguments(
            fixtures: serve,
            cassette: path,
            upstream: upstream,
            mode: try mode ?? (path == nil ? nil : OptionKind.runMode.value(nil, "--mode")),
            usesProxy: proxy.proxy,
            variables: try OptionKind.runVariable.values(env, "--env") + (worker.map { [.worker($0)] } ?? []),
            command: command
        )
        let plan = try RunPlan(
            arguments,
            cassetteExists: path.map { !RecordingMode.once.records(to: $0) } ?? false,
            environment: ProcessInfo.processInfo.environment
        )
        if workerVar != nil, !plan.usesProxy {
            throw ValidationError("--worker-var: expected --proxy, found none; add --proxy")
        }
        return plan
    }

    private func options(_ plan: RunPlan) throws -> ListenArguments.Resolved {
        var configuration = MockServer.Configuration()
        configuration.proxy = try proxy.resolved(isImplied: plan.usesProxy)
        configuration.pace = try OptionKind.pace.value(pace, "--pace") ?? .instant
        configuration.matching = try matching.matchers()
        configuration.afterLast = try matching.resolvedAfterLast()
        configuration.stubs = try stubs.resolved()
        configuration.isCrossOriginAllowed = try cors || EnvironmentVariable(of: "--cors").isSet()
        let port = try port.map { try OptionKind.port.value($0, "--port") ?? 0 } ?? 0
        return ListenArguments.Resolved(port: port, isQuiet: true, configuration: configuration)
    }

    /// Runs the command until it has ended, and reports the processes that it leaves behind.
    private func run(
        _ plan: RunPlan,
        _ signals: ForwardedSignals,
        _ server: MockServer,
        _ added: [String: String],
        _ network: SealedNetwork?
    ) async throws -> CommandProcess.End {
        let (url, host) = (server.url.absoluteString, server.configuration.host)
        let variables = plan.variables.map { ($0.name, $0.value(url, host: host, port: server.port)) }
        let process: CommandProcess
        do throws(SystemError) {
            process = try signals.start { () throws(SystemError) in
                try CommandProcess(
                    plan.command,
                    adding: added.merging(variables) { $1 },
                    withholding: EnvironmentVariable.prefix,
                    in: network
                )
            }
        } catch {
            await server.stop(grace: .zero)
            _ = try? server.configuration.recorder?.abandon()
            Report.message("mockserver: \(error)")
            throw ExitCode(error.code == ENOENT ? 127 : 126)
        }
        // The command has the limits and the signals with which this process was started.
        ProcessLimits.ignoreBrokenPipe()
        _ = ProcessLimits.raiseDescriptorLimit()
        let thread = WorkerThreads(name: "command", limit: 1)
        let end = await thread.run { process.waitUntilEnd() }
        if await thread.run({ process.othersRemain(for: .seconds(2)) }) {
            let names = LeftoverProcesses.names(ofGroup: process.identifier)
            let list = names.map { ": \($0.joined(separator: ", "))" } ?? ""
            // Those that have ended, but for which no process waits, have no names.
            if names?.isEmpty != true {
                Report.message("mockserver: note: the server stops, but processes of the command still run\(list)")
            }
        }
        return end
    }

    private func finish(
        _ server: MockServer,
        _ end: CommandProcess.End,
        _ traffic: TrafficSummary
    ) async -> RunVerdict.Recording? {
        guard let recorder = server.configuration.recorder else { return nil }
        do {
            let recorded = recorder.summary
            guard RunVerdict.keepsRecording(end, traffic, recorded) else {
                _ = try recorder.abandon()
                return .abandoned(
                    path: recorder.path,
                    exists: FilePlace(recorder.path).exists,
                    shortcomings: recorded.shortcomings,
                    notes: recorded.notes
                )
            }
            let summary = try await server.finishRecording() ?? recorder.summary
            return .finished(
                exchanges: summary.exchanges,
                refused: summary.refused,
                notes: summary.notes,
                path: recorder.path
            )
        } catch {
            return .failed("\(error)")
        }
    }

    /// Removes the report of an earlier run, and checks that a new one can be written, so that a long run does not lose
    /// it.
    private func prepare(report: String) throws {
        let place = FilePlace(report)
        let folder = URL(filePath: report).deletingLastPathComponent().path
        var reason: String?
        if place.isFolder {
            reason = "expected a file, found a folder"
        } else if !FilePlace(folder).isWritable {
            reason = "expected a writable folder, found none at \(folder)"
        } else {
            do throws(FileError) { try place.removeFile() } catch { reason = "\(error)" }
        }
        if let reason { throw Report.failure("cannot write the report \(report): \(reason)") }
    }
}
