// SPDX-License-Identifier: Apache-2.0

import RepriseTestSupport
import Testing

@testable import Reprise

@Suite struct BodyLimitTests {
    private func api(
        _ status: HTTPResponse.Status = .ok,
        length: Int? = nil,
        enforcesTimeout: Bool = true,
        _ configuration: Client.Configuration = .init(bodyLimit: 10),
        source: ScriptedSource = ScriptedSource(Array(repeating: .bytes([1, 2, 3, 4], endsChunk: true), count: 100))
    ) -> Client {
        let transport = ClosureTransport(enforcesTimeout: enforcesTimeout) { _, _, _ throws(TransportError) in
            Response(HTTPResponse(status: status), body: Body(source, length: length))
        }
        return Client("https://h", transport: transport, configuration: configuration)
    }

    @Test func isNamedInError() async {
        #expect(Client.Configuration().bodyLimit == 256 << 20)
        let error = await #expect(throws: ClientError.self) { try await api().get("/a").send() }
        #expect(error?.code == .bodyTooLarge)
        #expect(
            error?.message == "answered 200 OK with more than 10 bytes of content; increase bodyLimit, or read it with "
                + "stream() or download(to:)"
        )
        #expect(error?.request?.path == "/a")
        #expect(error?.response?.status == .ok)
    }

    /// In every place that receives a whole response: a limit on concurrent requests, a timeout that the client keeps.
    @Test(arguments: [true, false], [1, nil])
    func stopsReading(enforcesTimeout: Bool, maxConcurrentRequests: Int?) async {
        let source = ScriptedSource(Array(repeating: .bytes([1, 2, 3, 4], endsChunk: true), count: 100))
        var configuration = Client.Configuration(bodyLimit: 10)
        configuration.maxConcurrentRequests = maxConcurrentRequests
        let api = api(enforcesTimeout: enforcesTimeout, configuration, source: source)
        let error = await #expect(throws: ClientError.self) { _ = try await api.get("/").value(as: String.self) }
        #expect(error?.code == .bodyTooLarge)
        #expect(source.asked == 3)
    }

    @Test func rejectsAnnouncedLengthAtOnce() async {
        let source = ScriptedSource([.bytes([1], endsChunk: true)])
        let error = await #expect(throws: ClientError.self) {
            try await api(length: 11, source: source).get("/").send()
        }
        #expect(error?.code == .bodyTooLarge)
        #expect(source.asked == 0)
    }

    @Test func appliesToErrors() async {
        let error = await #expect(throws: ClientError.self) { try await api(.badRequest).get("/").send() }
        #expect(error?.code == .bodyTooLarge)
        #expect(error?.status == .badRequest)
    }

    @Test func doesNotApplyToStreams() async throws {
        #expect(try await api().get("/").stream().body.collect().count == 400)
    }

    @Test func acceptsContentOfThatSize() async throws {
        let source = ScriptedSource([
            .bytes([1, 2, 3, 4, 5], endsChunk: true), .bytes([6, 7, 8, 9, 10], endsChunk: true),
        ])
        #expect(try await api(source: source).get("/").send().bytes.count == 10)
    }
}
