// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
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

    func resolved(seed: UInt64? = nil) throws -> StubOptions {
        StubOptions(
            rendersAllTemplates: try globalResponseTemplating
                || EnvironmentVariable(of: "--global-response-templating").isSet(),
            seed: seed,
            now: try OptionKind.time.value(now, "--now"),
            permittedSystemKeys: try OptionKind.systemKeys.values(permittedSystemKeys, "--permitted-system-keys")
        )
    }
}
