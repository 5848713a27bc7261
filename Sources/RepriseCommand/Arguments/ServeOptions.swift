// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import RepriseFixtures
import RepriseMatching
import RepriseRecording
import RepriseServer

/// How requests are matched: the options that `serve` and `explain` share.
struct MatchingArguments: ParsableArguments {
    @Option(help: "What follows the last answer of a sequence: repeat, miss or restart. (default: repeat)")
    var afterLast: String?

    @Flag(help: "Only answer requests whose host is the recorded one.")
    var matchHost = false

    @Option(help: ArgumentHelp("Compare this request header too; repeatable.", valueName: "name"))
    var matchHeader: [String] = []

    /// What is compared.
    func matchers() throws -> [Matcher] {
        var matchers = [Matcher].standard
        if try matchHost || EnvironmentVariable(of: "--match-host").isSet() { matchers.append(.host) }
        let names = try headerNames()
        if !names.isEmpty { matchers.append(.headers(names)) }
        return matchers
    }

    /// What follows the last answer.
    func resolvedAfterLast() throws -> AfterLast {
        try .resolved(afterLast, "--after-last") ?? .repeat
    }

    private func headerNames() throws -> [String] {
        let variable = EnvironmentVariable(of: "--match-header")
        let (names, place) = matchHeader.isEmpty ? (variable.list(), variable.name) : (matchHeader, "--match-header")
        return try names.map { try HeaderName.parsed($0, from: place).text }
    }
}

/// The options of `serve`.
struct ServeOptions: ParsableArguments {
    @OptionGroup var listening: ListenArguments

    @Option(help: "The pace of recorded streams: recorded, instant, or a factor such as 0.1. (default: recorded)")
    var pace: String?

    @Option(help: "The time to the head of a response: none or recorded. (default: none)")
    var latency: String?

    @OptionGroup var matching: MatchingArguments

    @Flag(help: "Let pages from any origin read the answers, and answer preflights.")
    var cors = false

    @Option(help: ArgumentHelp("Forward what no fixture answers to this server.", valueName: "url"))
    var unmatchedTo: String?

    @Option(help: ArgumentHelp("Record what is forwarded, behind what this cassette holds.", valueName: "file"))
    var record: String?

    @OptionGroup var forwarding: UpstreamArguments

    /// What the arguments and, where they are silent, the environment ask for.
    func resolved() throws -> ListenArguments.Resolved {
        var resolved = try listening.resolved()
        resolved.configuration.pace = try .resolved(pace, "--pace") ?? resolved.configuration.pace
        resolved.configuration.latency = try .resolved(latency, "--latency") ?? resolved.configuration.latency
        resolved.configuration.matching = try matching.matchers()
        resolved.configuration.afterLast = try matching.resolvedAfterLast()
        resolved.configuration.isCrossOriginAllowed = try cors || EnvironmentVariable(of: "--cors").isSet()
        return resolved
    }

    /// The server that answers what no fixture does, with its recorder.
    func upstream() throws -> MockServer.Upstream? {
        let path = record ?? EnvironmentVariable(of: "--record").text()
        guard let url = unmatchedTo ?? EnvironmentVariable(of: "--unmatched-to").text() else {
            if path != nil { throw ValidationError("--record: expected --unmatched-to beside it, with a server's URL") }
            return nil
        }
        var upstream = try forwarding.upstream(url, from: "--unmatched-to")
        upstream.recorder = try path.map { try forwarding.recorder($0, mode: .append, from: "--record") }
        return upstream
    }
}
