// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import RepriseFixtures
import RepriseText

struct RoutesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "routes",
        abstract: "List the requests that the fixtures answer, with their answers.",
        discussion: """
            Lists each request once, with its answers in the order in which they are played, and the fixtures that \
            they come from. A body of '-' means that only a request without content is answered.
            """
    )

    @Argument(help: ArgumentHelp("Folders and files with fixtures.", valueName: "path"))
    var paths: [String] = []

    @Flag(help: "Print JSON instead of a table.")
    var json = false

    @OptionGroup var files: StaticArguments

    @OptionGroup var matching: MatchingArguments

    func run() throws {
        let staticFolder = try files.folder()
        let paths = try FixturePaths.resolved(paths, mayBeEmpty: staticFolder != nil)
        let rules = MatchingRules(try matching.matchers(), afterLast: try matching.resolvedAfterLast())
        let isJSON = try json || EnvironmentVariable(of: "--json").isSet()
        let set = try Report.loading { () throws(FixtureProblems) in try FixtureLoader.load(paths) }
        Report.notes(set.notes)
        let list = RouteList(set, options: rules.options)
        if isJSON { Report.json(list.json()) } else { Report.text(list.table()) }
        // The JSON lists fixtures only, because any file may be added to the folder later.
        guard let staticFolder, !isJSON else { return }
        Report.line("GET and HEAD without a fixture: static files from \(staticFolder.path)")
    }
}
