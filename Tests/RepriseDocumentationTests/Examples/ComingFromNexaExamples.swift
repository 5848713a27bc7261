// SPDX-License-Identifier: Apache-2.0

import Foundation
import Logging
import Reprise
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The code blocks of "Migrate from Nexa", with stubs.
@Suite struct ComingFromNexaExamples {
    struct Reader: Codable, Equatable {
        var id: Int
        var name: String
    }

    struct NewReader: Encodable {
        var name: String
    }

    struct Refusal: Error, Decodable, Equatable {
        var reason: String
    }

    struct GetReader: Endpoint {
        typealias Response = Reader
        let id: Int
        var path: Path { "/readers/\(id)" }

        func configure(_ call: Call) -> Call {
            call.query("include", "loans").accept("application/json")
        }
    }

    struct Tracing: Interceptor {
        func intercept(_ request: Call.Request, next: Call.Next) async throws -> Response {
            var request = request
            request.headers[.traceID] = UUID().uuidString
            return try await next(request)
        }
    }

    actor CardTokens: TokenProvider {
        private var access = "expired"

        func token() -> String? { access }

        func refresh() async throws -> String? {
            let json = try await Client("https://login.example.com").post("/token").json()
            access = json["access_token"].string ?? ""
            return access
        }
    }

    private let stub = StubTransport {
        $0.get("/readers/me") { request in
            request.headers[.authorization] == "Bearer fresh"
                ? .json(#"{"id": 42, "name": "Ada"}"#) : .status(401)
        }
        $0.get("/readers/42", .json(#"{"id": 42, "name": "Ada"}"#))
        $0.get("/readers/0", .json(#"{"reason": "no such reader"}"#, status: .notFound))
        $0.post("/readers", .json(#"{"id": 43, "name": "Grace"}"#, status: .created))
        $0.post("https://login.example.com/token", .json(#"{"access_token": "fresh"}"#))
    }

    @Test func configuresClientOnce() async throws {
        try await Ambient.$transport.withValue(stub) {
            let configuration = Client.Configuration(
                headers: [.accept: "application/json"],
                interceptors: [Tracing()],
                tokenProvider: CardTokens(),
                logging: .simple(Logger(label: "library")),
                serverError: .decoding(Refusal.self)
            )
            let api = Client("https://api.example.com", configuration: configuration)

            let me = try await api.get("/readers/me")
                .query("include", "loans")
                .authorized()
                .value(as: Reader.self)
            #expect(me.name == "Ada")
            #expect(stub.requests.map(\.path) == ["/readers/me?include=loans", "/token", "/readers/me?include=loans"])
            #expect(stub.requests.first?.headers[.traceID]?.count == 36)
            #expect(stub.requests.first?.headers[.accept] == "application/json")
        }
    }

    @Test func sendsEndpoint() async throws {
        let api = Client("https://api.example.com", transport: stub)
        let reader = try await api.send(GetReader(id: 42))
        #expect(reader.name == "Ada")
        #expect(stub.requests.map(\.path) == ["/readers/42?include=loans"])
    }

    @Test func throwsAppErrorDirectly() async throws {
        let configuration = Client.Configuration(serverError: .decoding(Refusal.self))
        let api = Client("https://api.example.com", transport: stub, configuration: configuration)
        var shown: [String] = []
        func show(_ text: String) { shown.append(text) }
        for path: RequestPath in ["/readers/0", "/readers/unknown"] {
            do {
                let reader: Reader = try await api.get(path).value()
                show(reader.name)
            } catch let refusal as Refusal {
                show(refusal.reason)
            } catch let error as ClientError {
                show("\(error.code)")
            }
        }
        #expect(shown == ["no such reader", "noStub"])
    }

    @Test func inspectsRequest() throws {
        let api = Client("https://api.example.com", transport: stub)
        let request = try api.post("/readers").header("X-Trace-Id", UUID().uuidString).urlRequest()
        #expect(request.httpMethod == "POST")
        #expect(stub.requests.isEmpty)
    }

    @Test func testsWithStub() async throws {
        let stub = StubTransport {
            $0.post("/readers", .json(Reader(id: 43, name: "Grace"), status: .created))
        }
        let api = Client("https://api.example.com", transport: stub)

        let added = try await api.post("/readers").json(NewReader(name: "Grace")).value(as: Reader.self)
        #expect(added.id == 43)
        #expect(stub.requests.map(\.text) == [#"{"name":"Grace"}"#])
    }
}

extension HTTPField.Name {
    fileprivate static let traceID = Self("X-Trace-Id")!
}
