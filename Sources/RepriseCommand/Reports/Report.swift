// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import RepriseFixtures
import RepriseIO
import RepriseText

/// What the program tells its user: results on standard output, everything else on standard error.
enum Report {
    /// A result, written at once.
    static func line(_ text: String) {
        write(text, to: .output)
    }

    /// A result of several lines, which has its line ends.
    static func text(_ text: String) {
        write(text.hasSuffix("\n") ? String(text.dropLast()) : text, to: .output)
    }

    /// Something worth knowing.
    static func message(_ text: String) {
        write(text, to: .error)
    }

    private static let background = BackgroundWriter(.error)

    /// Something worth knowing while the server runs, which waits for no reader.
    static func messageWhileServing(_ text: String) {
        background.write(Array((text + "\n").utf8))
    }

    /// Shows a line on the terminal in the place of the one before.
    static func status(_ text: String) {
        background.write(Array("\r\u{1B}[K\(text)".utf8))
    }

    /// Waits, for a second at most, until the messages of the running server are written.
    static func finish() {
        background.finish(within: .seconds(1))
    }

    private static func write(_ text: String, to stream: StandardStream) {
        // A reader that has gone away is no reason for a server to stop.
        try? StandardStream.write(text + "\n", to: stream)
    }

    /// Why the program cannot go on.
    static func failure(_ text: String) {
        message(text)
    }

    /// What was passed over while fixtures were loaded.
    static func notes(_ notes: [FixtureProblem]) {
        for note in notes { message("note: \(note)") }
    }

    /// Runs `load`; on problems prints all of them and exits with 1.
    static func loading(_ load: () throws(FixtureProblems) -> FixtureSet) throws -> FixtureSet {
        do throws(FixtureProblems) {
            return try load()
        } catch {
            failure("\(error)")
            let count = error.problems.count
            failure("\(count) problem\(count == 1 ? "" : "s") in the fixtures; nothing is served")
            throw ExitCode(1)
        }
    }
}

/// The fixtures to work on, from the command line or the environment.
enum FixturePaths {
    static func resolved(_ paths: [String]) throws -> [String] {
        if !paths.isEmpty { return paths }
        let fromEnvironment = EnvironmentVariable(of: "--paths").text()
        if let fromEnvironment { return fromEnvironment.split(separator: ":").map(String.init) }
        throw ValidationError("expected at least one folder or file with fixtures, such as: mockserver Fixtures/")
    }
}
