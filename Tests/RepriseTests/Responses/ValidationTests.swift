// SPDX-License-Identifier: Apache-2.0

import RepriseLocking
import Testing

@testable import Reprise

private struct Mine: Error, Equatable {
    var number: Int
}

@Suite struct ValidationTests {
    private func api(
        _ status: Int,
        headers: HTTPFields = [:],
        body: Body = "",
        _ validation: [Validation] = []
    ) -> Client {
        Client(
            "https://h",
            transport: ClosureTransport(.init(code: status), headers: headers, body: body),
            configuration: .init(validation: validation)
        )
    }

    private func passes(_ call: Call) async -> Bool {
        (try? await call.send()) != nil
    }

    @Test(arguments: [(199, false), (200, true), (204, true), (299, true), (300, false), (404, false), (500, false)])
    func accepts200To299ByDefault(status: Int, isAccepted: Bool) async {
        #expect(await passes(api(status).get("/")) == isAccepted)
    }

    @Test func acceptsRangesAsArguments() async {
        #expect(await passes(api(399).get("/").validate(200..<400)))
        #expect(await !passes(api(400).get("/").validate(200..<400)))
        #expect(await passes(api(404).get("/").validate(200...404)))
        #expect(await !passes(api(200).get("/").validate(204...204)))
    }

    @Test func acceptsRangesAndSets() async {
        #expect(await passes(api(404).get("/").validate(.statusCodes(200..<405))))
        #expect(await passes(api(404).get("/").validate(.statusCodes(200...404))))
        #expect(await !passes(api(404).get("/").validate(.statusCodes(200..<404))))
        #expect(await passes(api(404).get("/").validate(.statusCodes([200, 404]))))
        #expect(await !passes(api(201).get("/").validate(.statusCodes([200, 404]))))
        #expect(await passes(api(599).get("/").validate(.statusCodes(200...Int.max))))
    }

    @Test func noneAcceptsEverything() async {
        #expect(await passes(api(500).get("/").validate(.none)))
        #expect(await passes(api(500, [.response { _ in throw Mine(number: 1) }]).get("/").validate(.none)))
    }

    @Test func lastStatusRuleWins() async {
        let client = api(404, [.statusCodes([404])])
        #expect(await passes(client.get("/")))
        #expect(await !passes(client.get("/").validate(.statusCodes([200]))))
        #expect(await passes(client.get("/").validate(.statusCodes([200])).validate(.none)))
        #expect(await !passes(client.get("/").validate(.none).validate(.statusCodes([200]))))
    }

    @Test func passesStatusHeadersAndBodyToClosures() async {
        let client = api(201, headers: [.eTag: "a"], body: "b")
        let call = client.get("/").validate { response in
            guard response.status == .created, response.headers[.eTag] == "a", response.text == "b" else {
                throw Mine(number: 1)
            }
        }
        #expect(await passes(call))
        await #expect(throws: Mine(number: 2)) { try await call.validate { _ in throw Mine(number: 2) }.send() }
    }

    @Test func runsClientEndpointAndCallRulesUntilFirstError() async throws {
        struct Get: Endpoint {
            let order: Locked<[String]>
            var path: Path { "/" }

            func configure(_ call: Call) -> Call {
                call.validate { _ in order.withLock { $0.append("endpoint") } }
            }
        }
        let order = Locked<[String]>([])
        let client = api(200, [.response { _ in order.withLock { $0.append("client") } }])
        let call = client.call(Get(order: order))
            .validate { _ in
                order.withLock { $0.append("call") }
                throw Mine(number: 1)
            }
            .validate { _ in throw Mine(number: 2) }
        await #expect(throws: Mine(number: 1)) { try await call.send() }
        #expect(order.withLock { $0 } == ["client", "endpoint", "call"])
    }

    @Test func checksStatusFirst() async {
        let error = await #expect(throws: ClientError.self) {
            try await api(404).get("/").validate { _ in throw Mine(number: 1) }.send()
        }
        #expect(error?.code == .status)
    }

    @Test func runsBeforeDecoding() async {
        await #expect(throws: Mine(number: 1)) {
            try await api(200, body: "no JSON").get("/").validate { _ in throw Mine(number: 1) }.value(as: Int.self)
        }
    }

    @Test func checksOnlyHeadOfStreams() async throws {
        let client = api(200, headers: [.eTag: "a"], body: "b")
        let call = client.get("/").validate { _ in throw Mine(number: 1) }
        #expect(try await call.stream().status == .ok)
        await #expect(throws: Mine(number: 2)) {
            _ = try await client.get("/")
                .validate(.head { head in if head.headerFields[.eTag] == "a" { throw Mine(number: 2) } }).stream()
        }
    }
}
