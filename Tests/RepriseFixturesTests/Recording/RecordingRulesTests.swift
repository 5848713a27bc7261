// SPDX-License-Identifier: Apache-2.0

import Foundation
import RepriseCassettes
import RepriseRecording
import RepriseText
import Testing

@Suite struct RecordingRulesTests {
    private func record(in folder: String) throws -> String {
        let path = "\(folder)/a.cassette.json"
        let recorder = try CassetteRecorder(path)
        let request = RecordedRequest(method: "GET", url: "http://a.example/?ssn=123-45-6789&password=hunter2")
        let recording = recorder.begin(request, at: .zero)
        recording.requestEnd(at: .zero)
        recording.head(status: 204, reason: "No Content", headers: [], at: .zero)
        recording.end(.complete, at: .zero)
        _ = try recorder.finish()
        return try String(contentsOfFile: path, encoding: .utf8)
    }

    private func withFolder(_ body: (String) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "reprise-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try body(folder)
    }

    @Test func takesOutWhatTheFileBesideTheCassetteNames() throws {
        try withFolder { folder in
            try "redact: {names: [ssn]}\n".write(toFile: "\(folder)/reprise.yaml", atomically: true, encoding: .utf8)
            let text = try record(in: folder)
            #expect(!text.contains("123-45-6789"))
            #expect(!text.contains("hunter2"))
        }
    }

    @Test func recordsNothingByRulesThatItCannotRead() throws {
        try withFolder { folder in
            try "redact: {nams: [ssn]}\n".write(toFile: "\(folder)/reprise.yaml", atomically: true, encoding: .utf8)
            let error = #expect(throws: RecordingError.self) { try record(in: folder) }
            #expect(error?.description.contains("reprise.yaml:1:") == true)
            #expect(!FileManager.default.fileExists(atPath: "\(folder)/a.cassette.json"))
        }
    }
}
