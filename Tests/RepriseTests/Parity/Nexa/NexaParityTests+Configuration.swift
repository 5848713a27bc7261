// SPDX-License-Identifier: Apache-2.0

import Foundation
import RepriseLocking
import RepriseTestSupport
import Testing

@testable import Reprise

extension NexaParityTests {
    /// The configuration of a client: headers, transport, logger, interceptors, errors, and tokens.
    @Suite struct Configuration {
        private struct Refusal: Error, Decodable, Equatable {
            var reason: String
        }

        /// Adds a trace ID to each request.
        private struct Tracing: Interceptor {
            let name: String
            let log: Locked<[String]>

            func intercept(_ request: Call.Request, next: Call.Next) async throws -> Response {
                var request = request
                request.headers[HTTPField.Name("X-Trace-Id")!] = name
                log.withLock { $0.append("\(name) before") }
                let response = try await next(request)
                log.withLock { $0.append("\(name) after \(response.status.code)") }
                return response
            }
        }

        private let record = LogRecord()
        private let log = Locked<[String]>([])

        @Test func configuresClientInOnePlace() async throws {
            let stub = StubTransport {
                $0.get("/readers/42", .json(NexaParityTests.ada))
                $0.get("/readers/0", .json(#"{"reason": "no such reader"}"#, status: .notFound))
            }
            let configuration = Client.Configuration(
                headers: [.accept: "application/json"],
                interceptors: [Tracing(name: "client", log: log)],
                tokenProvider: nil,
                logging: .simple(record.logger),
                serverError: .decoding(Refusal.self)
            )
            let api = Client("https://api.example.com", transport: stub, configuration: configuration)

            let reader: Reader = try await api.get("/readers/42").value()
            #expect(reader.name == "Ada")
            let fields = try #require(stub.requests.first).headers
            #expect(fields == [.accept: "application/json", HTTPField.Name("X-Trace-Id")!: "client"])
            #expect(record.events == ["start", "end"])

            await #expect(throws: Refusal(reason: "no such reader")) { try await api.get("/readers/0").send() }
            #expect(record.events == ["start", "end", "start", "end", "failure"])
        }

        @Test func callHeadersReplaceDefaults() async throws {
            let transport = ClosureTransport()
            let configuration = Client.Configuration(headers: [.accept: "application/json", .acceptLanguage: "de"])
            let api = Client("https://api.example.com", transport: transport, configuration: configuration)
            try await api.get("/").header("accept", "text/plain").send()
            #expect(transport.requests.first?.headerFields == [.acceptLanguage: "de", .accept: "text/plain"])
        }

        /// Assembly, interceptors, transport, validation, and decoding: the steps in Nexa's diagram.
        @Test func runsStepsInOrder() async throws {
            let log = log
            let transport = ClosureTransport { _, _, _ throws(TransportError) in
                log.withLock { $0.append("transport") }
                return Response(HTTPResponse(status: .accepted), body: Body(NexaParityTests.ada))
            }
            let configuration = Client.Configuration(interceptors: [Tracing(name: "client", log: log)])
            let api = Client("https://api.example.com", transport: transport, configuration: configuration)
            let call = api.get("/readers/42").intercept(Tracing(name: "call", log: log)).validate { response in
                log.withLock { $0.append("validate \(response.status.code)") }
            }

            _ = try call.urlRequest()
            #expect(log.withLock { $0 } == [])
            _ = try await call.value { response in
                log.withLock { $0.append("decode") }
                return try response.decode(as: Reader.self)
            }
            let steps = [
                "client before", "call before", "transport", "call after 202", "client after 202", "validate 202",
            ]
            #expect(log.withLock { $0 } == steps + ["decode"])
            // The innermost interceptor wins.
            #expect(transport.requests.first?.headerFields[HTTPField.Name("X-Trace-Id")!] == "call")
            log.withLock { $0 = [] }
            try await call.send()
            #expect(log.withLock { $0 } == steps)
        }

        @Test func acceptsOnlyListedStatuses() async throws {
            let answers = Locked<[HTTPResponse.Status]>([.ok, .created, .noContent, .accepted])
            let transport = ClosureTransport { _, _, _ throws(TransportError) in
                Response(HTTPResponse(status: answers.withLock { $0.removeFirst() }))
            }
            let call = Client("https://api.example.com", transport: transport).put("/readers/42")
                .validate(.statusCodes([200, 201, 204]))
            for _ in 0..<3 { try await call.send() }
            let error = await #expect(throws: ClientError.self) { try await call.send() }
            #expect(error?.code == .status)
            #expect(error?.response?.status == .accepted)
        }

        @Test func throwsOneErrorTypeWithCodes() async {
            let stub = StubTransport {
                $0.get("/text", .text("not JSON"))
                $0.get("/offline", .failure(.offline))
                $0.get("/slow", .failure(.timedOut))
            }
            let api = Client("https://api.example.com", transport: stub)
            var codes: [ClientError.Code] = []
            for path: RequestPath in ["/text", "/offline", "/slow", "/../up"] {
                do {
                    let reader: Reader = try await api.get(path).value()
                    Issue.record("expected an error, decoded \(reader)")
                } catch let error as ClientError {
                    codes.append(error.code)
                } catch {
                    Issue.record(error)
                }
            }
            #expect(codes == [.decoding, .transport, .timeout, .invalidURL])
        }

        @Test func logsAttemptsRetriesAndRefreshes() async throws {
            let stub = StubTransport {
                $0.get("/readers/42", .status(503), .status(401), .json(NexaParityTests.ada))
            }
            let configuration = Client.Configuration(
                timeout: nil,
                clock: ManualClock(passesBySleeping: true),
                retry: .fixed(),
                tokenProvider: Tokens("old") { "new" },
                logging: .simple(record.logger)
            )
            let api = Client("https://api.example.com", transport: stub, configuration: configuration)
            try await api.get("/readers/42").authorized().send()
            #expect(record.events == ["start", "end", "retry", "start", "end", "refresh", "start", "end"])
            #expect(record.lines.map { $0["attempt"] } == ["1", "1", "1", "2", "2", "2", "2", "2"])
            #expect(Set(record.lines.map { $0["request-id"] }).count == 1)
            #expect(record.lines.last?["status"] == "200")
            #expect(record.lines.last?["size"] == "\(NexaParityTests.ada.utf8.count)")
        }
    }
}
