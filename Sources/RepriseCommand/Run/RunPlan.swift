// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import RepriseText

/// How `mockserver run` uses its cassette.
enum RunMode: String, EnumerableFlag {
    case replay, record, once

    static func help(for mode: RunMode) -> ArgumentHelp? {
        switch mode {
        case .replay: "Answer from the cassette alone. This is the default."
        case .record: "Record the cassette, and replace an existing one if the command passes."
        case .once: "Replay the cassette if it exists, and record it otherwise."
        }
    }
}

/// What `mockserver run` does: what the server answers with, and the command that it runs.
struct RunPlan: Equatable {
    enum Source: Equatable {
        /// The fixtures at these paths answer.
        case fixtures([String])
        /// The server at a URL answers, or, without a URL, the host of each request that comes through the proxy. What
        /// they answer is recorded into a cassette.
        case recording(url: String?, cassette: String)
    }

    /// What the command line and the environment say.
    struct Arguments {
        var fixtures: [String] = []
        var cassette: String?
        var upstream: String?
        var mode: RunMode?
        var usesProxy = false
        var variables: [RunVariable] = []
        var command: [String] = []
    }

    let source: Source
    /// Whether the command reaches the server as its proxy, with the URLs of other hosts.
    let usesProxy: Bool
    let variables: [RunVariable]
    let command: [String]

    /// - Parameters:
    ///   - exists: Whether the cassette exists, so that it can be replayed.
    ///   - environment: The environment variables.
    /// - Throws: `ValidationError` if arguments are missing or contradict each other, or if the network is needed and
    ///   not allowed.
    init(_ arguments: Arguments, cassetteExists exists: Bool, environment: [String: String]) throws {
        guard !arguments.command.isEmpty else {
            throw ValidationError("expected -- and a command, found none; add -- npm test")
        }
        command = arguments.command
        variables = [.standard] + arguments.variables
        guard arguments.fixtures.isEmpty else {
            try Contradiction.refuse(
                "--serve",
                with: [
                    "a cassette": arguments.cassette != nil, "--upstream": arguments.upstream != nil,
                    "--\(arguments.mode?.rawValue ?? "")": arguments.mode != nil,
                ]
            )
            source = .fixtures(arguments.fixtures)
            usesProxy = arguments.usesProxy
            return
        }
        let example = Tool.command("run", "--serve", "Fixtures/", "--env", "API_URL", "--", "npm", "test")
        guard let cassette = arguments.cassette else {
            throw ValidationError("expected --serve or a cassette, found neither; run: \(example)")
        }
        guard cassette.hasSuffix(".cassette.json") else {
            throw ValidationError(
                "expected a file whose name ends in .cassette.json, found '\(cassette)'; write the command after --"
            )
        }
        if let url = arguments.upstream {
            try Contradiction.refuse("--upstream \(url)", with: ["--proxy": arguments.usesProxy])
        }
        usesProxy = arguments.upstream == nil
        let mode = arguments.mode ?? .replay
        guard mode == .record || mode == .once && !exists else {
            guard exists else {
                throw ValidationError("\(cassette) does not exist; to record it, run this command with --record")
            }
            source = .fixtures([cassette])
            return
        }
        guard !NetworkPermission.isForbidden({ environment[$0] }) else {
            throw ValidationError(
                NetworkPermission.refusal(of: mode.rawValue, cassette: cassette, isMissing: mode == .once)
            )
        }
        source = .recording(url: arguments.upstream, cassette: cassette)
    }
}

extension RunPlan {
    /// What to check if no request arrived.
    var hint: String {
        usesProxy
            ? "check that the command uses the proxy in https_proxy or http_proxy"
            : "check that the command reads its URL from \(variables.map(\.name).joined(separator: " or "))"
    }
}

extension OptionKind<RunMode> {
    static var runMode: Self { Self("replay, record, or once") { RunMode(rawValue: $0) } }
}
