// SPDX-License-Identifier: Apache-2.0

import Foundation
import RepriseLocking
import RepriseTestSupport
import Testing

@testable import Reprise

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension XXXNetworkKitParityTests {
    /// The provider, its plugins, and its helpers.
    @Suite struct Provider {
        private let record = LogRecord()
        private let clock = ManualClock(passesBySleeping: true)

        private func server() async throws -> ScriptedServer {
            try await .answering { request in
                RawRequest.response(
                    "200 OK",
                    "X-Agent: \(request["X-From-Session"] ?? "none")",
                    body: XXXNetworkKitParityTests.me
                )
            }
        }

        // MARK: The provider

        @Test func usesSessionConfiguration() async throws {
            let server = try await server()
            let configuration = URLSessionTransport.defaultConfiguration
            configuration.httpAdditionalHeaders = ["X-From-Session": "kit"]
            let transport = URLSessionTransport(configuration: configuration)
            let response = try await server.client().call(HarbourAPI.Pilots.me).transport(transport).send()
            #expect(response.headers[HTTPField.Name("X-Agent")!] == "kit")
            withExtendedLifetime(server) {}
        }

        @Test func cancellationEndsRequest() async throws {
            let server = try await ScriptedServer.start()
            let api = server.client()
            let task = Task { try await api.call(HarbourAPI.Pilots.me).value(in: HarbourResponse.self, as: Pilot.self) }
            let connection = try await server.accept()
            _ = try await connection.readRequest()
            task.cancel()
            let error = await #expect(throws: ClientError.self) { try await task.value }
            #expect(error?.code == .cancelled)
            #expect(error?.isConnectivity == false)
            try await connection.waitForEnd()
        }

        @Test func sendsNothingFromCanceledTask() async {
            let transport = ClosureTransport(body: Body(XXXNetworkKitParityTests.me))
            let api = Client("https://api.example.com", transport: transport)
            let go = Signal()
            let task = Task {
                await go.wait()
                try await api.call(HarbourAPI.Pilots.me).send()
            }
            task.cancel()
            go.set()
            let error = await #expect(throws: ClientError.self) { try await task.value }
            #expect(error?.code == .cancelled)
            #expect(transport.requests.isEmpty)
        }

        @Test func reportsProgressOfCall() async throws {
            let server = try await server()
            let seen = Locked<[TransferProgress]>([])
            let pilot: Pilot = try await server.client().call(HarbourAPI.Pilots.me)
                .onProgress { progress in seen.withLock { $0.append(progress) } }
                .value(in: HarbourResponse.self)
            #expect(pilot.name == "Ada")
            let size = XXXNetworkKitParityTests.me.utf8.count
            #expect(seen.withLock { $0.last } == TransferProgress(.download, bytes: size, total: size))
            withExtendedLifetime(server) {}
        }

        // MARK: Plugins

        @Test(arguments: [true, false])
        func logsOnlyInDebugBuilds(isDebug: Bool) async throws {
            let logger = record.logger
            let stub = StubTransport { $0.all { _ in .json(XXXNetworkKitParityTests.me) } }
            let configuration = Client.Configuration(logging: isDebug ? .verbose(logger) : .none)
            try await Client("https://api.example.com", transport: stub, configuration: configuration)
                .call(HarbourAPI.Pilots.signIn(name: "Ada")).send()
            #expect(record.events == (isDebug ? ["start", "end"] : []))
            #expect(record.text.contains("-X POST \\\n  https://api.example.com/session") == isDebug)
        }

        /// XXXNetworkKit has one start time for all requests in flight.
        @Test func measuresConcurrentCallsSeparately() async throws {
            let clock = ManualClock()
            let go = Signal()
            let transport = ClosureTransport { request, _, _ throws(TransportError) in
                if request.path == "/berths" { await go.wait() }
                return Response(HTTPResponse(status: .ok))
            }
            let configuration = Client.Configuration(timeout: nil, clock: clock, logging: .simple(record.logger))
            let api = Client("https://api.example.com", transport: transport, configuration: configuration)
            let slow = Task { try await api.call(HarbourAPI.Berths.list).send().metrics.total }
            while transport.requests.isEmpty { await Task.yield() }
            clock.advance(by: .seconds(3))
            let fast = try await api.call(HarbourAPI.Tides.today).send().metrics.total
            clock.advance(by: .seconds(4))
            go.set()
            #expect(fast == .zero)
            #expect(try await slow.value == .seconds(7))
            #expect(record.lines.filter { $0.event == "end" }.map { $0["duration"] } == ["0.0 ms", "7000.0 ms"])
        }

        @Test func supportsCustomPlugins() async throws {
            let log = Locked<[String]>([])
            let plugin = ClosureInterceptor(
                before: { request in
                    request.headers[HTTPField.Name("X-Build")!] = "7"
                    log.withLock { $0.append("willSend \(request.head.path ?? "")") }
                },
                after: { response, _ in log.withLock { $0.append("didReceive \(response.status.code)") } },
                onError: { error, _ in
                    log.withLock { $0.append("didFail \((error as? ClientError)?.code.description ?? "")") }
                    return nil
                }
            )
            let stub = StubTransport {
                $0.get("/pilots/me", .json(XXXNetworkKitParityTests.me))
                $0.get("/berths", .failure(.offline))
            }
            let configuration = Client.Configuration(interceptors: [plugin])
            let api = Client("https://api.example.com", transport: stub, configuration: configuration)
            try await api.call(HarbourAPI.Pilots.me).send()
            await #expect(throws: ClientError.self) { try await api.call(HarbourAPI.Berths.list).send() }
            let lines = ["willSend /pilots/me", "didReceive 200", "willSend /berths", "didFail transport"]
            #expect(log.withLock { $0 } == lines)
            #expect(stub.requests.first?.headers[HTTPField.Name("X-Build")!] == "7")
        }

        /// XXXNetworkKit multiplies the seconds by 60.
        @Test func timeoutsAreInSeconds() async throws {
            struct Chart: Endpoint {
                var path: Path { "/chart" }

                func configure(_ call: Call) -> Call { call.timeout(.seconds(45)) }
            }
            let stub = StubTransport { $0.all { _ in .status(.ok) } }
            let configuration = Client.Configuration(timeout: .seconds(20))
            let api = Client("https://api.example.com", transport: stub, configuration: configuration)
            try await api.call(HarbourAPI.Berths.list).send()
            try await api.send(Chart())
            #expect(stub.requests.map(\.options.timeout) == [.seconds(20), .seconds(45)])
            #expect(try api.call(HarbourAPI.Berths.list).urlRequest().timeoutInterval == 20)
        }

        // MARK: Helpers

        @Test func retriesCallsAndClosures() async throws {
            let busy = StubTransport.Answer.status(503)
            let stub = StubTransport {
                $0.get(
                    "/pilots/me",
                    busy,
                    busy,
                    .json(XXXNetworkKitParityTests.me),
                    busy,
                    .json(XXXNetworkKitParityTests.me)
                )
            }
            let configuration = Client.Configuration(timeout: nil, clock: clock)
            let api = Client("https://api.example.com", transport: stub, configuration: configuration)
            // Two retries in XXXNetworkKit are three attempts.
            let policy = RetryPolicy.fixed(attempts: 3, delay: .seconds(1))
            let pilot: Pilot = try await api.call(HarbourAPI.Pilots.me).retry(policy).value(in: HarbourResponse.self)
            let again = try await policy.run(on: clock) { _ in
                try await api.call(HarbourAPI.Pilots.me).value(in: HarbourResponse.self, as: Pilot.self)
            }
            #expect(pilot == again)
            #expect(stub.requests.count == 5)
            #expect(clock.sleeps == [.seconds(1), .seconds(1), .seconds(1)])
        }

        @Test func retriesOnlyOnCustomCondition() async {
            let stub = StubTransport { $0.all { _ in .status(503) } }
            let configuration = Client.Configuration(timeout: nil, clock: clock)
            let api = Client("https://api.example.com", transport: stub, configuration: configuration)
            let policy = RetryPolicy.fixed().when { failure in failure.response?.status == .tooManyRequests }
            await #expect(throws: ClientError.self) { try await api.call(HarbourAPI.Pilots.me).retry(policy).send() }
            #expect(stub.requests.count == 1)
        }

        private struct Passage: Codable, Equatable, Sendable {
            var isOpen: Bool
        }

        @Test func pollsCallsAndClosures() async throws {
            let (shut, open) = (#"{"isOpen": false}"#, #"{"isOpen": true}"#)
            let stub = StubTransport { $0.get("/lock", .json(shut), .json(shut), .json(open)) }
            let configuration = Client.Configuration(timeout: nil, clock: clock)
            let api = Client("https://api.example.com", transport: stub, configuration: configuration)
            let policy = PollPolicy(delay: .seconds(1), factor: 2, jitter: .none, timeout: .seconds(20))
            let passage: Passage = try await api.get("/lock").poll(policy) { $0.isOpen }
            #expect(passage.isOpen)
            #expect(clock.sleeps == [.seconds(1), .seconds(2)])
            let again = try await policy.run(on: clock, until: { $0.isOpen }) {
                try await api.get("/lock").value(as: Passage.self)
            }
            #expect(again == passage)
        }

        @Test func stopsPollingAtTimeout() async {
            let stub = StubTransport { $0.get("/lock", .json(#"{"isOpen": false}"#)) }
            let configuration = Client.Configuration(timeout: nil, clock: clock)
            let api = Client("https://api.example.com", transport: stub, configuration: configuration)
            let policy = PollPolicy(delay: .seconds(10), factor: 1, jitter: .none, timeout: .seconds(35))
            let error = await #expect(throws: ClientError.self) {
                try await api.get("/lock").poll(policy, until: { (passage: Passage) in passage.isOpen })
            }
            #expect(error?.code == .pollTimeout)
            #expect(stub.requests.count == 4)
            #expect(clock.elapsed == .seconds(35))
        }

        /// XXXNetworkKit converts models to parameters through a dictionary.
        @Test func encodesModelAsParameters() async throws {
            let stub = StubTransport { $0.all { _ in .status(.ok) } }
            let api = Client("https://api.example.com", transport: stub)
            let pilot = Pilot(name: "Ada L", badge: nil)
            try await api.get("/pilots").parameters(pilot).send()
            try await api.post("/pilots").parameters(pilot).send()
            try await api.put("/pilots").parameters(pilot, as: .json).send()
            #expect(stub.requests.map(\.path) == ["/pilots?name=Ada%20L", "/pilots", "/pilots"])
            #expect(stub.requests.map(\.text) == ["", "name=Ada+L", #"{"name":"Ada L"}"#])
        }
    }
}
