// SPDX-License-Identifier: Apache-2.0

import Reprise
import Testing

private struct Clippers: TokenProvider {
    func token() -> String? { "clippers" }
}

/// The code blocks of "Migrate from ZTAPI", with a stub.
@Suite struct ComingFromZTAPIExamples {
    struct Plant: Codable, Equatable, Sendable {
        var id: Int
        var name: String
    }

    struct SignUp: Encodable {
        var gardenName: String
        var password: String
        var email: String?
        var ownerID: String

        enum CodingKeys: String, CodingKey {
            case gardenName, password, email
            case ownerID = "uid"
        }
    }

    enum Garden {
        static let client = Client(
            "https://garden.example",
            configuration: .init(timeout: .seconds(30), tokenProvider: Clippers(), maxConcurrentRequests: 6)
        )

        static func signIn(name: String, password: String) -> Call {
            client.post("/session").parameters(["name": name, "password": password], as: .json)
        }

        static var plants: Call { client.get("/plants").authorized() }
    }

    struct Bed: Decodable {
        let id: Int
        let town: String
        let latitude: Double

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: JSONKey.self)
            id = try container.decode(at: "id")
            town = try container.decode(at: "place/town", default: "")
            latitude = try container.decode(at: "place/position/lat", default: 0)
        }
    }

    private static func signature(of request: HTTPRequest, _ time: String) -> String { "\(request.path ?? "")/\(time)" }

    private static let time = HTTPField.Name("X-Time")!
    private static let signature = HTTPField.Name("X-Signature")!

    private let stub = StubTransport {
        $0.post("/plants", .json(#"{"id": 7, "name": "Fern"}"#))
        $0.get("/plants", .json(#"[{"id": 7, "name": "Fern"}]"#))
        $0.get("/plants/7", .json(#"{"id": 7, "name": "Fern"}"#))
        $0.post("/sign-up", .status(.created))
        $0.post("/session", .json(#"{"token": "gate"}"#))
        $0.get("/beds/1", .json(#"{"id": 1, "place": {"town": "Kew"}}"#))
        $0.get("/report", .json(#"{"data": {"keeper": {"name": "Ada"}, "plants": [{"id": 7, "name": "Fern"}]}}"#))
        $0.get("/plants/8", .status(.notFound))
    }
    private var api: Client { Client("https://garden.example", transport: stub) }

    @Test func chainsModifiers() async throws {
        let leaf: [UInt8] = [1, 2, 3]
        @Sendable func show(_ fraction: Double) { #expect((0...1).contains(fraction)) }
        let signing = ClosureInterceptor(before: { request in
            let time = "1767225600"
            request.headers[Self.time] = time
            request.headers[Self.signature] = Self.signature(of: request.head, time)
        })
        let plant: Plant = try await api.post("/plants")
            .query("season", "spring")
            .parameters(["bed": 7])
            .header(.acceptLanguage, "la")
            .timeout(.seconds(30))
            .retry(.exponential(attempts: 3).also(.post))
            .multipart { $0.data("leaf", leaf, filename: "fern.jpg") }
            .onProgress { progress in show(progress.fraction ?? 0) }
            .intercept(signing)
            .value()
        #expect(plant.name == "Fern")
        #expect(stub.requests[0].path == "/plants?season=spring")
        #expect(stub.requests[0].headers[Self.signature] == "/plants?season=spring/1767225600")
    }

    @Test func encodesParameterTypes() async throws {
        let signUp = SignUp(gardenName: "Eden", password: "apple", ownerID: "1")
        try await api.post("/sign-up").form(signUp, style: .init(keys: .snakeCase)).send()
        #expect(stub.requests[0].text == "garden_name=Eden&password=apple&uid=1")
    }

    @Test func groupsCallsInNamespace() async throws {
        try await Ambient.$transport.withValue(stub) {
            let plants: [Plant] = try await Garden.plants.query("page", 2).value()
            #expect(plants.map(\.id) == [7])
            try await Garden.signIn(name: "ada", password: "open").send()
        }
        #expect(stub.requests[0].headers[.authorization] == "Bearer clippers")
        #expect(stub.requests[1].text == #"{"name":"ada","password":"open"}"#)
    }

    @Test func readsNestedValues() async throws {
        let bed: Bed = try await api.get("/beds/1").value()
        #expect((bed.id, bed.town, bed.latitude) == (1, "Kew", 0))
        let (name, age, plants) = try await api.get("/report").values(
            .optional("/data/keeper/name", as: String.self),
            .optional("/data/keeper/age", as: Int.self),
            .required("/data/plants", as: [Plant].self)
        )
        #expect((name, age, plants.count) == ("Ada", nil, 1))
    }

    @Test func cachesResponses() async throws {
        func plants(live: any Transport) async throws -> (CachingTransport, [Plant]) {
            let cache = CachingTransport(live, .init(reading: .networkElseCache, maxAge: .seconds(60)))
            let api = Client("https://garden.example", transport: cache)
            let plants: [Plant] = try await api.get("/plants").value()
            return (cache, plants)
        }
        let (cache, found) = try await plants(live: stub)
        #expect(found.count == 1)
        #expect(cache.statistics.count == 1)
    }

    @Test func retriesOnCondition() async throws {
        let api = api
        let policy = RetryPolicy.fixed(attempts: 3, delay: .seconds(2)).when { failure in
            (failure.response?.status.code ?? 0) >= 500
        }
        let plant: Plant = try await api.get("/plants/7").retry(policy).value()
        #expect(plant.id == 7)
    }

    @Test func distinguishesErrors() async throws {
        var shown = ""
        func showSignIn() { shown = "sign in" }
        func showNothing() { shown = "nothing" }
        func show(_ error: any Error) { shown = "\(error)" }
        do {
            let plant: Plant = try await api.get("/plants/8").value()
            shown = plant.name
        } catch let error as ClientError {
            switch error.response?.status {
            case .unauthorized: showSignIn()
            case .notFound: showNothing()
            default: show(error)
            }
        }
        #expect(shown == "nothing")
    }

    @Test func testsWithStub() async throws {
        let stub = StubTransport {
            $0.get("/plants/{id}", .json(#"{"id": 7, "name": "Fern"}"#))
            $0.post("/plants", .status(503), .status(.created))
        }
        let api = Client("https://garden.example", transport: stub)
        let plant: Plant = try await api.get("/plants/7").value()
        #expect(plant.name == "Fern")
        #expect(stub.requests.map(\.url) == ["https://garden.example/plants/7"])
    }
}
