// SPDX-License-Identifier: Apache-2.0

import Reprise
import Testing

/// The article "Test a stream that breaks off", with stubs.
@Suite struct BrokenStreamExamples {
    @Test func deliversTextBeforeReset() async throws {
        let stub = StubTransport {
            $0.post("/v1/chat", .events("data: Hel\n\n", "data: lo\n\n", ending: .reset))
        }
        let api = Client("https://api.example.com/v1", transport: stub)
        var events = try await api.post("/chat").json(Prompt(text: "hi")).events().makeAsyncIterator()
        #expect(try await events.next()?.data == "Hel")
        #expect(try await events.next()?.data == "lo")
        let error = await #expect(throws: ClientError.self) { try await events.next() }
        #expect(error?.isConnectivity == true)
    }

    @Test(arguments: [Ending.truncated, .reset, .timedOut])
    func reportsEarlyEndingsAsConnectivityErrors(ending: Ending) async throws {
        let stub = StubTransport { $0.get("/export", .stream("first\n", "seco", ending: ending)) }
        let api = Client("https://api.example.com", transport: stub)
        let error = await #expect(throws: ClientError.self) {
            for try await line in try await api.get("/export").lines() { #expect(line == "first") }
        }
        #expect(error?.isConnectivity == true)
    }
}
