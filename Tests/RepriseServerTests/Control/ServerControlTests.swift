// SPDX-License-Identifier: Apache-2.0

import Foundation
import RepriseCassettes
import RepriseFixtures
import RepriseRecording
import RepriseText
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
        await control.resetToFiles()
        #expect(former.state == nil)
    }

    /// A change is made as a whole, also after its client has left.
    @Test func reloadInCanceledTaskIsServed() async throws {
        try await withTemporaryFolder { folder in
            try Data("a".utf8).write(to: URL(fileURLWithPath: folder + "/a.get.txt"))
            let (control, shared) = control()
            let count = try await withThrowingTaskGroup(of: Int.self) { group in
                group.cancelAll()
                group.addTask { try await control.reload([folder]).fixtures.count }
                return try await group.next()
            }
            #expect(count == 1)
            #expect(shared.current.generation == 1)
            _ = try await control.reload([folder]) { false }
            #expect(shared.current.generation == 1)
        }
    }

    @Test func failedLoadDoesNotReplaceOlderOneInProgress() async throws {
        try await withTemporaryFolder { folder in
            for name in ["older", "newer"] {
                try FileManager.default.createDirectory(atPath: "\(folder)/\(name)", withIntermediateDirectories: true)
            }
            let files = (0..<1000).map { "older/\($0).get.txt" } + ["newer/a.get.txt"]
            for file in files { try Data("a".utf8).write(to: URL(fileURLWithPath: "\(folder)/\(file)")) }
            let cassette = """
                {"reprise": 1, "exchanges": [{"request": {"method": "GET", "url": "http://h/chat"}, "response": {
                 "status": "204 No Content", "headers": []}}]}
                """
            try Data(cassette.utf8).write(to: URL(fileURLWithPath: "\(folder)/older/a.cassette.json"))
            let (control, shared) = control(MockServer.Configuration(bends: [Bend(.reset, of: "GET /chat")]))
            let older = Task { try await control.reload(["\(folder)/older"]).fixtures.count }
            while await control.loads.begun == 0 { await Task.yield() }
            await #expect(throws: FixtureProblems.self) { try await control.reload(["\(folder)/newer"]) }
            #expect(try await older.value == 1001)
            #expect(shared.current.generation == 1)
        }
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
