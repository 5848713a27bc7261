// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import RepriseServer

/// Where and how a server listens: the options that `serve` and `record` share.
struct ListenArguments: ParsableArguments {
    @Option(help: "The port to listen on; 0 takes a free one. (default: 8080)")
    var port: String?

    @Option(help: "The address to listen on. (default: 127.0.0.1)")
    var host: String?

    @Option(help: "The number of threads that serve. (default: 1)")
    var threads: String?

    @OptionGroup var tls: TLSArguments

    @Option(help: ArgumentHelp("Write the port to this file once the server listens.", valueName: "file"))
    var portFile: String?

    @Flag(help: "No line for each request on standard error.")
    var quiet = false

    /// What the arguments and, where they are silent, the environment ask for.
    func resolved() throws -> Resolved {
        var configuration = MockServer.Configuration()
        configuration.host = host ?? EnvironmentVariable(of: "--host").text() ?? configuration.host
        configuration.threads = try ThreadCount.resolved(threads, "--threads")?.number ?? configuration.threads
        configuration.tls = try tls.resolved()
        return Resolved(
            port: try Port.resolved(port, "--port")?.number ?? 8080,
            portFile: portFile ?? EnvironmentVariable(of: "--port-file").text(),
            isQuiet: try quiet || EnvironmentVariable(of: "--quiet").isSet(),
            configuration: configuration
        )
    }

    struct Resolved {
        var port: Int
        var portFile: String?
        var isQuiet: Bool
        var configuration: MockServer.Configuration
    }
}
