// SPDX-License-Identifier: Apache-2.0

internal import RepriseFixtures
internal import RepriseRecording
internal import RepriseRedaction

extension MockServer.Configuration {
    mutating func useRedactionOfFixtures() throws(StartError) {
        if let recorder {
            redaction = recorder.redaction.withoutStandIns
        } else if !tool.paths.isEmpty {
            do throws(FixtureProblems) {
                redaction = try RedactionFile.redactionOfTexts(aboutFixturesAt: tool.paths)
            } catch {
                throw StartError(redaction: error)
            }
        }
    }

    /// The redaction of what leaves the server in files, if nothing records. The rules are read again, because they may
    /// have changed since the start.
    func redactionOfFiles() throws(AdminFailure) -> Redaction {
        guard !tool.paths.isEmpty else { return redaction }
        do throws(FixtureProblems) { return try RedactionFile.redaction(ofFixturesAt: tool.paths) } catch {
            throw .conflict("\(error)")
        }
    }
}

extension ServerControl {
    /// Returns the redaction of entries of the journal: with the rules of the recorder, if there is one, and with the
    /// secrets that it knows.
    func redaction(of entries: [JournalEntry], scheme: String) throws(AdminFailure) -> JournalRedaction {
        let recorder = startedRecording?.recorder ?? configuration.recorder
        let rules = if let recorder { recorder.redaction } else { try configuration.redactionOfFiles() }
        return JournalRedaction(rules, SecretMemory(copying: recorder?.memory), of: entries, scheme: scheme)
    }
}
