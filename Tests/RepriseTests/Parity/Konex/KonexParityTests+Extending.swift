// SPDX-License-Identifier: Apache-2.0

import RepriseLocking
import RepriseTestSupport
import Testing

@testable import Reprise

extension KonexParityTests {
    /// Extensions of a client: interceptors, transforms, and validators, each at three levels.
    @Suite struct Extending {
        /// The recorded events, in order.
        private final class Log: Sendable {
            private let entries = Locked<[String]>([])

            var all: [String] { entries.withLock { $0 } }

            func note(_ entry: String) { entries.withLock { $0.append(entry) } }

            func interceptor(_ name: String) -> ClosureInterceptor {
                ClosureInterceptor(
                    before: { _ in self.note("\(name) sent") },
                    after: { response, _ in self.note("\(name) received \(response.status.code)") }
                )
            }
        }

        private static func appending(_ letter: String) -> ResponseTransform {
            { response in
                var response = response
                response.bytes += Array(letter.utf8)
                return response
            }
        }

        private static func refusing(_ text: String, _ log: Log? = nil) -> Validation {
            .response { response in
                log?.note("looked for \(text)")
                if response.text.contains(text) { throw Refusal(text: text) }
            }
        }

        private struct Refusal: Error, Equatable {
            let text: String
        }

        /// An endpoint that modifies its call.
        private struct Tide: Endpoint {
            typealias Response = BufferedResponse
            let path: Path = "/tide"
            var change: @Sendable (Call) -> Call

            func configure(_ call: Call) -> Call { change(call) }
        }

        private let log = Log()
        private let stub = StubTransport {
            $0.get("/tide", .text("ebb "))
            $0.get("/storm", .failure(.reset))
        }

        private func api(_ configuration: Client.Configuration = .init()) -> Client {
            Client("https://tides.example", transport: stub, configuration: configuration)
        }

        // MARK: Interceptors

        @Test func hooksReceiveRequestAndResponse() async throws {
            try await api().get("/tide").intercept(log.interceptor("call")).send()
            #expect(log.all == ["call sent", "call received 200"])
        }

        @Test func interceptorCountsActiveRequestsDespiteFailures() async throws {
            let underWay = Locked(0)
            let log = log
            let indicator = ClosureInterceptor { request, next in
                underWay.withLock { $0 += 1 }
                defer { underWay.withLock { $0 -= 1 } }
                log.note("\(underWay.withLock { $0 }) under way")
                return try await next(request)
            }
            let api = api(.init(interceptors: [indicator]))
            try await api.get("/tide").send()
            await #expect(throws: ClientError.self) { try await api.get("/storm").send() }
            #expect(log.all == ["1 under way", "1 under way"])
            #expect(underWay.withLock { $0 } == 0)
        }

        @Test func hooksRunAtThreeLevels() async throws {
            let log = log
            let endpoint = Tide { $0.intercept(log.interceptor("endpoint")) }
            try await api(.init(interceptors: [log.interceptor("client")])).call(endpoint).intercept(
                log.interceptor("call")
            ).send()
            #expect(log.all.prefix(3) == ["client sent", "endpoint sent", "call sent"])
            #expect(log.all.dropFirst(3) == ["call received 200", "endpoint received 200", "client received 200"])
        }

        // MARK: Transforms

        @Test func transformsRunInOrder() async throws {
            let call = api().get("/tide").transform(Self.appending("1")).transform(Self.appending("2"))
            #expect(try await call.send().text == "ebb 12")
        }

        @Test func transformsRunAtThreeLevels() async throws {
            let endpoint = Tide { $0.transform(Self.appending("2")) }
            let call = api(.init(transforms: [Self.appending("1")])).call(endpoint).transform(Self.appending("3"))
            #expect(try await call.send().text == "ebb 123")
        }

        @Test func valuesDecodeTransformedContent() async throws {
            let json: ResponseTransform = { response in
                var response = response
                response.bytes = Array(#"{"id": 7, "name": "\#(response.text)"}"#.utf8)
                return response
            }
            let station: Station = try await api(.init(transforms: [json])).get("/tide").value()
            #expect(station == Station(id: 7, name: "ebb "))
        }

        // MARK: Validators

        @Test func callThrowsErrorOfValidator() async throws {
            let call = api().get("/tide").validate(Self.refusing("ebb"))
            await #expect(throws: Refusal(text: "ebb")) { try await call.send() }
            try await api().get("/tide").validate(Self.refusing("flood")).send()
        }

        @Test func validatorsRunAtThreeLevelsUntilFirstError() async throws {
            let log = log
            let endpoint = Tide { $0.validate(Self.refusing("ebb", log)) }
            let api = api(.init(validation: [Self.refusing("flood", log)]))
            let call = api.call(endpoint).validate(Self.refusing("e", log))
            await #expect(throws: Refusal(text: "ebb")) { try await call.send() }
            #expect(log.all == ["looked for flood", "looked for ebb"])
        }

        /// Validators see the content that the server sent, and a rejected response is never transformed.
        @Test func validatorsRunBeforeTransforms() async throws {
            let log = log
            let call = api().get("/tide").validate(Self.refusing("ebb")).transform { response in
                log.note("transformed")
                return response
            }
            await #expect(throws: Refusal.self) { try await call.send() }
            #expect(log.all.isEmpty)
        }
    }
}
