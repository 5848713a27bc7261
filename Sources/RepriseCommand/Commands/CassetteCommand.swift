// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import RepriseRecording

struct CassetteCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cassette",
        abstract: "Change recorded cassettes.",
        subcommands: [CassetteRedactCommand.self, CassetteRecoverCommand.self]
    )
}

struct CassetteRedactCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "redact",
        abstract: "Remove likely secrets from cassettes.",
        discussion: """
            Redacts a cassette and its body files as a recording does, with the standard rules and those of the \
            reprise.yaml next to the cassette or in a folder above it. Entries without secrets don't change. Prints \
            each place that contained a secret, without the secret.
            """
    )

    @Argument(help: ArgumentHelp("The cassettes, FILE.cassette.json.", valueName: "file"))
    var files: [String]

    @Flag(help: "Only print what would be removed.")
    var dryRun = false

    func run() throws {
        for path in files { try redact(path) }
    }

    private func redact(_ path: String) throws {
        do {
            let redaction = try CassetteRedaction(path)
            for finding in redaction.findings { Report.line("\(path): \(finding)") }
            for note in redaction.notes { Report.message("note: \(path): \(note)") }
            if dryRun { try redaction.discard() } else { try redaction.write() }
            if let refusal = redaction.refusal { throw refusal }
            let scope = redaction.notes.isEmpty ? "" : " in the parts that can be scanned"
            let count = redaction.findings.count
            let verb = dryRun ? "found" : "redacted"
            let result =
                count == 0 ? "no secrets found\(scope)" : "\(verb) \(Report.count(count, "place")) with secrets"
            Report.line("\(path): \(result)")
        } catch {
            throw Report.failure("\(error)")
        }
    }
}

struct CassetteRecoverCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "recover",
        abstract: "Add the exchanges of an interrupted recording to its cassette.",
        discussion: """
            A recording that was killed leaves its exchanges in FILE.cassette.json.recording-log. The next recording \
            to the same cassette adds them too.
            """
    )

    @Argument(help: ArgumentHelp("The cassettes, FILE.cassette.json.", valueName: "file"))
    var files: [String]

    func run() throws {
        for path in files { try recover(path) }
    }

    private func recover(_ path: String) throws {
        guard WaitingRecording(cassette: path) != nil else {
            return Report.line("\(path): no exchanges to recover")
        }
        do {
            let recorder = try CassetteRecorder(path, configuration: CassetteRecorder.Configuration(mode: .append))
            for note in try recorder.finish().notes { Report.line(note) }
        } catch {
            throw Report.failure("\(error)")
        }
    }
}
