// SPDX-License-Identifier: Apache-2.0

import RepriseAnswers
import RepriseFixtures
import RepriseMatching
import RepriseText
import Testing

@testable import RepriseServer

/// Clients share the bytes of a body, whatever head they receive.
@Suite struct SharedBodyTests {
    private let serializer = PlanSerializer(pace: .recorded, latency: .none)
    private let body = [UInt8](repeating: 0x78, count: 100_000)

    private static let clients: [PlanSerializer.Client] = [
        .init(),
        .init(isKeepAlive: false),
        .init(minorVersion: 0, isKeepAlive: false),
        .init(minorVersion: 0),
        .init(isCrossOrigin: true),
        .init(isCrossOrigin: true, origin: Array("http://localhost:3000".utf8)),
    ]

    private func plan(_ headers: [String], _ framing: ResponsePlan.Framing) -> ResponsePlan {
        let head = ResponseHead(status: 200, reason: "OK", headers: headers.compactMap { HeaderLine($0) })
        return ResponsePlan(steps: [.head(head), .bytes(.bytes(body)), .end(.complete)], framing: framing)
    }

    private func state(_ plan: ResponsePlan, isCrossOrigin: Bool) throws -> ServingState {
        var configuration = MockServer.Configuration()
        configuration.isCrossOriginAllowed = isCrossOrigin
        let pattern = try RequestPattern(method: "GET", routePath: "/")
        let fixture = Fixture(source: FixtureSource(file: "test"), pattern: pattern, plan: plan)
        return ServingState([fixture], configuration: configuration)
    }

    /// The place in memory of the content that a client receives.
    private func place(_ script: EncodedResponse) throws -> UInt {
        let step = try #require(script.steps.first)
        guard case .bytes(let bytes) = step else {
            Issue.record("expected bytes")
            return 0
        }
        #expect(bytes.count >= body.count)
        return unsafe bytes.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) }
    }

    @Test(arguments: clients)
    func clientsShareContentOfLargeResponse(client: PlanSerializer.Client) throws {
        for (header, framing) in [
            ("Content-Length: 100000", ResponsePlan.Framing.contentLength), ("Transfer-Encoding: chunked", .chunked),
            ("X: y", .untilClose),
        ] {
            let state = try state(plan([header], framing), isCrossOrigin: client.isCrossOrigin)
            #expect(!state.answers.isBlock(0, for: client))
            let places = try (0..<2).map { _ in try place(state.answers.response(of: 0, to: client, date: [])) }
            #expect(places[0] == places[1])
        }
    }

    /// The content is copied neither for a client nor when the fixtures are loaded.
    @Test func contentWithLengthIsSharedWithPlan() throws {
        let plan = plan(["Content-Length: 100000"], .contentLength)
        let script = serializer.response(for: plan)
        let shared = unsafe body.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) }
        #expect(try place(script) == shared)
    }

    /// A small response is written from its block, with the same bytes as a script.
    @Test(
        arguments: clients
            + clients.map { client in
                var client = client
                client.wantsHeadOnly = true
                return client
            }
    )
    func blockHasSameBytesAsScript(client: PlanSerializer.Client) throws {
        let heads: [[String]] = [
            ["Content-Length: 2"], ["Content-Length: 2", "Connection: keep-alive"],
            ["Access-Control-Allow-Origin: https://a.example", "VARY: Accept, origin", "Content-Length: 2"], [],
        ]
        let date = Array("Date: Sun, 06 Nov 1994 08:49:37 GMT\r\n".utf8)
        for (lines, isRecorded) in heads.flatMap({ [($0, true), ($0, false)] }) {
            let head = ResponseHead(status: 200, reason: "OK", headers: lines.compactMap { HeaderLine($0) })
            let plan = ResponsePlan(
                steps: [.head(head), .bytes(.bytes([0x68, 0x69])), .end(.complete)],
                framing: .contentLength
            )
            var configuration = MockServer.Configuration()
            configuration.isCrossOriginAllowed = client.isCrossOrigin
            let pattern = try RequestPattern(method: "GET", routePath: "/")
            var fixture = Fixture(source: FixtureSource(file: "test"), pattern: pattern, plan: plan)
            fixture.isRecorded = isRecorded
            let state = ServingState([fixture], configuration: configuration)
            try #require(state.answers.isBlock(0, for: client))
            var bytes: [UInt8] = []
            let (content, closes) = state.answers.appendHead(of: 0, to: &bytes, for: client) { date }
            bytes += state.answers.blocks[content]
            let script = serializer.response(for: plan, to: client, date: isRecorded ? nil : date)
            let expected = script.steps.reduce(into: script.head) { if case .bytes(let more) = $1 { $0 += more } }
            #expect(String(decoding: bytes, as: UTF8.self) == String(decoding: expected, as: UTF8.self))
            #expect(closes == (script.end == .close))
            #expect(state.answers.response(of: 0, to: client, date: date) == script)
        }
    }

    /// A response that would fit into a block is played as a script if it is delayed.
    @Test(arguments: clients)
    func scriptOfSmallChunkedResponseKeepsFraming(client: PlanSerializer.Client) throws {
        let head = ResponseHead(
            status: 200,
            reason: "OK",
            headers: [HeaderLine(name: "Transfer-Encoding", value: "chunked")]
        )
        let plan = ResponsePlan(
            steps: [.head(head), .bytes(.bytes([0x68, 0x69])), .end(.complete)],
            framing: .chunked
        )
        let state = try state(plan, isCrossOrigin: client.isCrossOrigin)
        #expect(state.answers.isBlock(0, for: client) == (client.minorVersion > 0))
        #expect(state.answers.response(of: 0, to: client, date: []) == serializer.response(for: plan, to: client))
    }
}
