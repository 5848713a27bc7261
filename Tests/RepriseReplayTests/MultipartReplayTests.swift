// SPDX-License-Identifier: Apache-2.0

import Foundation
import Reprise
import RepriseReplay
import Testing

/// A form has a new boundary each time, which matching ignores.
@Suite struct MultipartReplayTests {
    private let folder = try! TemporaryFolder()

    private func upload(_ title: String, _ photo: String, with transport: any Transport) async throws -> String {
        try await Client("https://api.example.com", transport: transport).post("/photos").multipart {
            $0.file("photo", URL(filePath: photo))
        }
        .parameters(["title": title]).send().text
    }

    @Test func matchesFormsWithDifferentBoundaries() async throws {
        let path = folder.path("a.cassette.json")
        let photo = try folder.write("not really a photo", to: "a.png")
        let stub = StubTransport { $0.post("/photos", .text("first"), .text("second")) }
        let recording = try RecordingTransport(over: stub, to: path)
        #expect(try await upload("Sunset", photo, with: recording) == "first")
        #expect(try await upload("Sunrise", photo, with: recording) == "second")
        try recording.finish()
        let replaying = try ReplayingTransport(path)
        #expect(try await upload("Sunrise", photo, with: replaying) == "second")
        #expect(try await upload("Sunset", photo, with: replaying) == "first")
        await #expect(throws: ClientError.self) { try await upload("Noon", photo, with: replaying) }
    }
}
