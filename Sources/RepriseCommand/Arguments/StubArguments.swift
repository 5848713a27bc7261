// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import RepriseFixtures
import RepriseQueries
import RepriseStubAnswers

/// The options that determine how stubs answer. Most have the names of WireMock's options, so that its command lines
/// work here.
struct StubArguments: ParsableArguments {
    @Flag(help: "Treat the answers of all stubs as templates, even without the transformer response-template.")
    var globalResponseTemplating = false

    @Flag(help: .hidden)
    var localResponseTemplating = false

    @Option(
        help: ArgumentHelp(
            "The time that templates see, such as 2026-01-31T12:00:00Z, instead of the current one.",
            valueName: "time"
        )
    )
    var now: String?

    @Option(
        help: ArgumentHelp(
            "Let templates read environment variables that match this regular expression; repeatable.",
            valueName: "pattern"
        )
    )
    var permittedSystemKeys: [String] = []

    /// The values from the command line, or from the environment for options that are not given.
    ///
    /// - Parameter seed: The seed of random values.
    func resolved(seed: UInt64? = nil) throws -> StubOptions {
        let variable = EnvironmentVariable(of: "--permitted-system-keys")
        let (patterns, place) =
            permittedSystemKeys.isEmpty
            ? (variable.list(), variable.name) : (permittedSystemKeys, "--permitted-system-keys")
        return StubOptions(
            rendersAllTemplates: try globalResponseTemplating
                || EnvironmentVariable(of: "--global-response-templating").isSet(),
            seed: seed,
            now: try Instant.resolved(now, "--now")?.date,
            permittedSystemKeys: try patterns.map { try SystemKeyPattern.parsed($0, from: place).text }
        )
    }
}

/// A regular expression for the names of environment variables.
struct SystemKeyPattern: OptionValue {
    static let expected = "a regular expression such as APP_.*"

    let text: String

    init?(text: String) {
        guard (try? FoundationPattern(text)) != nil else { return nil }
        self.text = text
    }
}

/// A point in time in ISO 8601.
struct Instant: OptionValue {
    static let expected = "a time in ISO 8601 such as 2026-01-31T12:00:00Z"

    let date: Date

    init?(text: String) {
        guard let date = try? Date(text, strategy: .iso8601) else { return nil }
        self.date = date
    }
}
