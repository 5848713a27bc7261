// SPDX-License-Identifier: Apache-2.0

import Foundation
import RepriseLocking
import RepriseTestSupport
import Testing

@testable import Reprise

extension ZTAPIParityTests {
    /// Interceptors, transforms, and other extensions of calls.
    @Suite struct Plugins {
        private let stub = StubTransport {
            $0.get("/plants/7", .json(#"{"id": 7, "name": "Fern"}"#))
            $0.get("/busy", .status(503), .json(#"{"id": 7, "name": "Fern"}"#))
            $0.get("/gone", .failure(.reset))
        }

        private func api(_ configuration: Client.Configuration = .init()) -> Client {
            Client("https://garden.example", transport: stub, configuration: configuration)
        }

        // MARK: Four closures

        @Test func hooksRunBeforeAfterOnErrorAndOnData() async throws {
            let log = Locked<[String]>([])
            let interceptor = ClosureInterceptor(
                before: { request in
                    request.headers[.acceptLanguage] = "la"
                    log.withLock { $0.append("before \(request.head.path ?? "")") }
                },
                after: { response, _ in log.withLock { $0.append("after \(response.status.code)") } },
                onError: { error, request in
                    log.withLock { $0.append("error \((error as? ClientError)?.code.rawValue ?? "")") }
                    return nil
                },
                onData: { bytes, _ in Array(String(decoding: bytes, as: UTF8.self).uppercased().utf8) }
            )
            #expect(try await api().get("/plants/7").intercept(interceptor).json()["NAME"].string == "FERN")
            await #expect(throws: ClientError.self) { try await api().get("/gone").intercept(interceptor).send() }
            #expect(log.withLock { $0 } == ["before /plants/7", "after 200", "before /gone", "error transport"])
            #expect(stub.requests.map { $0.headers[.acceptLanguage] } == ["la", "la"])
        }

        @Test func hooksFailSuccessAndReplaceFailure() async throws {
            struct Wilted: Error {}
            let strict = ClosureInterceptor(after: { _, _ in throw Wilted() })
            await #expect(throws: Wilted.self) { try await api().get("/plants/7").intercept(strict).send() }
            let lenient = ClosureInterceptor(onError: { _, _ in
                Response(HTTPResponse(status: .ok), body: #"{"id": 0, "name": "stone"}"#)
            })
            let plant: Plant = try await api().get("/gone").intercept(lenient).value()
            #expect(plant.name == "stone")
        }

        // MARK: Built-in plugins of ZTAPI

        @Test func logsAtConfiguredVerbosity() async throws {
            let (simple, verbose) = (LogRecord(), LogRecord())
            let call = { (logging: CallLogging) in
                try await api(.init(logging: logging)).get("/plants/7").header(.authorization, "Bearer trowel").send()
            }
            _ = try await (call(.none), call(.simple(simple.logger)), call(.verbose(verbose.logger)))
            #expect(simple.lines.map(\.message).last == "end GET https://garden.example/plants/7")
            #expect(simple.lines.last?["status"] == "200")
            #expect(!simple.text.contains("curl"))
            #expect(verbose.text.contains("curl"))
            #expect(verbose.text.contains("Fern"))
            #expect(!verbose.text.contains("trowel"))
        }

        private struct Token: TokenProvider {
            func token() -> String? { "trowel" }
        }

        @Test func addsToken() async throws {
            try await api(.init(tokenProvider: Token())).get("/plants/7").authorized().send()
            #expect(stub.requests[0].headers[.authorization] == "Bearer trowel")
        }

        private actor Session: TokenProvider {
            private(set) var refreshes = 0
            private var current = "old"

            func token() -> String? { current }

            func refresh() -> String? {
                refreshes += 1
                current = "new"
                return current
            }
        }

        @Test func refreshesExpiredTokenOnceAndResendsAllCalls() async throws {
            let site = try await Site.start { request, _ in
                request["Authorization"] == "Bearer new"
                    ? Site.json(#"{"id": 7, "name": "Fern"}"#) : Site.response("401 Unauthorized")
            }
            let session = Session()
            let api = site.client(.init(tokenProvider: session))
            try await withThrowingTaskGroup(of: Plant.self) { group in
                for _ in 0..<5 { group.addTask { try await api.get("/plants/7").authorized().value() } }
                for try await plant in group { #expect(plant.name == "Fern") }
            }
            #expect(await session.refreshes == 1)
            #expect(site.requests.filter { $0["Authorization"] == "Bearer new" }.count == 5)
        }

        @Test func prettyPrintsJSON() async throws {
            let pretty: ResponseTransform = { response in
                let encoder = JSONEncoder()
                encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
                var response = response
                response.bytes = Array(try encoder.encode(response.json()))
                return response
            }
            let text = try await api(.init(transforms: [pretty])).get("/plants/7").send().text
            #expect(text.split(separator: "\n").count == 4)
        }

        @Test func decryptsContent() async throws {
            let stub = StubTransport {
                $0.get("/secret", .bytes(Array(#"{"id": 7, "name": "Fern"}"#.utf8.map { $0 ^ 0x5A })))
            }
            let decrypting: ResponseTransform = { response in
                var response = response
                response.bytes = response.bytes.map { $0 ^ 0x5A }
                return response
            }
            let api = Client("https://garden.example", transport: stub, configuration: .init(transforms: [decrypting]))
            let plant: Plant = try await api.get("/secret").value()
            #expect(plant.name == "Fern")
        }

        private struct Wrapper: Envelope {
            let code: BusinessCode
            let message: String?
        }

        @Test func checksBusinessCodeAndUnwrapsContent() async throws {
            let stub = StubTransport {
                $0.get("/plants/7", .json(#"{"code": 0, "data": {"id": 7, "name": "Fern"}}"#))
                $0.get("/plants/8", .json(#"{"code": 4711, "message": "it has wilted"}"#))
            }
            let api = Client("https://garden.example", transport: stub)
            let plant: Plant = try await api.get("/plants/7").value(in: Wrapper.self)
            #expect(plant.name == "Fern")
            let error = await #expect(throws: ClientError.self) {
                try await api.get("/plants/8").value(in: Wrapper.self, as: Plant.self)
            }
            #expect(error?.code == .business)
            #expect(error?.business?.code == 4711)
            #expect(error?.business?.message == "it has wilted")
        }

        @Test func combinesSeveralPlugins() async throws {
            let record = LogRecord()
            let api = api(.init(tokenProvider: Token(), logging: .simple(record.logger)))
            let plant: Plant = try await api.get("/plants/7").authorized().intercept(ClosureInterceptor()).value()
            #expect(plant.name == "Fern")
            #expect(record.events == ["start", "end"])
            #expect(stub.requests[0].headers[.authorization] == "Bearer trowel")
        }

        // MARK: Custom plugins

        /// Signs each outgoing request with the current time.
        private struct Signing: Interceptor {
            let key: String
            let now: @Sendable () -> Int

            func intercept(_ request: Call.Request, next: Call.Next) async throws -> Response {
                var request = request
                let time = now()
                request.headers[.init("X-Time")!] = "\(time)"
                request.headers[.init("X-Signature")!] = "\(key)/\(request.head.path ?? "")/\(time)"
                return try await next(request)
            }
        }

        @Test func signsEachAttempt() async throws {
            let time = Locked(100)
            let signing = Signing(key: "k") {
                time.withLock { time in
                    time += 1
                    return time
                }
            }
            let api = api(.init(clock: ManualClock(passesBySleeping: true)))
            try await api.get("/busy").intercept(signing).retry(.fixed()).send()
            let signatures = stub.requests.map { $0.headers[.init("X-Signature")!] }
            #expect(signatures == ["k//busy/101", "k//busy/102"])
        }
    }
}
