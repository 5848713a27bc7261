// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import RepriseFixtures
import RepriseText

struct CheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Check fixtures for problems without serving them.",
        discussion: """
            Secrets in recordings, such as tokens, keys, passwords, and cookies, are problems too. In route files and \
            stub mappings, they are notes, except for private keys and keys in a known service's format. A \
            reprise.yaml file next to the fixtures, or in a folder above them, defines what else is a secret and what \
            is not. Exits with 1 if there are problems.
            """
    )

    @Argument(help: ArgumentHelp("Folders and files with fixtures.", valueName: "path"))
    var paths: [String] = []

    @Flag(help: "Treat notes as problems.")
    var strict = false

    @OptionGroup var stubs: StubArguments

    func run() throws {
        let paths = try FixturePaths.resolved(paths)
        let options = try stubs.resolved()
        let set: FixtureSet
        do throws(FixtureProblems) {
            set = try FixtureLoader.load(paths, stubOptions: options)
        } catch {
            throw fail(error)
        }
        let secrets = SecretCheck(set)
        var problems = AnswerCheck.problems(set) + set.tolerated + secrets.problems
        let known = Set(problems)
        let notes = (set.notes + StubCheck.notes(set) + secrets.notes + secrets.framingNotes + secrets.standInNotes)
            .filter { !known.contains($0) }
        if strict { problems += notes } else { Report.notes(notes) }
        Report.waitingRecordings(in: paths)
        guard problems.isEmpty else { throw fail(FixtureProblems(problems)) }
        Report.line("\(set.count), no problems")
    }

    private func fail(_ problems: FixtureProblems) -> ExitCode {
        Report.line("\(problems)")
        return Report.failure(Report.count(problems.problems.count, "problem"))
    }
}
