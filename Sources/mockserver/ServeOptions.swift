// SPDX-License-Identifier: Apache-2.0

public import ArgumentParser
public import RepriseFixtures
public import RepriseServer

/// How requests are matched: the options that `serve` and `explain` share.
struct MatchingArguments: ParsableArguments {
    @Option(help: "What follows the last answer of a sequence: repeat, miss or restart. (default: repeat)")
    var afterLast: MatchingOptions.AfterLast?

    @Flag(help: "Only answer requests whose host is the recorded one.")
    var matchHost = false

    @Option(help: ArgumentHelp("Compare this request header too; repeatable.", valueName: "name"))
    var matchHeader: [String] = []

    func options() throws -> MatchingOptions {
        var options = MatchingOptions()
        options.afterLast = try afterLast ?? EnvironmentVariable(of: "--after-last").parsed() ?? .repeat
        options.requiresHost = try matchHost || EnvironmentVariable(of: "--match-host").isSet()
        options.headerNames = matchHeader.isEmpty ? EnvironmentVariable(of: "--match-header").list() : matchHeader
        return options
    }
}

/// The options of `serve`.
struct ServeOptions: ParsableArguments {
    @Option(help: "The port to listen on; 0 takes a free one. (default: 8080)")
    var port: UInt16?

    @Option(help: "The address to listen on. (default: 127.0.0.1)")
    var host: String?

    @Option(help: "The number of threads that serve. (default: 1)")
    var threads: Int?

    @Option(help: "The pace of recorded streams: recorded, instant, or a factor such as 0.1. (default: recorded)")
    var pace: Pace?

    @Option(help: "The time to the head of a response: none or recorded. (default: none)")
    var latency: Latency?

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
        configuration.threads = try threads ?? EnvironmentVariable(of: "--threads").parsed() ?? configuration.threads
        guard (1...256).contains(configuration.threads) else {
            throw ValidationError("--threads: expected 1 to 256, found \(configuration.threads)")
        }
        configuration.pace = try pace ?? EnvironmentVariable(of: "--pace").parsed() ?? configuration.pace
        configuration.latency = try latency ?? EnvironmentVariable(of: "--latency").parsed() ?? configuration.latency
        configuration.matching = try matching.options()
        configuration.isCrossOriginAllowed = try cors || EnvironmentVariable(of: "--cors").isSet()
        return Resolved(
            port: Int(try port ?? EnvironmentVariable(of: "--port").parsed() ?? 8080),
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

extension MatchingOptions.AfterLast: ExpressibleByArgument {}

extension Latency: ExpressibleByArgument {}

extension Pace: ExpressibleByArgument {
    /// `recorded`, `instant`, or a factor that is not negative.
    public init?(argument: String) {
        switch argument {
        case "recorded": self = .recorded
        case "instant": self = .instant
        default:
            guard let factor = Double(argument), factor.isFinite, factor >= 0 else { return nil }
            self = .factor(factor)
        }
    }
}
