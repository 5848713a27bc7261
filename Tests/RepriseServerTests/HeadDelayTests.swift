// SPDX-License-Identifier: Apache-2.0

import RepriseFixtures
import RepriseWire
import Testing

@testable import RepriseServer

@Suite struct HeadDelayTests {
    private func delays(_ latency: Latency, seed: UInt64?, sequence: Int = 0) throws -> [UInt64] {
        let delay = try #require(HeadDelay(latency, seed: seed))
        return (1...1000).map { delay.nanoseconds(sequence: sequence, ordinal: $0) }
    }

    @Test func repeatsWithTheSameSeed() throws {
        let latency = Latency.uniform(.milliseconds(200) ... .milliseconds(800))
        let first = try delays(latency, seed: 1)
        #expect(try delays(latency, seed: 1) == first)
        #expect(try delays(latency, seed: 2) != first)
        #expect(try delays(latency, seed: 1, sequence: 1) != first)
        #expect(try delays(latency, seed: nil) != delays(latency, seed: nil))
    }

    @Test func coversRangeEvenly() throws {
        let all = try delays(.uniform(.milliseconds(200) ... .milliseconds(800)), seed: 42)
        #expect(all.allSatisfy { 200_000_000...800_000_000 ~= $0 })
        let tenths = Dictionary(grouping: all) { ($0 - 200_000_000) / 60_000_001 }.mapValues(\.count)
        #expect(tenths.count == 10)
        #expect(tenths.values.allSatisfy { 60...140 ~= $0 })
    }

    @Test(arguments: [Latency.fixed(.milliseconds(200)), .uniform(.milliseconds(200) ... .milliseconds(200))])
    func isFixedWithoutRange(latency: Latency) throws {
        #expect(try Set(delays(latency, seed: nil)) == [200_000_000])
    }

    @Test(arguments: [Latency.none, .recorded])
    func isMissingForOtherLatencies(latency: Latency) {
        #expect(HeadDelay(latency, seed: 1) == nil)
    }

    /// Each answer of a fixture waits: as a block, as a script, and to HEAD. A miss does not.
    @Test func delaysAnswersOfFixtures() {
        let fixtures: [Fixture] = [
            .recorded("https://api.example.com/hello", response: .text("hi")),
            .failing("https://api.example.com/broken", .connectionLost),
        ]
        var configuration = MockServer.Configuration()
        configuration.latency = .fixed(.milliseconds(200))
        let state = ServingState(fixtures, configuration: configuration)
        let responder = Responder(configuration, delay: HeadDelay(configuration.latency, seed: nil))
        let encoder = HTTP1Encoder(configuration)
        for (line, waits) in [("GET /hello", true), ("HEAD /hello", true), ("GET /broken", true), ("GET /x", false)] {
            let reply = responder.reply(for: "\(line) HTTP/1.1\r\nHost: x\r\n\r\n", state)
            var latency: UInt64?
            if case .fixture(let played, let answers, let delay)? = reply {
                latency = encoder.response(played, of: answers, delay, to: PlanSerializer.Client(), date: []).latency
            }
            #expect(latency == (waits ? 200_000_000 : nil), "\(line)")
        }
    }
}

extension Responder {
    fileprivate func reply(for text: String, _ state: ServingState) -> Reply? {
        var parser = RequestParser(limits: RequestParser.Limits())
        let bytes = Array(text.utf8)
        guard (try? parser.parseHead(bytes.span)) == true else { return nil }
        return reply(to: IncomingRequest(bytes.span, parser.head, peer: "127.0.0.1"), from: state)
    }
}
