// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Reprise

/// The examples of Konex's documentation, chapter by chapter, written with Reprise. Dispatching requests and extending
/// a client are in other files.
@Suite struct KonexParityTests {
    struct Station: Codable, Equatable, Sendable {
        var id: Int
        var name: String?

        init(id: Int, name: String? = nil) {
            self.id = id
            self.name = name
        }

        /// Creates a station from untyped JSON, or returns nil if it has no ID.
        init?(_ json: JSONValue) {
            guard let id = json["id"].int else { return nil }
            self.init(id: id, name: json["name"].string)
        }
    }

    /// A request as a type of its own.
    struct AllStations: Endpoint {
        typealias Response = [Station]
        let path: Path = "https://tides.example/stations/"
        let method = HTTPRequest.Method.post
    }

    /// The result that the completion closure receives.
    static func result<Value: Sendable>(
        _ start: (@escaping @MainActor @Sendable (Result<Value, any Error>) -> Void) -> StartedCall
    ) async -> Result<Value, any Error> {
        await withCheckedContinuation { continuation in
            _ = start { continuation.resume(returning: $0) }
        }
    }

    // MARK: The brief example

    @Suite struct BriefExample {
        private let stub = StubTransport {
            $0.post(
                "https://tides.example/stations/",
                .json(#"[{"id": 1, "name": "Brest"}, {"id": 2}, {"name": "?"}]"#)
            )
        }

        @Test func sendsEndpointWithURLAndMethod() async throws {
            let stub = StubTransport { $0.all { _ in .json(#"[{"id": 1, "name": "Brest"}, {"id": 2}]"#) } }
            let stations = try await Client(transport: stub).send(AllStations())
            #expect(stations == [Station(id: 1, name: "Brest"), Station(id: 2)])
            #expect(stub.requests.map(\.url) == ["https://tides.example/stations/"])
            #expect(stub.requests.map(\.method) == [.post])
        }

        @Test func createsModelsWithCustomInitializer() async throws {
            let stations = try await Client(transport: stub).call(AllStations()).value { response in
                try response.json().array?.compactMap { Station($0) }
            }
            #expect(stations == [Station(id: 1, name: "Brest"), Station(id: 2)])
        }

        @Test func errorNamesInvalidElement() async throws {
            let error = await #expect(throws: ClientError.self) {
                try await Client(transport: stub).send(AllStations())
            }
            #expect(error?.code == .decoding)
            #expect(error?.message.contains("[2]") == true, "\(error as Any)")
        }

        @Test func completionReceivesListOrError() async throws {
            let good = StubTransport { $0.all { _ in .json(#"[{"id": 1}]"#) } }
            let stations = await KonexParityTests.result {
                Client(transport: good).start(AllStations(), completion: $0)
            }
            #expect(try stations.get() == [Station(id: 1)])
            let bad = StubTransport { $0.all { _ in .status(.notFound) } }
            let failure = await KonexParityTests.result { Client(transport: bad).start(AllStations(), completion: $0) }
            let error = #expect(throws: ClientError.self) { try failure.get() }
            #expect(error?.code == .status)
            #expect(error?.response?.status == .notFound)
        }
    }

    // MARK: Creating requests

    @Suite struct CreatingRequests {
        private let stub = StubTransport { $0.all { _ in .json(#"{"id": 7}"#) } }
        private var api: Client { Client("https://tides.example", transport: stub) }

        @Test func requiresOnlyPath() async throws {
            struct Now: Endpoint {
                let path: Path = "/now"
            }
            try await api.send(Now())
            let request = try #require(stub.requests.first)
            #expect(request.method == .get)
            #expect(request.url == "https://tides.example/now")
            #expect(request.headers.isEmpty)
            #expect(request.body.isEmpty)
        }

        private struct Report: Endpoint {
            let path: Path = "/report"
            var method: HTTPRequest.Method

            func configure(_ call: Call) -> Call {
                call.parameters(["port": "Le Havre", "days": 3], as: method == .get ? .query : .json)
                    .headers(["X-Boat": "Iris"])
            }
        }

        @Test func sendsParametersOfGetInURL() async throws {
            try await api.send(Report(method: .get))
            #expect(stub.requests.map(\.path) == ["/report?port=Le%20Havre&days=3"])
            #expect(stub.requests[0].body.isEmpty)
        }

        @Test(arguments: [HTTPRequest.Method.post, .put, .patch, .delete])
        func sendsParametersOfOtherMethodsAsJSON(method: HTTPRequest.Method) async throws {
            try await api.send(Report(method: method))
            #expect(stub.requests.map(\.path) == ["/report"])
            #expect(stub.requests[0].text == #"{"days":3,"port":"Le Havre"}"#)
            #expect(stub.requests[0].headers[.contentType] == "application/json")
        }

        @Test func sendsHeadersOfEndpoint() async throws {
            try await api.send(Report(method: .get))
            #expect(stub.requests[0].headers == [try #require(HTTPField.Name("X-Boat")): "Iris"])
        }

        /// A base class without requirements.
        private class BasicRequest: Endpoint {
            var path: Path { "" }
            var method: HTTPRequest.Method { .get }
            var parameters: [String: JSONValue] { [:] }
            var headers: [String: String] { [:] }

            func configure(_ call: Call) -> Call {
                let call = call.headers(headers)
                return parameters.isEmpty ? call : call.parameters(parameters, as: method == .get ? .query : .json)
            }
        }

        private class SignedInRequest: BasicRequest {
            override var parameters: [String: JSONValue] { ["unit": "metre"] }
            override var headers: [String: String] { ["Authorization": "Bearer mooring"] }
        }

        private final class AddReading: SignedInRequest {
            override var path: Path { "/readings" }
            override var method: HTTPRequest.Method { .post }
            override var parameters: [String: JSONValue] { super.parameters.merging(["height": 4.25]) { $1 } }
        }

        private final class Readings: SignedInRequest {
            override var path: Path { "/readings" }
        }

        @Test func inheritsAndExtendsBaseRequest() async throws {
            #expect(try await api.send(AddReading(), as: Station.self) == Station(id: 7))
            _ = try await api.send(Readings(), as: Station.self)
            #expect(stub.requests.map(\.method) == [.post, .get])
            #expect(stub.requests.map(\.path) == ["/readings", "/readings?unit=metre"])
            #expect(stub.requests[0].text == #"{"height":4.25,"unit":"metre"}"#)
            #expect(stub.requests.map { $0.headers[.authorization] } == ["Bearer mooring", "Bearer mooring"])
        }
    }
}
