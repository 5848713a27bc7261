// SPDX-License-Identifier: Apache-2.0

import RepriseAnswers
import RepriseCassettes
import RepriseFixtures
import RepriseMatching
import RepriseStubAnswers
import RepriseStubs
import RepriseTestSupport
import RepriseText
import Testing

@testable import RepriseServer

/// 64 clients use everything that requests change, while reloads, changes of stubs, and other sessions come and go
/// without a pause. Every answer must be one that some serial order of the requests gives.
@Suite struct ReloadStormTests {
    /// The number of clients of the server, and of each of three sessions.
    private static let clients = 16
    private static let rounds = 24
    private static let requests = clients * rounds
    private static let limit = 40

    /// What one client was answered.
    private struct Answers: Sendable {
        var sequence: [String] = []
        var user: [String] = []
        var scenario: [String] = []
        var counted: [String] = []
    }

    @Test func everyAnswerIsOneOfASerialOrder() async throws {
        var configuration = MockServer.Configuration()
        configuration.afterLast = .miss
        configuration.threads = 4
        let stubs = try Self.stubs()
        let server = try await MockServer.start(
            fixtures: Self.fixtures(0),
            stubs: stubs,
            configuration: configuration
        )
        var ports = [server.port]
        for _ in 1...3 { ports.append(try await server.control.openSession().port) }
        let storm = Task { try await Self.storm(server, stubs) }
        let answers = try await withThrowingTaskGroup(of: (Int, Answers).self) { group in
            for port in ports {
                for number in 0..<Self.clients {
                    group.addTask { (port, try await Self.client("\(port)-\(number)", port)) }
                }
            }
            var answers: [Int: [Answers]] = [:]
            for try await (port, client) in group { answers[port, default: []].append(client) }
            return answers
        }
        storm.cancel()
        #expect(try await storm.value > 0)
        await server.stop()
        for port in ports { Self.check(answers[port] ?? []) }
    }

    private static func check(_ clients: [Answers]) {
        #expect(clients.flatMap(\.sequence).sorted() == (1...requests).map { "s\($0)" }.sorted())
        #expect(clients.flatMap(\.scenario).sorted() == (0..<Self.clients * 2).map { "t\($0)" }.sorted())
        #expect(clients.flatMap(\.counted).count { $0 == "counted" } == limit)
        for client in clients {
            let user = client.user.first?.split(separator: "-").first ?? ""
            #expect(client.user == (1...rounds).map { "\(user)-\($0)" })
        }
        #expect(Set(clients.map(\.user.first)).count == Self.clients)
    }

    // MARK: What is served

    /// The recordings. In each round, sequences and stand-ins have other numbers.
    private static func fixtures(_ round: Int) -> [Fixture] {
        func recording(_ path: String, _ text: String, user: Int? = nil) -> Exchange {
            let headers = user.map { [HeaderLine(name: "Authorization", value: "Bearer [redacted~\($0)]")] } ?? []
            let request = RecordedRequest(method: "GET", url: "https://api.example.com/\(path)", headers: headers)
            return Exchange(request: request, outcome: .response(.text(text)))
        }
        let users = round.isMultiple(of: 2) ? Array(1...clients) : (1...clients).reversed()
        let others = (0..<round % 3 * 2).map { recording("other\($0 / 2)", "-", user: $0 % 2 + 1) }
        let answers = (1...rounds).flatMap { answer in
            (1...clients).map { recording("me", "user\($0)-\(answer)", user: $0) }
        }
        let standIns = users.map { StandIn("[redacted~\($0)]") }
        return Cassette(exchanges: others, standIns: standIns).fixtures(file: "0.cassette.json")
            + Cassette(exchanges: answers, standIns: standIns).fixtures(file: "1.cassette.json")
            + Cassette(exchanges: (1...requests).map { recording("sequence", "s\($0)") })
            .fixtures(file: "2.cassette.json")
    }

    /// A scenario of as many steps as there are requests to it, and a stub that answers only some requests. Many other
    /// stubs make each reload so long that requests arrive in the middle of it.
    private static func stubs() throws -> [StubFixture] {
        let others = (1...400).map { StubMapping(.get("/unused/\($0)"), .text("unused")) }
        let steps = (0..<clients * 2).map { step in
            var stub = StubMapping(.get("/scenario"), .text("t\(step)"))
            stub.id = "step-\(step)"
            let required = step == 0 ? "Started" : "\(step)"
            stub.scenario = StubMapping.Scenario(name: "steps", requiredState: required, newState: "\(step + 1)")
            return stub
        }
        var rest = StubMapping(.get("/counted"), .text("rest"))
        rest.id = "rest"
        var counted = StubMapping(.get("/counted"), .text("counted"))
        counted.id = "counted"
        counted.response.times = limit
        return try [StubFixture](others + steps + [rest, counted], options: StubOptions())
    }

    // MARK: Changes and requests

    /// Changes the server until the task is canceled. Returns the number of reloads.
    private static func storm(_ server: MockServer, _ stubs: [StubFixture]) async throws -> Int {
        var round = 0
        while !Task.isCancelled {
            round += 1
            try await server.reload(fixtures: fixtures(round), stubs: stubs)
            var added = StubMapping(.get("/added"), .text("added"))
            added.id = "added"
            try await server.control.add([added])
            let session = try await server.control.openSession()
            await server.control.setSettings(await server.control.settings)
            await server.control.remove(["added"])
            await server.control.closeSession(session.id)
        }
        return round
    }

    private static func client(_ name: String, _ port: Int) async throws -> Answers {
        let client = try await RawClient.connect(port: port)
        var answers = Answers()
        for round in 0..<rounds {
            answers.sequence.append(try await get("/sequence", name, client))
            answers.user.append(try await get("/me", name, client))
            answers.counted.append(try await get("/counted", name, client))
            if round < 2 { answers.scenario.append(try await get("/scenario", name, client)) }
        }
        await client.close()
        return answers
    }

    /// Returns the content of an answer with status 200, or its head.
    private static func get(_ path: String, _ name: String, _ client: RawClient) async throws -> String {
        try await client.send("GET \(path) HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer \(name)\r\n\r\n")
        let head = try await client.read(until: "\r\n\r\n").text
        let length = head.lowercased().split(separator: "content-length: ").last?.prefix { $0.isNumber }
        let content = try await client.read(count: length.flatMap { Int($0) } ?? 0).text
        return head.hasPrefix("HTTP/1.1 200") ? content : head
    }
}
