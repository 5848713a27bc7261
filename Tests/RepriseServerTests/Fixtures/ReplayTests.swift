// SPDX-License-Identifier: Apache-2.0

import RepriseFixtures
import RepriseIO
import RepriseTestSupport
import RepriseText
import Testing

@testable import RepriseServer

/// Streams, pauses and endings through a real socket.
@Suite struct ReplayTests {
    private let request = "GET /s HTTP/1.1\r\nHost: localhost\r\n\r\n"

    private func stream(
        _ chunks: [(after: Int, text: String)],
        ending: Ending = .complete,
        headers: [String] = ["Transfer-Encoding: chunked"]
    ) -> Fixture {
        .recorded("https://api.example.com/s", response: .stream(chunks, ending: ending, headers: headers))
    }

    @Test func sendsChunksNoEarlierThanRecorded() async throws {
        try await withServer([stream([(0, "a"), (60, "b"), (120, "c")])]) { server in
            let client = try await RawClient.connect(port: server.port)
            let start = MonotonicTime.now
            try await client.send(request)
            // A slow machine may delay a chunk, but only a bug can send one early.
            for (end, due) in [("1\r\na\r\n", 0), ("1\r\nb\r\n", 60), ("1\r\nc\r\n", 180)] {
                let received = try await client.read(until: end)
                let arrival = try #require(received.arrivals.last).time
                #expect(received.text.hasSuffix(end))
                #expect(arrival - start >= .milliseconds(due))
            }
            _ = try await client.read(until: "0\r\n\r\n")
        }
    }

    @Test func playsStreamWithoutPausesAtInstantPace() async throws {
        let fixture = stream([(0, "a"), (3_600_000, "b")])
        try await withServer([fixture], configure: { $0.pace = .instant }) { server in
            let client = try await RawClient.connect(port: server.port)
            try await client.send(request)
            #expect(try await client.read(until: "0\r\n\r\n").text.hasSuffix("1\r\na\r\n1\r\nb\r\n0\r\n\r\n"))
        }
    }

    @Test func closesAtRecordedTruncation() async throws {
        try await withServer([stream([(0, "a")], ending: .truncated)]) { server in
            let client = try await RawClient.connect(port: server.port)
            try await client.send(request)
            #expect(try await client.readToEnd().text.hasSuffix("\r\n\r\n1\r\na\r\n"))
            #expect(client.ending == .finished)
        }
    }

    @Test func resetsAtRecordedReset() async throws {
        try await withServer([stream([(0, "a"), (20, "b")], ending: .reset)]) { server in
            let client = try await RawClient.connect(port: server.port)
            try await client.send(request)
            _ = try await client.readToEnd()
            #expect(client.ending == .reset)
        }
    }

    /// The bytes recorded before the reset arrive, even if the client reads slowly.
    @Test(arguments: [true, false])
    func deliversAllBytesBeforeReset(readsAtOnce: Bool) async throws {
        let size = 1 << 20
        let body = String(repeating: "0123456789abcdef", count: size / 16)
        let headers = ["Content-Length: \(size * 2)"]
        let fixture = stream([(0, body)], ending: .reset, headers: headers)
        // On a busy machine, a long time may pass before the client reads.
        try await withServer([fixture], configure: { $0.timeouts.delivery = 180_000_000_000 }) { server in
            let client = try await RawClient.connect(port: server.port, readsAtOnce: readsAtOnce)
            try await client.send(request)
            _ = try await client.read(until: "\r\n\r\n")
            #expect(try await client.read(count: size).text == body)
            #expect(try await client.readToEnd().bytes.isEmpty)
            #expect(client.ending == .reset)
        }
    }

    /// If the client has closed before a recorded timeout begins, the connection doesn't stay open.
    @Test func closesWhenClientClosedBeforeRecordedTimeout() async throws {
        let silent = stream([(0, "a"), (60, "b")], ending: .timedOut)
        try await withServer([silent]) { server in
            let client = try await RawClient.connect(port: server.port)
            try await client.send(request)
            _ = try await client.read(until: "a\r\n")
            await client.finishWriting()
            _ = try await client.readToEnd()
            #expect(client.ending == .finished)
        }
    }

    /// The server doesn't wait forever for a client that doesn't read the bytes before a reset.
    @Test func resetsClientThatStopsReading() async throws {
        let body = String(repeating: "0123456789abcdef", count: 8 << 16)
        let headers = ["Content-Length: 1000000000"]
        let fixture = stream([(0, body)], ending: .reset, headers: headers)
        try await withServer([fixture], configure: { $0.timeouts.delivery = 4_000_000_000 }) { server in
            let client = try await RawClient.connect(port: server.port, readsAtOnce: false)
            try await client.send(request)
            // Reads enough that the server has written everything, then stops reading.
            _ = try await client.read(count: body.utf8.count - (1 << 18))
            let start = MonotonicTime.now
            while await server.connectionCount > 0, MonotonicTime.now - start < .seconds(180) { await Task.yield() }
            #expect(await server.connectionCount == 0)
        }
    }

    /// The server notices that the client closed, although unread input waits after a request whose recording timed
    /// out.
    @Test func noticesCloseOfClientDuringRecordedTimeout() async throws {
        try await withServer([stream([(0, "a"), (60, "b")], ending: .timedOut)]) { server in
            let client = try await RawClient.connect(port: server.port)
            try await client.send(request + String(repeating: "x", count: 300 << 10))
            _ = try await client.read(until: "b\r\n")
            await client.finishWriting()
            _ = try await client.readToEnd()
            #expect(client.ending != nil)
        }
    }

    @Test func sendsNothingAfterRecordedTimeout() async throws {
        try await withServer([stream([(0, "a")], ending: .timedOut)], configure: { $0.pace = .instant }) { server in
            let client = try await RawClient.connect(port: server.port)
            try await client.send(request)
            _ = try await client.read(until: "a\r\n")
            try await client.expectSilence(for: .milliseconds(100))
            await server.stop()
            _ = try await client.readToEnd()
        }
    }

    @Test(arguments: [Failure.connectionRefused, .dns, .tls, .connectionLost])
    func resetsBeforeFirstByteForRecordedFailure(failure: Failure) async throws {
        try await withServer([.failing("https://api.example.com/s", failure)]) { server in
            let client = try await RawClient.connect(port: server.port)
            try await client.send(request)
            #expect(try await client.readToEnd().bytes.isEmpty)
            #expect(client.ending == .reset)
            #expect(await server.journal.entries.map(\.status) == [0])
        }
    }

    @Test(arguments: [Failure.timedOut, .cancelled])
    func closesSilentExchangeWhenClientCloses(failure: Failure) async throws {
        try await withServer([.failing("https://api.example.com/s", failure)]) { server in
            let client = try await RawClient.connect(port: server.port)
            try await client.send(request)
            try await client.expectSilence(for: .milliseconds(50))
            await client.finishWriting()
            _ = try await client.readToEnd()
        }
    }

    @Test func streamsUnchunkedBodyUntilClose() async throws {
        try await withServer([stream([(0, "a"), (20, "b")], headers: ["Content-Type: text/event-stream"])]) { server in
            let client = try await RawClient.connect(port: server.port)
            try await client.send(request)
            let text = try await client.readToEnd().text
            #expect(text == "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\nab")
        }
    }

    @Test func answersPipelinedRequestAfterStream() async throws {
        try await withServer([stream([(0, "a"), (20, "b")])]) { server in
            let client = try await RawClient.connect(port: server.port)
            // The second request waits in the connection while the first is played.
            try await client.send(request + request)
            _ = try await client.read(until: "0\r\n\r\n")
            _ = try await client.read(until: "0\r\n\r\n")
        }
    }

    /// The server queues nothing for a slow reader: the bytes stay in the fixture and the socket buffers.
    @Test func deliversLargeBodyToSlowReader() async throws {
        let size = 8 << 20
        let body = String(repeating: "0123456789abcdef", count: size / 16)
        try await withServer([.recorded("https://api.example.com/s", response: .text(body))]) { server in
            let client = try await RawClient.connect(port: server.port, readsAtOnce: false)
            try await client.send(request)
            let head = try await client.read(until: "\r\n\r\n")
            #expect(head.text.hasSuffix("Content-Length: \(size)\r\n\r\n"))
            let received = try await client.read(count: size)
            #expect(received.text == body)
        }
    }

    @Test func servesThousandStreamsConcurrently() async throws {
        let fixture = stream((0..<5).map { (after: $0 == 0 ? 0 : 20, text: "chunk \($0);") })
        try await withServer([fixture]) { server in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<1000 {
                    group.addTask {
                        let client = try await RawClient.connect(port: server.port)
                        try await client.send(request)
                        #expect(try await client.read(until: "0\r\n\r\n").text.contains("chunk 4;"))
                    }
                }
                try await group.waitForAll()
            }
        }
    }
}
