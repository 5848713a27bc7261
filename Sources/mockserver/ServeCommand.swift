// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import EventIO
import Logging
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
        abstract: "Serve fixtures (the default).",
        discussion: """
            SIGHUP reloads the fixtures. SIGINT and SIGTERM finish what is in flight, for five seconds at most, and exit \
            with 0; a second one, half a second later or more, ends the program at once, with 128 \
            and its number.
            """
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
        // For the process as a whole, which is this program's to decide and not the library's.
        ProcessLimits.ignoreBrokenPipe()
        _ = ProcessLimits.raiseDescriptorLimit()
        resolved.configuration.logger = Logger(label: "mockserver") { _ in StandardErrorLog() }
        // Before anything is announced: a signal that comes right after the ready line must find its handler.
        let signals = try await Signals()
        let fixtures = try Report.loading { () throws(FixtureProblems) in try FixtureLoader.load(paths) }
        Report.notes(fixtures.notes)
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
        signals.beginServing()
        warnOfOpenHost(resolved.configuration.host)
        try announce(server, fixtures: fixtures, portFile: resolved.portFile)
        for await request in signals.requests {
            guard request == .reload else { break }
            reload(server, paths)
        }
        await server.stop()
        Report.finish()
    }

    private func announce(_ server: MockServer, fixtures: FixtureSet, portFile: String?) throws {
        if let portFile {
            do {
                try Data("\(server.port)\n".utf8).write(to: URL(filePath: portFile), options: .atomic)
            } catch {
                Report.failure("the port file \(portFile) cannot be written: \(Self.reason(error))")
                throw ExitCode(1)
            }
        }
        Report.line("mockserver listening on \(server.url) (\(fixtures.summary))")
    }

    /// Why a file could not be written, in a few words.
    private static func reason(_ error: any Error) -> String {
        switch (error as? CocoaError)?.code {
        case CocoaError.fileNoSuchFile?, CocoaError.fileReadNoSuchFile?: "no such file or directory"
        case CocoaError.fileWriteNoPermission?, CocoaError.fileReadNoPermission?: "permission denied"
        case CocoaError.fileWriteVolumeReadOnly?: "read-only file system"
        case CocoaError.fileWriteOutOfSpace?: "no space left on the device"
        case CocoaError.fileWriteInvalidFileName?: "the name is too long or not valid"
        default: "expected a path to a file in a folder that exists"
        }
    }

    private func reload(_ server: MockServer, _ paths: [String]) {
        do {
            let set = try server.reload(paths)
            for note in set.notes { Report.messageWhileServing("note: \(note)") }
            Report.messageWhileServing("reloaded \(set.summary)")
        } catch {
            Report.messageWhileServing("\(error)\nnot reloaded: the former fixtures stay")
        }
    }

    private func warnOfOpenHost(_ host: String) {
        guard host != "localhost", host != "::1", !host.hasPrefix("127.") else { return }
        Report.message("warning: \(host) is not a loopback address; recorded traffic is readable from other machines")
    }
}
