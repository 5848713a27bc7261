// SPDX-License-Identifier: Apache-2.0

import Foundation
import RepriseCassettes
import RepriseFixtures
import RepriseRecording
import Testing

@testable import RepriseServer

@Suite struct ServerControlTests {
    private final class WeakState {
        weak var state: ServingState?

        init(_ state: ServingState) {
            self.state = state
        }
    }

    private let hello = Fixture.recorded("https://api.example.com/hello", response: .text("hi"))

    private func control(
        _ configuration: MockServer.Configuration = MockServer.Configuration()
    ) -> (ServerControl, SharedState) {
        let shared = SharedState(ServingState([hello], configuration: configuration))
        return (ServerControl(shared, loops: [], configuration: configuration), shared)
    }

    @Test func reloadFreesPreviousFixtures() async throws {
        let (control, shared) = control()
        let former = WeakState(shared.current)
        try await control.reload(FixtureSet(fixtures: [hello]))
        #expect(former.state == nil)
        #expect(shared.current.generation == 1)
    }

    /// A request in progress keeps the fixtures that it is answered from; the next change of any kind frees them.
    @Test func laterChangeFreesFixturesThatWereInUse() async throws {
        let (control, shared) = control()
        var inUse: ServingState? = shared.current
        let former = WeakState(shared.current)
        try await control.reload(FixtureSet(fixtures: [hello]))
        #expect(inUse?.generation == 0)
        inUse = nil
        #expect(former.state != nil)
        await control.reset()
        #expect(former.state == nil)
    }

    @Test func finishingCanBeRetriedAfterAnError() async throws {
        try await withTemporaryFolder { folder in
            let recorder = try CassetteRecorder(folder + "/a.cassette.json")
            var configuration = MockServer.Configuration()
            configuration.upstream = try MockServer.Upstream("http://127.0.0.1:1", recorder: recorder)
            let (control, _) = control(configuration)
            let request = RecordedRequest(method: "GET", url: "http://127.0.0.1:1/")
            let recording = recorder.begin(request, at: .zero)
            recording.requestEnd(at: .zero)
            recording.head(status: 204, reasonBytes: Array("No Content".utf8), headers: [], at: .zero)
            recording.end(.complete, at: .zero)
            // With a folder in the place of the temporary file, the cassette can't be written.
            try FileManager.default.createDirectory(atPath: recorder.path + ".tmp/x", withIntermediateDirectories: true)
            await #expect(throws: (any Error).self) { try await control.finishRecording() }
            try FileManager.default.removeItem(atPath: recorder.path + ".tmp")
            #expect(try await control.finishRecording() != nil)
            #expect(FileManager.default.fileExists(atPath: recorder.path))
            #expect(try await control.finishRecording() == nil)
        }
    }
}
