// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import RepriseFixtures

struct ExplainCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Say which fixture would answer a request, and why the others would not.",
        discussion: "Nothing is sent. Exits with 1 if no fixture would answer."
    )

    @Argument(help: "The method, such as GET.")
    var method: String

    @Argument(help: "The URL, or the path with its query.")
    var url: String

    @Argument(help: ArgumentHelp("Folders and files with fixtures.", valueName: "path"))
    var paths: [String] = []

    @Option(name: .customShort("H"), help: ArgumentHelp("A header line; repeatable.", valueName: "name: value"))
    var headers: [String] = []

    @Option(name: .customShort("d"), help: ArgumentHelp("The body.", valueName: "body"))
    var body: String?

    @OptionGroup var matching: MatchingArguments

    func run() throws {
        let paths = try FixturePaths.resolved(paths)
        let lines = try headers.map { text in
            guard let line = HeaderLine(text) else {
                throw ValidationError("-H: expected 'Name: value', found '\(text)'")
            }
            return line
        }
        let fixtures = try Report.loading { () throws(FixtureProblems) in try FixtureLoader.load(paths) }
        Report.notes(fixtures.notes)
        let index = FixtureIndex(fixtures.fixtures, options: try matching.options())
        let request = OwnedRequest(method: method, url: url, headers: lines, body: body.map { Array($0.utf8) } ?? [])
        let explanation = Explanation(index, request)
        Report.text(explanation.text())
        if explanation.outcome == .miss { throw ExitCode(1) }
    }
}
