// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import RepriseFixtures
import RepriseServer

/// How requests are matched: the options that `serve` and `explain` share.
struct MatchingArguments: ParsableArguments {
    @Option(help: "What follows the last answer of a sequence: repeat, miss or restart. (default: repeat)")
    var afterLast: String?

    @Flag(help: "Only answer requests whose host is the recorded one.")
    var matchHost = false

    @Option(help: ArgumentHelp("Compare this request header too; repeatable.", valueName: "name"))
    var matchHeader: [String] = []

    func options() throws -> MatchingOptions {
        var options = MatchingOptions()
        options.afterLast = try .resolved(afterLast, "--after-last") ?? .repeat
        options.requiresHost = try matchHost || EnvironmentVariable(of: "--match-host").isSet()
        options.headerNames = try headerNames()
        return options
    }

    private func headerNames() throws -> [String] {
        let variable = EnvironmentVariable(of: "--match-header")
        let (names, place) = matchHeader.isEmpty ? (variable.list(), variable.name) : (matchHeader, "--match-header")
        return try names.map { try HeaderName.parsed($0, from: place).text }
    }
}

/// The options of `serve`.
struct ServeOptions: ParsableArguments {
    @Option(help: "The port to listen on; 0 takes a free one. (default: 8080)")
    var port: String?

    @Option(help: "The address to listen on. (default: 127.0.0.1)")
    var host: String?

    @Option(help: "The number of threads that serve. (default: 1)")
    var threads: String?

    @Option(help: "The pace of recorded streams: recorded, instant, or a factor such as 0.1. (default: recorded)")
    var pace: String?

    @Option(help: "The time to the head of a response: none or recorded. (default: none)")
    var latency: String?

    @OptionGroup var matching: MatchingArguments

    @Flag(help: "Let pages from any origin read the answers, and answer preflights.")
    var cors = false

    @Option(help: ArgumentHelp("Write the port to this file once the server listens.", valueName: "file"))
    var portFile: String?

    @Flag(help: "No line for each request on standard error.")
    var quiet = false

    /// What the arguments and, where they are silent, the environment ask for.
    func resolved() throws -> Resolved {
        var configuration = MockServer.Configuration()
        configuration.host = host ?? EnvironmentVariable(of: "--host").text() ?? configuration.host
        configuration.threads = try ThreadCount.resolved(threads, "--threads")?.number ?? configuration.threads
        configuration.pace = try .resolved(pace, "--pace") ?? configuration.pace
        configuration.latency = try .resolved(latency, "--latency") ?? configuration.latency
        configuration.matching = try matching.options()
        configuration.isCrossOriginAllowed = try cors || EnvironmentVariable(of: "--cors").isSet()
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
