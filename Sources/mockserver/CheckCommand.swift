// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import RepriseFixtures

struct CheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Read fixtures and say what is wrong with them, without serving.",
        discussion: "Exits with 1 if anything is wrong."
    )

    @Argument(help: ArgumentHelp("Folders and files with fixtures.", valueName: "path"))
    var paths: [String] = []

    func run() throws {
        let paths = try FixturePaths.resolved(paths)
        let set: FixtureSet
        do throws(FixtureProblems) {
            set = try FixtureLoader.load(paths)
        } catch {
            Report.line("\(error)")
            let count = error.problems.count
            Report.failure("\(count) problem\(count == 1 ? "" : "s")")
            throw ExitCode(1)
        }
        Report.notes(set.notes)
        Report.line("\(set.fixtures.count) fixtures, no problems")
    }
}
