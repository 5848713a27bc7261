// SPDX-License-Identifier: Apache-2.0

import Reprise
import Testing

struct User: Codable, Sendable, Equatable {
    var id: String
    var name = "Atlas"

    init(id: String) {
        self.id = id
    }

    enum CodingKeys: String, CodingKey { case id }
}

struct GetUser: Endpoint {
    typealias Response = User
    let id: String
    var path: Path { "/users/\(id)" }
}

enum Order: String, ParameterValue { case newest, oldest }

struct NoLocation: Error {}

private func sign(_ request: HTTPRequest) throws -> String { "signature of \(request.path ?? "")" }

struct Signing: Interceptor {
    func intercept(_ request: Call.Request, next: Call.Next) async throws -> Response {
        var request = request
        request.headers[.authorization] = try sign(request.head)
        return try await next(request)
    }
}

/// The examples in the documentation of `Client`, `Call`, and related types, with a stub.
@Suite struct CallExamples {
    private let stub = StubTransport {
        $0.get("/users/me", .json(#"{"id": "me"}"#))
        $0.get("/v1/users/me", .json(#"{"id": "me"}"#))
        $0.get("/users/a%2Fb", .json(#"{"id": "a/b"}"#))
        $0.get("/users", .json("[]"))
    }
    private var api: Client { Client("https://api.example.com", transport: stub) }

    @Test func createsClient() async throws {
        try await Ambient.$transport.withValue(stub) {
            let api = Client("https://api.example.com/v1")

            let me: User = try await api.get("/users/me").query("include", "profile").value()
            #expect(me.id == "me")
        }
    }

    @Test func decodesValues() async throws {
        let me: User = try await api.get("/users/me").value()
        let name = try await api.get("/users/me").value(as: User.self).name
        #expect(me.name == name)
    }

    @Test func buildsCall() async throws {
        let users: [User] = try await api.get("/users")
            .query("page", 2)
            .header(.accept, "application/json")
            .timeout(.seconds(10))
            .value()
        #expect(users.isEmpty)
    }

    @Test func addsQueries() throws {
        let cursor: String? = nil
        let posts =
            api.get("/posts").query(["page": 2, "tag": "a", "tag": "b", "before": cursor])
        let sorted =
            api.get("/posts").query("order", Order.newest).query("page", 2)
        #expect(try posts.request().path == "/posts?page=2&tag=a&tag=b")
        #expect(try sorted.request().path == "/posts?order=newest&page=2")
    }

    @Test func sendsEndpoints() async throws {
        let user = try await api.send(GetUser(id: "a/b"))
        #expect(user.id == "a/b")
    }

    @Test func validatesResponses() {
        let call =
            api.get("/users/42").validate(.statusCodes([200, 404]))
        let job =
            api.post("/jobs").validate { response in
                guard response.headers[.location] != nil else { throw NoLocation() }
            }
        _ = [call, job]
    }

    @Test func printsCurlCommand() throws {
        let user = User(id: "me")
        print(try api.post("/users").json(user).curl())
        #expect(try api.post("/users").json(user).curl().hasPrefix("curl "))
    }

    @Test func distinguishesFailures() async throws {
        var shown: [String] = []
        func showOfflineBanner() { shown.append("offline") }
        func showEmptyProfile() { shown.append("empty") }
        func askForUpdate() { shown.append("update") }
        for code in [HTTPResponse.Status.notFound, nil] {
            let stub = StubTransport { $0.get("/users/me", code.map { .status($0) } ?? .failure(.offline)) }
            let api = Client("https://api.example.com", transport: stub)
            do {
                let user: User = try await api.get("/users/me").value()
                print(user.id)
            } catch let error as ClientError where error.isConnectivity {
                showOfflineBanner()
            } catch let error as ClientError where error.status == .notFound {
                showEmptyProfile()
            } catch ClientError.Code.decoding {
                askForUpdate()
            }
        }
        #expect(shown == ["empty", "offline"])
    }

    @Test func signsRequests() async throws {
        try await api.get("/users/me").intercept(Signing()).send()
        #expect(stub.requests.map { $0.headers[.authorization] } == ["signature of /users/me"])
    }
}
