// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import RepriseServer

/// The options that `serve` and `record` share, for how the server listens.
struct ListenArguments: ParsableArguments {
    @Option(help: "The port to listen on; 0 selects a free one. (default: 8080)")
    var port: String?

    @Option(help: "The address to listen on. (default: 127.0.0.1)")
    var host: String?

    @Option(help: "The number of server threads. (default: 1)")
    var threads: String?

    @OptionGroup var tls: TLSArguments

    @OptionGroup var proxy: ProxyArguments

    @OptionGroup var admin: AdminArguments

    @Option(help: ArgumentHelp("The number of requests that the journal keeps. (default: 10000)", valueName: "count"))
    var journalEntries: String?

    @Option(
        help: ArgumentHelp(
            "The number of request bytes that the journal keeps, such as 64MiB. (default: 4MiB)",
            valueName: "size"
        )
    )
    var journalBytes: String?

    @Option(
        help: ArgumentHelp(
            "The maximum total size of request bodies in memory. Requests above it get 503. (default: 256MiB)",
            valueName: "size"
        )
    )
    var bodyBytes: String?

    @Option(help: ArgumentHelp("Write the port to this file when the server is ready.", valueName: "file"))
    var portFile: String?

    @Flag(help: "Let web pages from any origin read the answers, and answer preflight requests.")
    var cors = false

    @Flag(help: "Don't write a line for each request to standard error.")
    var quiet = false

    func resolved() throws -> Resolved {
        var configuration = MockServer.Configuration()
        configuration.host = host ?? EnvironmentVariable(of: "--host").text() ?? configuration.host
        configuration.threads = try OptionKind.threads.value(threads, "--threads") ?? configuration.threads
        configuration.tls = try tls.resolved()
        configuration.proxy = try proxy.resolved()
        if configuration.proxy != nil, configuration.tls != nil {
            throw ValidationError("expected --proxy or --tls, found both; remove one of them")
        }
        configuration.admin = try admin.resolved()
        configuration.isCrossOriginAllowed = try cors || EnvironmentVariable(of: "--cors").isSet()
        // Each thread has a part of the journal.
        if let count = try OptionKind.journalEntries.value(journalEntries, "--journal-entries") {
            configuration.journalRecords = max(1, count / configuration.threads)
        }
        if let size = try OptionKind.byteCount.value(journalBytes, "--journal-bytes") {
            configuration.journalBytes = max(1024, size / configuration.threads)
        }
        configuration.bodyBytes = try OptionKind.byteCount.value(bodyBytes, "--body-bytes") ?? configuration.bodyBytes
        return Resolved(
            port: try OptionKind.port.value(port, "--port") ?? 8080,
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
