// SPDX-License-Identifier: Apache-2.0

import Foundation
import RepriseLocking
import RepriseTestSupport
import Testing

@testable import Reprise

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension KonexParityTests {
    /// Clients, and calls from code without `async`.
    @Suite struct DispatchingRequests {
        private struct Get: Endpoint {
            typealias Response = Station
            let path: Path = "/stations/7"
        }

        private let stub = StubTransport {
            $0.get("/stations/7", .json(#"{"id": 7, "name": "Saint-Malo"}"#))
            $0.get("/stations", .json(#"[{"id": 7}, {"id": 8}]"#))
        }
        private var api: Client { Client("https://tides.example", transport: stub) }
        // The timeouts only guard against hanging.
        private let patient = Client.Configuration(timeout: .seconds(180), connectTimeout: .seconds(180))

        @Test func usesPlatformTransportByDefault() async throws {
            let server = try await ScriptedServer.answering { request in
                "HTTP/1.1 200 OK\r\nContent-Length: \(request.target.count)\r\n\r\n\(request.target)"
            }
            let client = Client(configuration: patient)
            #expect(try await client.get("http://127.0.0.1:\(server.port)/tide").send().text == "/tide")
            withExtendedLifetime(server) {}
        }

        @Test func usesGivenSession() async throws {
            let server = try await ScriptedServer.answering { request in
                let fleet = request["X-Fleet"] ?? "none"
                return "HTTP/1.1 200 OK\r\nContent-Length: \(fleet.count)\r\n\r\n\(fleet)"
            }
            let configuration = URLSessionConfiguration.ephemeral
            configuration.httpAdditionalHeaders = ["X-Fleet": "north"]
            let client = Client(
                "http://127.0.0.1:\(server.port)",
                transport: URLSessionTransport(session: URLSession(configuration: configuration)),
                configuration: patient
            )
            #expect(try await client.get("/").send().text == "north")
            withExtendedLifetime(server) {}
        }

        @Test func completionReceivesUntypedResponse() async throws {
            let result = await KonexParityTests.result { api.get("/stations/7").start(completion: $0) }
            let response = try result.get()
            #expect(response.status == .ok)
            #expect(try response.json()["name"].string == "Saint-Malo")
        }

        @Test func completionReceivesObject() async throws {
            let station = Station(id: 7, name: "Saint-Malo")
            let named = await KonexParityTests.result { api.call(Get()).start(as: Station.self, completion: $0) }
            #expect(try named.get() == station)
            let inferred = await KonexParityTests.result { api.start(Get(), completion: $0) }
            #expect(try inferred.get() == station)
        }

        @Test func completionReceivesArray() async throws {
            let stations = await KonexParityTests.result {
                api.get("/stations").start(as: [Station].self, completion: $0)
            }
            #expect(try stations.get() == [Station(id: 7), Station(id: 8)])
        }

        @Test func startedCallCanBeCanceled() async throws {
            let clock = ManualClock()
            let stub = StubTransport(clock: clock) { $0.get("/stations/7", .status(.ok).delayed(.seconds(60))) }
            let api = Client("https://tides.example", transport: stub, configuration: .init(timeout: nil))
            let count = Locked(0)
            let completed = Signal()
            let started = api.start(Get()) { result in
                let error = #expect(throws: ClientError.self) { try result.get() }
                #expect(error?.code == .cancelled)
                count.withLock { $0 += 1 }
                completed.set()
            }
            await clock.waitForSleepers()
            started.cancel()
            await completed.wait()
            await MainActor.run {}
            #expect(count.withLock { $0 } == 1)
        }

        /// Konex uses a subclass. Here, a type wraps a modified copy of the client.
        @Test func canBeWrappedInCustomClient() async throws {
            struct Tides {
                private let api: Client

                init(_ api: Client) {
                    var api = api
                    api.configuration.headers[.acceptLanguage] = "br"
                    self.api = api
                }

                func station() async throws -> Station { try await api.send(Get()) }
            }
            #expect(try await Tides(api).station().id == 7)
            try await api.send(Get())
            #expect(stub.requests.map { $0.headers[.acceptLanguage] } == ["br", nil])
        }
    }
}
