// SPDX-License-Identifier: Apache-2.0

import EventIO
import TestSupport
import Testing

@Suite struct SocketTests {
    @Test func echoesWhatItReceives() async throws {
        try await EventLoop.with { loop in
            let server = try await TestServer(loop: loop) { EchoHandler() }
            let client = try await RawClient.connect(port: server.port)
            try await client.send("hello\n")
            #expect(try await client.read(until: "\n").text == "hello\n")
            await client.finishWriting()
            #expect(try await client.readToEnd().bytes.isEmpty)
            #expect(client.ending == .finished)
        }
    }
}
