// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import RepriseFixtures
import RepriseMatching
import RepriseRecording
import RepriseServer

/// The options that `serve` and `explain` share, for how requests are matched.
struct MatchingArguments: ParsableArguments {
    @Option(help: "What follows the last answer of a sequence: repeat, miss, or restart. (default: repeat)")
    var afterLast: String?

    @Flag(help: "Answer only requests whose host matches the recorded one.")
    var matchHost = false

    @Option(help: ArgumentHelp("Compare this request header as well; repeatable.", valueName: "name"))
    var matchHeader: [String] = []

    @Option(help: ArgumentHelp("Don't compare query parameters with this name; repeatable.", valueName: "name"))
    var ignoreQuery: [String] = []

    @Option(
        help: ArgumentHelp(
            "Don't compare this part of JSON bodies, a JSON pointer such as /requestId; repeatable.",
            valueName: "pointer"
        )
    )
    var ignoreJson: [String] = []

    func matchers() throws -> [Matcher] {
        var matchers = [Matcher].standard
        if try matchHost || EnvironmentVariable(of: "--match-host").isSet() { matchers.append(.host) }
        let names = try OptionKind.headerName.values(matchHeader, "--match-header")
        if !names.isEmpty { matchers.append(.headers(names)) }
        let ignoredNames = EnvironmentVariable(of: "--ignore-query").list(unless: ignoreQuery, "--ignore-query").texts
        if !ignoredNames.isEmpty { matchers.append(.query(ignoring: ignoredNames)) }
        let pointers = try OptionKind.pointer.values(ignoreJson, "--ignore-json")
        if !pointers.isEmpty { matchers.append(.body(ignoring: pointers)) }
        return matchers
    }

    func resolvedAfterLast() throws -> AfterLast {
        try OptionKind.afterLast.value(afterLast, "--after-last") ?? .repeat
    }
}

struct ServeOptions: ParsableArguments {
    @OptionGroup var listening: ListenArguments

    @Option(help: "The pace of recorded streams: recorded, instant, or a factor such as 0.1. (default: recorded)")
    var pace: String?

    @Option(
        help: """
            The delay before the head of a response: none, recorded, milliseconds such as 200, or a random number of \
            them such as 200..800. (default: none)
            """
    )
    var latency: String?

    @Option(help: "The seed of random delays and of random values in templates. It makes them the same in each run.")
    var seed: String?

    @OptionGroup var matching: MatchingArguments

    @Option(
        help: ArgumentHelp(
            "Edit recorded responses, such as 'POST /v1/chat after event 3: reset'; repeatable.",
            valueName: "edit"
        )
    )
    var bend: [String] = []

    @OptionGroup var stubs: StubArguments

    @Option(
        help: ArgumentHelp(
            "Also send webhooks to this host, even if its address is not loopback or private; repeatable.",
            valueName: "host"
        )
    )
    var allowWebhooks: [String] = []

    @Option(help: .hidden)
    var rootDir: [String] = []

    @Flag(help: .hidden)
    var enableStubCors = false

    @Flag(help: "Send absolute Location URLs of recorded hosts as recorded, not as paths on this server.")
    var keepLocation = false

    @Flag(help: "Reload the fixtures whenever their files change.")
    var watch = false

    @Flag(help: "When the server starts and reloads, list the requests that the fixtures answer.")
    var verbose = false

    @OptionGroup var files: StaticArguments

    @Option(help: ArgumentHelp("Forward to this server the requests that no fixture answers.", valueName: "url"))
    var unmatchedTo: String?

    @Option(
        help: ArgumentHelp(
            """
            Append forwarded exchanges to this cassette. With --proxy, forward the requests that no fixture answers to \
            their hosts.
            """,
            valueName: "file"
        )
    )
    var record: String?

    @OptionGroup var forwarding: UpstreamArguments

    func resolved() throws -> ListenArguments.Resolved {
        var resolved = try listening.resolved()
        resolved.configuration.pace = try OptionKind.pace.value(pace, "--pace") ?? .recorded
        resolved.configuration.latency = try OptionKind.latency.value(latency, "--latency") ?? .none
        resolved.configuration.seed = try OptionKind.seed.value(seed, "--seed")
        resolved.configuration.stubs = try stubs.resolved(seed: resolved.configuration.seed)
        resolved.configuration.webhookHosts = try webhookHosts()
        resolved.configuration.matching = try matching.matchers()
        resolved.configuration.afterLast = try matching.resolvedAfterLast()
        resolved.configuration.bends = try bends()
        resolved.configuration.keepsLocations =
            try keepLocation || EnvironmentVariable(of: "--keep-location").isSet()
        if enableStubCors { resolved.configuration.isCrossOriginAllowed = true }
        resolved.configuration.staticFolder = files.path
        return resolved
    }

    /// The edits from the command line, or from the environment, one per line.
    private func bends() throws -> [Bend] {
        let (texts, place) = EnvironmentVariable(of: "--bend").list(unless: bend, "--bend") { $0 == "\n" }
        return try texts.map { text in
            do throws(BendText.Problem) { return try BendText(text).bend } catch {
                throw ValidationError("\(place) '\(text)': \(error)")
            }
        }
    }

    private func webhookHosts() throws -> [String] {
        let option = "--allow-webhooks"
        let (hosts, place) = EnvironmentVariable(of: option).list(unless: allowWebhooks, option)
        // An IPv6 address has at least two colons.
        for host in hosts where host.contains(where: { "/?#@[ ".contains($0) }) || host.split(separator: ":").count == 2
        {
            throw ValidationError(
                "\(place): expected a host such as hooks.example.com, found '\(host)'; leave out the scheme and the port"
            )
        }
        return hosts
    }

    func isWatching() throws -> Bool { try watch || EnvironmentVariable(of: "--watch").isSet() }

    func isVerbose() throws -> Bool { try verbose || EnvironmentVariable(of: "--verbose").isSet() }

    /// Sets where unmatched requests are forwarded to, with the recorder.
    func setUpstream(in configuration: inout MockServer.Configuration) throws {
        configuration.upstream = try upstream(hasProxy: configuration.proxy != nil)
        guard configuration.upstream == nil, configuration.proxy != nil else { return }
        let path = record ?? EnvironmentVariable(of: "--record").text()
        let recorder = try path.map { try forwarding.recorder($0, mode: .append, from: "--record") }
        let origins = try forwarding.origins(recorder: recorder, of: configuration.proxy)
        if recorder == nil { configuration.proxy?.passing = origins } else { configuration.proxy?.origins = origins }
    }

    /// The upstream for unmatched requests, with its recorder; nil if unmatched requests are misses.
    private func upstream(hasProxy: Bool) throws -> MockServer.Upstream? {
        let path = record ?? EnvironmentVariable(of: "--record").text()
        guard let url = unmatchedTo ?? EnvironmentVariable(of: "--unmatched-to").text() else {
            if hasProxy { return nil }
            if path != nil {
                throw ValidationError(
                    """
                    --record: expected --unmatched-to or --proxy, found neither; \
                    add --unmatched-to https://staging.example.com
                    """
                )
            }
            if let option = forwarding.given.first(where: \.value)?.key {
                throw ValidationError("\(option): expected --unmatched-to, found none; add --unmatched-to URL")
            }
            return nil
        }
        if path == nil, forwarding.allowUnscanned {
            throw ValidationError("--allow-unscanned: expected --record, found none; add --record api.cassette.json")
        }
        var upstream = try forwarding.upstream(url, from: "--unmatched-to")
        upstream.recorder = try path.map { try forwarding.recorder($0, mode: .append, from: "--record") }
        return upstream
    }
}
