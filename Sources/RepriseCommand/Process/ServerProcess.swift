// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Logging
import RepriseFixtures
import RepriseIO
import RepriseRecording
import RepriseServer
import RepriseStorage
import RepriseText

/// Runs `serve` and `record`: a process that is a server until it receives a signal to stop.
enum ServerProcess {
    /// Changes settings of the whole process, which the library leaves to the program.
    static func prepare() async throws -> Signals {
        ProcessLimits.ignoreBrokenPipe()
        _ = ProcessLimits.raiseDescriptorLimit()
        // Do this before the ready line: a signal may arrive right after it.
        return try await Signals()
    }

    /// Starts the server. If that fails, reports why and exits with 1.
    ///
    /// - Parameter signals: What a client stops over the admin API; nil for the server alone.
    static func start(
        _ set: FixtureSet,
        _ options: ListenArguments.Resolved,
        _ signals: Signals?
    ) async throws -> MockServer {
        var configuration = options.configuration
        if let signals { configuration.shutDown = { signals.requestStop() } }
        configuration.tool.program = Tool.invocation.program
        if configuration.removeOwnProxies(port: options.port) {
            Report.message(
                """
                note: the proxy that http_proxy or https_proxy names is this server itself, so it is not used; to use \
                another one, add --upstream-proxy
                """
            )
        }
        configuration.logger = Logger(label: "mockserver") { _ in StandardErrorLog() }
        do {
            for path in configuration.tool.paths {
                configuration.proxy?.ignored += try RedactionFile.ignoredHosts(beside: path)
            }
            return try await MockServer.start(
                fixtures: set.fixtures,
                stubs: set.stubs,
                port: options.port,
                configuration: configuration
            )
        } catch {
            // Nothing was recorded. If the empty log cannot be deleted, the next recording continues it.
            _ = try? (configuration.upstream?.recorder ?? configuration.proxy?.origins?.recorder)?.abandon()
            throw Report.failure("\(error)")
        }
    }

    /// - Parameter what: What the server serves, for the ready line.
    static func announce(_ server: MockServer, _ what: String, _ options: ListenArguments.Resolved) throws {
        warnOfOpenHost(options.configuration.host)
        if let portFile = options.portFile {
            do {
                try write(server.port, to: FilePlace(portFile))
            } catch {
                throw Report.failure("cannot write the port file \(portFile): \(error.reason)")
            }
        }
        if server.refusesBrowsers {
            let isStrict = options.configuration.admin.requiresTokenFromBrowsers
            let reason =
                isStrict ? "of --admin-strict" : "this server may serve pages from recordings or other servers"
            Report.message(
                """
                note: browsers can't use the admin API, because \(reason); to allow browsers that send a token, use \
                --admin-token
                """
            )
        }
        Report.line("mockserver listening on \(server.url) (\(what))")
        switch options.configuration.tls {
        case .localAuthority(let folder?, _):
            Report.line("to trust its certificate, run: curl --cacert \(folder)/ca.pem \(server.url)/")
        case .localAuthority(nil, _):
            Report.line(
                """
                the certificate is new at each start; use --tls-folder to keep its authority, \
                or run: curl --insecure \(server.url)/
                """
            )
        case .files, nil: break
        }
        if let proxy = options.configuration.proxy { announce(proxy, of: server) }
    }

    private static func announce(_ proxy: MockServer.ForwardProxy, of server: MockServer) {
        if case .folder(let folder) = proxy.authority {
            let url = "https://api.example.com/"
            return Report.line("to try the proxy, run: curl --proxy \(server.url) --cacert \(folder)/ca.pem \(url)")
        }
        Report.line(
            """
            the proxy's certificate authority is new at each start; use --proxy-folder to keep it, or let clients \
            trust \(server.url)/__admin/certs/wiremock-ca.crt
            """
        )
    }

    /// Writes the port to a file. The server does not wait for the reader of a FIFO.
    private static func write(_ port: Int, to file: FilePlace) throws(FileError) {
        let line = Array("\(port)\n".utf8)
        guard file.isFIFO, let thread = try? EventLoop(name: "port file") else { return try file.write(line) }
        thread.execute {
            do { try file.write(line) } catch { Report.messageWhileServing("error: cannot write the port: \(error)") }
        }
    }

    /// Whether a host is a loopback address, as users write it in a URL or on its own.
    static func isLoopback(_ host: String) -> Bool {
        AdminHost.isLoopback(HostAndPort.name(host))
    }

    private static func warnOfOpenHost(_ host: String) {
        guard !isLoopback(host) else { return }
        Report.message(
            """
            warning: \(host) is not a loopback address, so other machines can read the recorded traffic; \
            use --host 127.0.0.1 to prevent this
            """
        )
    }

    /// Ends a recording: writes the cassette and reports what was recorded.
    ///
    /// - Parameter mayBeEmpty: Whether there may be nothing to record, because fixtures can answer all requests.
    /// - Throws: Exit code 1 if an exchange was not written, or if nothing was recorded and that is not expected.
    static func finish(_ recorder: CassetteRecorder, of server: MockServer, mayBeEmpty: Bool) async throws {
        let summary: CassetteRecorder.Summary
        do {
            guard let finished = try await server.finishRecording() else { return }
            summary = finished
        } catch {
            throw Report.failure("\(error)")
        }
        for note in summary.notes { Report.message("note: \(note)") }
        if !summary.isEmpty {
            Report.line("recorded \(Report.count(summary.exchanges, "exchange")) into \(recorder.path)")
        }
        if summary.refused > 0 { throw Report.failure("\(Report.count(summary.refused, "exchange")) not written") }
        guard mayBeEmpty || !summary.isEmpty else { throw ExitCode(1) }
    }
}
