// SPDX-License-Identifier: Apache-2.0

import Reprise
import Testing

/// The code blocks of "Migrate from Konex", with a stub.
@Suite struct ComingFromKonexExamples {
    struct Station: Codable, Equatable, Sendable {
        var id: Int
        var name: String
    }

    struct AllStations: Endpoint {
        typealias Response = [Station]
        let path: Path = "/stations"
    }

    struct AddReading: Endpoint {
        typealias Response = Station
        let height: Double
        let path: Path = "/readings"
        let method = HTTPRequest.Method.post

        func configure(_ call: Call) -> Call {
            call.parameters(["height": height], as: .json).header(.acceptLanguage, "br")
        }
    }

    class SignedInRequest: Endpoint {
        var path: Path { "" }
        var method: HTTPRequest.Method { .get }
        var parameters: [String: JSONValue] { ["unit": "metre"] }

        func configure(_ call: Call) -> Call {
            call.parameters(parameters, as: method == .get ? .query : .json).authorized()
        }
    }

    final class RenameStation: SignedInRequest {
        override var path: Path { "/stations/7" }
        override var method: HTTPRequest.Method { .put }
        override var parameters: [String: JSONValue] { super.parameters.merging(["name": "Brest"]) { $1 } }
    }

    private struct NoResult: Error {}

    private struct Key: TokenProvider {
        func token() -> String? { "mooring" }
    }

    private let stub = StubTransport {
        $0.get("/stations", .json(#"[{"id": 7, "name": "Brest"}]"#))
        $0.post("/readings", .json(#"{"id": 7, "name": "Brest"}"#))
        $0.put("/stations/7", .json(#"{"id": 7, "name": "Brest"}"#))
        $0.get("/wrapped", .json(#"{"result": [{"id": 7, "name": "Brest"}]}"#))
        $0.get("/nothing", .json("{}"))
    }
    private var api: Client {
        Client("https://tides.example", transport: stub, configuration: .init(tokenProvider: Key()))
    }

    @Test func sendsRequests() async throws {
        let stations = try await api.send(AllStations())
        #expect(stations == [Station(id: 7, name: "Brest")])
        #expect(try await api.send(AddReading(height: 4.25)).id == 7)
        #expect(stub.requests[1].text == #"{"height":4.25}"#)
        #expect(stub.requests[1].headers[.acceptLanguage] == "br")
    }

    @Test func inheritsFromBaseClass() async throws {
        let renamed = try await api.send(RenameStation(), as: Station.self)
        #expect(renamed.name == "Brest")
        #expect(stub.requests[0].text == #"{"name":"Brest","unit":"metre"}"#)
        #expect(stub.requests[0].headers[.authorization] == "Bearer mooring")
    }

    @Test func reportsResultToClosure() async {
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            @Sendable func show(_ shown: Any) {
                #expect(shown is [Station])
                continuation.resume()
            }
            let started = api.start(AllStations()) { result in
                switch result {
                case .success(let stations): show(stations)
                case .failure(let error): show(error)
                }
            }
            _ = started
        }
    }

    @Test func mapsModelsManually() async throws {
        let names = try await api.call(AllStations()).value { response in
            try response.json().array?.compactMap { $0["name"].string }
        }
        #expect(names == ["Brest"])
    }

    @Test func extendsClient() async throws {
        try await Ambient.$transport.withValue(stub) {
            let logging = ClosureInterceptor(
                before: { request in print("sent", request.head.path ?? "") },
                after: { response, request in print("received", response.status.code) }
            )
            let complete = Validation.response { response in
                if try response.json()["result"].isNull { throw NoResult() }
            }
            let unwrapping: ResponseTransform = { response in
                var response = response
                response.bytes = try response.json()["result"].encoded()
                return response
            }
            let api = Client(
                "https://tides.example",
                configuration: .init(validation: [complete], interceptors: [logging], transforms: [unwrapping])
            )
            let stations: [Station] = try await api.get("/wrapped").value()
            #expect(stations.map(\.id) == [7])
            await #expect(throws: NoResult.self) { try await api.get("/nothing").send() }
        }
    }

    @Test func testsWithStub() async throws {
        let stub = StubTransport {
            $0.get("/stations", .json(#"[{"id": 7, "name": "Brest"}]"#))
        }
        let api = Client("https://tides.example", transport: stub)
        let stations = try await api.send(AllStations())
        #expect(stations.map(\.name) == ["Brest"])
        #expect(stub.requests.map(\.url) == ["https://tides.example/stations"])
    }
}
