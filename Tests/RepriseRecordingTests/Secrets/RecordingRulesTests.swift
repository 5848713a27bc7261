// SPDX-License-Identifier: Apache-2.0

import Foundation
import RepriseCassettes
import RepriseRecording
import RepriseTestSupport
import RepriseText
import Testing

@testable import RepriseFixtures

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

    @Test func appliesRulesFromFileNextToCassette() throws {
        try withFolder { folder in
            try "redact: {names: [ssn]}\n".write(toFile: "\(folder)/reprise.yaml", atomically: true, encoding: .utf8)
            let text = try record(in: folder)
            #expect(!text.contains("123-45-6789"))
            #expect(!text.contains("hunter2"))
        }
    }

    @Test func recordsNothingIfRulesAreInvalid() throws {
        try withFolder { folder in
            try "redact: {nams: [ssn]}\n".write(toFile: "\(folder)/reprise.yaml", atomically: true, encoding: .utf8)
            let error = #expect(throws: RecordingError.self) { try record(in: folder) }
            #expect(error?.description.contains("reprise.yaml:1:") == true)
            #expect(!FileManager.default.fileExists(atPath: "\(folder)/a.cassette.json"))
        }
    }

    @Test func findsSameRulesAsSecretCheck() throws {
        let folder = try TemporaryFolder([
            "reprise.yaml": "redact: {patterns: ['acme_[a-z]{4}']}", "project/Package.swift": "",
            "project/a/x.get.txt": "acme_abcd", "b/c/y.get.txt": "acme_abcd",
        ])
        func check(_ name: String) throws -> [String] {
            try SecretCheck(FixtureLoader.load(["\(folder.path)/\(name)"])).problems.map(\.file)
        }
        #expect(try check("b/c") == ["\(folder.path)/b/c/y.get.txt"])
        #expect(try check("project/a").isEmpty)
        for (name, isRedacted) in [("b/c", true), ("project/a", false)] {
            let recorder = try CassetteRecorder(
                "\(folder.path)/\(name)/a.cassette.json",
                configuration: .ticking()
            )
            recorder.record(.get("/acme_abcd"))
            _ = try recorder.finish()
            #expect(try folder.text("\(name)/a.cassette.json").contains("acme_abcd") != isRedacted)
        }
    }
}
