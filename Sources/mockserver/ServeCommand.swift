// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import EventIO
import RepriseFixtures
import RepriseServer

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Serve fixtures (the default)."
    )

    @Argument(help: ArgumentHelp("Folders and files with fixtures.", valueName: "path"))
    var paths: [String] = []

    @OptionGroup var options: ServeOptions

    func run() async throws {
        let paths = try FixturePaths.resolved(paths)
        var resolved = try options.resolved()
        if !resolved.isQuiet {
            resolved.configuration.requestLog = StandardStream.error.isTerminal ? .coloured : .plain
        }
        // Before anything is announced: a signal that comes right after the ready line must find its handler.
        let signals = try await Signals([.interrupt, .terminate, .hangUp])
        let fixtures = try Report.loading { () throws(FixtureProblems) in try FixtureLoader.load(paths) }
        Report.notes(fixtures.notes)
        warnOfOpenHost(resolved.configuration.host)
        let server: MockServer
        do {
            server = try await MockServer.start(
                fixtures: fixtures.fixtures,
                port: resolved.port,
                configuration: resolved.configuration
            )
        } catch {
            Report.failure("\(error)")
            throw ExitCode(1)
        }
        try announce(server, fixtures: fixtures, portFile: resolved.portFile)
        for await signal in signals.received {
            guard signal == .hangUp else { break }
            reload(server, paths)
        }
        await server.stop()
    }

    private func announce(_ server: MockServer, fixtures: FixtureSet, portFile: String?) throws {
        if let portFile {
            do {
                try Data("\(server.port)\n".utf8).write(to: URL(filePath: portFile), options: .atomic)
            } catch {
                Report.failure("the port file \(portFile) cannot be written: \(error)")
                throw ExitCode(1)
            }
        }
        Report.line("mockserver listening on \(server.url) (\(fixtures.summary))")
    }

    private func reload(_ server: MockServer, _ paths: [String]) {
        do {
            let set = try server.reload(paths)
            Report.notes(set.notes)
            Report.message("reloaded \(set.summary)")
        } catch {
            Report.failure("\(error)\nnot reloaded: the former fixtures stay")
        }
    }

    private func warnOfOpenHost(_ host: String) {
        guard host != "localhost", host != "::1", !host.hasPrefix("127.") else { return }
        Report.message("warning: \(host) is not a loopback address; recorded traffic is readable from other machines")
    }
}
