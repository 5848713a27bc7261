// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import RepriseDocuments
import RepriseFixtures
import RepriseIO
import RepriseRecording
import RepriseText

/// The program's output: results on standard output, everything else on standard error.
enum Report {
    /// Writes a result immediately.
    static func line(_ text: String) {
        write(text, to: .output)
    }

    /// Writes a result of several lines, of which the last may have a line ending.
    static func text(_ text: String) {
        write(text.hasSuffix("\n") ? String(text.dropLast()) : text, to: .output)
    }

    /// Writes a line of safe texts in colors.
    static func colored(_ text: String) {
        write(safe: text, to: .output)
    }

    static func json(_ json: JSONTree) {
        Self.json(String(decoding: json.bytes, as: UTF8.self))
    }

    /// Writes JSON, which remains JSON: control characters outside of ASCII are escaped in its way.
    static func json(_ text: String) {
        let line = text.hasSuffix("\n") ? text.dropLast() : text[...]
        let scalars = line.unicodeScalars.map { scalar in
            (0x7F...0x9F).contains(scalar.value) ? "\\u00" + String(scalar.value, radix: 16) : String(scalar)
        }
        write(safe: scalars.joined(), to: .output)
    }

    static func message(_ text: String) {
        write(text, to: .error)
    }

    private static let background = BackgroundWriter(.error)

    /// Writes a message while the server runs, without waiting for a reader.
    static func messageWhileServing(_ text: String) {
        background.write(Array((DisplayText.escaped(lines: text) + "\n").utf8))
    }

    /// Shows a line on the terminal in place of the previous one.
    static func status(_ text: String) {
        background.write(Array("\r\u{1B}[K\(text)".utf8))
    }

    /// Waits at most one second until the messages of the running server are written.
    static func finish() {
        background.finish(within: .seconds(1))
    }

    /// Writes text without the control characters that it may contain, such as those in the names of files.
    private static func write(_ text: String, to stream: StandardStream) {
        write(safe: DisplayText.escaped(lines: text), to: stream)
    }

    private static func write(safe text: String, to stream: StandardStream) {
        // The server continues even if nothing reads its output anymore.
        try? StandardStream.write(text + "\n", to: stream)
    }

    /// Reports why the program stops.
    ///
    /// - Returns: The exit code to throw.
    @discardableResult
    static func failure(_ text: String) -> ExitCode {
        message(text)
        return ExitCode(1)
    }

    /// Returns a number with its noun, such as `2 problems`.
    static func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }

    static func notes(_ notes: [FixtureProblem]) {
        for note in notes { message("note: \(note)") }
    }

    /// Reports recordings that were interrupted and are not in their cassettes yet.
    static func waitingRecordings(in paths: [String]) {
        for recording in WaitingRecording.all(in: paths) {
            let command = Tool.command("cassette", "recover", recording.cassette)
            message("note: \(recording.reason); to add them, run: \(command)")
        }
    }

    /// Runs `load`. If there are problems, prints all of them and exits with 1.
    static func loading(_ load: () throws(FixtureProblems) -> FixtureSet) throws -> FixtureSet {
        do throws(FixtureProblems) {
            return try load()
        } catch {
            failure("\(error)")
            let count = count(error.problems.count, "problem")
            throw failure("\(count) in the fixtures; fix them and run the command again")
        }
    }
}

/// The paths of the fixtures, from the command line or the environment.
enum FixturePaths {
    /// - Parameter mayBeEmpty: Whether something other than fixtures is served.
    static func resolved(_ paths: [String], mayBeEmpty: Bool = false) throws -> [String] {
        if !paths.isEmpty { return paths }
        let fromEnvironment = EnvironmentVariable(of: "--paths").text()
        if let fromEnvironment { return fromEnvironment.split(separator: ":").map(String.init) }
        if mayBeEmpty { return [] }
        throw ValidationError("expected a folder or file with fixtures, found none; run: \(Tool.command("Fixtures/"))")
    }
}
