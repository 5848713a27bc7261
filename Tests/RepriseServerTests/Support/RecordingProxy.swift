// SPDX-License-Identifier: Apache-2.0

import Foundation
import RepriseCassettes
import RepriseFixtures
import RepriseRecording
import RepriseServer
import RepriseTestSupport

/// A proxy in front of a scripted server, and the cassette that it records.
struct RecordingProxy {
    let upstream: ScriptedServer
    let server: MockServer
    let recorder: CassetteRecorder

    var port: Int { server.port }

    /// Connects a client to the proxy.
    func connect(readsAtOnce: Bool = true) async throws -> RawClient {
        try await RawClient.connect(port: port, readsAtOnce: readsAtOnce)
    }

    /// Stops the proxy and returns the recorded cassette.
    func finish() async throws -> Cassette {
        await server.stop(grace: .zero)
        _ = try recorder.finish()
        return try cassette()
    }

    /// Returns the exchanges in the cassette, after the recording has ended.
    func exchanges() throws -> [Exchange] {
        try cassette().exchanges
    }

    private func cassette() throws -> Cassette {
        // A recording without exchanges writes no cassette.
        if recorder.summary.isEmpty, !FileManager.default.fileExists(atPath: recorder.path) { return Cassette() }
        let bytes = try [UInt8](Data(contentsOf: URL(filePath: recorder.path)))
        let bodies = CassetteBodies.beside(cassette: recorder.path)
        return try CassetteReader.read(bytes, file: recorder.path, bodies: bodies).cassette
    }

    /// Stops the proxy and runs `body` with a client of a server that replays the cassette.
    func replay<Result>(_ body: (RawClient) async throws -> Result) async throws -> Result {
        await server.stop(grace: .zero)
        _ = try recorder.finish()
        let fixtures = try FixtureLoader.load([recorder.path]).fixtures
        return try await withServer(fixtures, configure: { $0.pace = .instant }) { server in
            try await body(try await RawClient.connect(port: server.port))
        }
    }
}

/// Runs `body` with a proxy in front of a server that plays `script` on each of its connections.
func withRecordingProxy<Result>(
    _ script: ScriptedServer.Script? = nil,
    fixtures: [Fixture] = [],
    path: String = "",
    configure: (inout MockServer.Configuration) -> Void = { _ in },
    _ body: (RecordingProxy) async throws -> Result
) async throws -> Result {
    let folder = FileManager.default.temporaryDirectory.appending(path: "reprise-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let recorder = try CassetteRecorder(folder.appending(path: "a.cassette.json").path)
    let upstream = try await ScriptedServer.start(script: script)
    var configuration = MockServer.Configuration()
    configuration.upstream = try MockServer.Upstream("http://127.0.0.1:\(upstream.port)\(path)", recorder: recorder)
    configure(&configuration)
    let server = try await MockServer.start(fixtures: fixtures, configuration: configuration)
    do {
        let result = try await body(RecordingProxy(upstream: upstream, server: server, recorder: recorder))
        await server.stop(grace: .zero)
        return result
    } catch {
        await server.stop(grace: .zero)
        throw error
    }
}
