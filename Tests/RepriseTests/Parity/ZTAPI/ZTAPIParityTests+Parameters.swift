// SPDX-License-Identifier: Apache-2.0

import RepriseLocking
import RepriseTestSupport
import Testing

@testable import Reprise

extension ZTAPIParityTests {
    /// Typed parameters, without macros.
    @Suite struct Parameters {
        /// The compiler requires every property that isn't optional.
        private struct SignUp: Encodable {
            var gardenName: String
            var password: String
            var email: String?
            var ownerID: String

            enum CodingKeys: String, CodingKey {
                case gardenName, password, email
                case ownerID = "uid"
            }
        }

        private let stub = StubTransport { $0.all { _ in .status(.ok) } }
        private var api: Client { Client("https://garden.example", transport: stub) }

        @Test func encodesSnakeCaseNamesExceptCustomKey() async throws {
            let signUp = SignUp(gardenName: "Eden", password: "apple", email: "eve@eden.example", ownerID: "1")
            try await api.post("/sign-up").form(signUp, style: .init(keys: .snakeCase)).send()
            #expect(stub.requests[0].text == "garden_name=Eden&password=apple&email=eve%40eden.example&uid=1")
        }

        @Test func omitsNilParameters() async throws {
            let signUp = SignUp(gardenName: "Eden", password: "apple", ownerID: "1")
            try await api.post("/sign-up").form(signUp, style: .init(keys: .snakeCase)).send()
            #expect(stub.requests[0].text == "garden_name=Eden&password=apple&uid=1")
        }

        @Test func chainedParametersOmitNil() async throws {
            let email: String? = nil
            try await api.post("/sign-up").parameters(["garden_name": "Eden"]).parameters(["email": email]).send()
            #expect(stub.requests[0].text == "garden_name=Eden")
        }

        /// A draft may lack a required value; then encoding it throws.
        private struct Draft: Encodable {
            var gardenName: String?

            enum CodingKeys: String, CodingKey { case gardenName }

            func encode(to encoder: any Encoder) throws {
                guard let gardenName else { throw ClientError(.invalidParameters, "the garden has no name") }
                var container = encoder.container(keyedBy: CodingKeys.self)
                try container.encode(gardenName, forKey: .gardenName)
            }
        }

        @Test func sendsNothingIfRequiredParameterIsMissing() async throws {
            let error = await #expect(throws: ClientError.self) {
                try await api.post("/sign-up").parameters(Draft()).send()
            }
            #expect(error?.code == .invalidParameters)
            #expect(error?.message.contains("the garden has no name") == true)
            #expect(stub.requests.isEmpty)
            try await api.post("/sign-up").parameters(Draft(gardenName: "Eden")).send()
            #expect(stub.requests.map(\.text) == ["gardenName=Eden"])
        }

        /// Enum cases as parameters, each with a name and a value.
        private enum Field {
            case gardenName(String)
            case ownerID(Int)
            case email(String?)

            var pair: (name: String, value: (any ParameterValue)?) {
                switch self {
                case .gardenName(let name): ("garden_name", name)
                case .ownerID(let id): ("uid", id)
                case .email(let email): ("email", email)
                }
            }
        }

        @Test func acceptsEnumCasesAsParameters() async throws {
            let call = [Field.gardenName("Eden"), .ownerID(1), .email(nil)].reduce(api.get("/gardens")) { call, field in
                call.query(field.pair.name, field.pair.value)
            }
            try await call.send()
            #expect(stub.requests.map(\.path) == ["/gardens?garden_name=Eden&uid=1"])
        }
    }

    // MARK: An API in a namespace

    /// An API with common settings for all calls, and a function for each call.
    private enum Garden {
        struct Keys: TokenProvider {
            func token() -> String? { "trowel" }
        }

        static let log = LogRecord()
        static let client = Client(
            "https://garden.example",
            configuration: .init(timeout: .seconds(30), tokenProvider: Keys(), logging: .simple(log.logger))
        )

        static func signIn(name: String, password: String) -> Call {
            client.post("/session").parameters(["name": name, "password": password], as: .json)
        }

        static func plant(_ id: Int) -> Call { client.get("/plants/\(id)").authorized() }

        static var plants: Call { client.get("/plants").authorized() }
    }

    @Suite struct Namespaces {
        private let stub = StubTransport {
            $0.post("/session", .json(#"{"token": "gate"}"#))
            $0.get("/plants/7", .json(#"{"id": 7, "name": "Fern"}"#))
            $0.get("/plants", .json(#"[{"id": 7, "name": "Fern"}]"#))
        }

        @Test func providesExtensibleCalls() async throws {
            try await Ambient.$transport.withValue(stub) {
                let session: [String: String] = try await Garden.signIn(name: "ada", password: "open").value()
                let plant: Plant = try await Garden.plant(7).value()
                let plants: [Plant] = try await Garden.plants.query("page", 2).value()
                #expect(session == ["token": "gate"])
                #expect(plants == [plant])
            }
            #expect(stub.requests.map(\.path) == ["/session", "/plants/7", "/plants?page=2"])
            #expect(stub.requests[0].text == #"{"name":"ada","password":"open"}"#)
        }

        @Test func sharesSettingsBetweenCalls() async throws {
            try await Ambient.$transport.withValue(stub) { try await Garden.plants.send() }
            #expect(stub.requests[0].options.timeout == .seconds(30))
            #expect(stub.requests[0].headers[.authorization] == "Bearer trowel")
            #expect(Garden.log.lines.contains { $0.message == "end GET https://garden.example/plants" })
        }
    }

    // MARK: Methods and encodings

    @Suite struct Methods {
        private let stub = StubTransport { $0.all { _ in .status(.ok) } }
        private var api: Client { Client("https://garden.example", transport: stub) }

        @Test func supportsStandardAndCustomMethods() async throws {
            for call in [api.get("/"), api.post("/"), api.put("/"), api.patch("/"), api.delete("/"), api.head("/")] {
                try await call.send()
            }
            try await api.call("REPORT", "/").send()
            let names = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "REPORT"]
            #expect(stub.requests.map(\.method.rawValue) == names)
        }

        @Test(arguments: [HTTPRequest.Method.get, .head, .delete])
        func encodesParametersInURLForMethodsWithoutBody(method: HTTPRequest.Method) async throws {
            try await api.call(method, "/plants").parameters(["kind": "fern & moss"]).send()
            #expect(stub.requests[0].path == "/plants?kind=fern%20%26%20moss")
            #expect(stub.requests[0].body.isEmpty)
        }

        @Test func encodesParametersAsFormFields() async throws {
            try await api.post("/plants").multipart { $0.field("kind", "fern") }.parameters(["bed": 7]).send()
            let request = stub.requests[0]
            let form = try #require(ParsedForm(request.body, type: request.headers[.contentType]))
            #expect(form.parts.map(\.name) == ["kind", "bed"])
            #expect(form["bed"]?.text == "7")
        }

        @Test func rejectsGetWithBody() async throws {
            let error = await #expect(throws: ClientError.self) { try await api.get("/plants").body("seed").send() }
            #expect(error?.code == .invalidParameters)
            #expect(stub.requests.isEmpty)
        }
    }
}
