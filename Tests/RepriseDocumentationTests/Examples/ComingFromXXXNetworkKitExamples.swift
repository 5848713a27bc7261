// SPDX-License-Identifier: Apache-2.0

import Foundation
import Logging
import Reprise
import RepriseTesting
import Testing

struct HarbourResponse: Envelope {
    let code: BusinessCode
    let message: String?
    let requestID: String?

    enum CodingKeys: String, CodingKey {
        case code, message
        case requestID = "request_id"
    }

    static func error(for failure: BusinessError) -> (any Error)? {
        HarbourError(rawValue: failure.code.description)
    }
}

enum HarbourError: String, Error {
    case signedOut = "9001"
    case closed = "9002"
}

enum HarbourAPI {
    enum Pilots: Endpoint {
        case me
        case badge

        var path: Path {
            switch self {
            case .me: "/pilots/me"
            case .badge: "/pilots/me/badge"
            }
        }
    }

    enum Notices: Endpoint {
        case remove(ids: [Int])

        var path: Path { "/notices" }
        var method: HTTPRequest.Method { .delete }

        func configure(_ call: Call) -> Call {
            switch self {
            case .remove(let ids): call.query("id", ids)
            }
        }
    }
}

extension Client {
    static let harbour = Client("https://harbour.example.com")

    func request<Value: Decodable>(
        _ endpoint: some Endpoint,
        to type: Value.Type = JSONValue.self
    ) async throws -> Value {
        try await call(endpoint).value(in: HarbourResponse.self, as: type)
    }
}

struct Pilot: Decodable, Sendable {
    var name: String
    var badge: String?
}

@Suite(.cassette)
struct PilotTests {
    @Test func me() async throws {
        let pilot = try await Client.harbour.request(HarbourAPI.Pilots.me, to: Pilot.self)
        #expect(pilot.badge != nil)
    }

    @Test func badge() async throws {
        let json = try await Client.harbour.request(HarbourAPI.Pilots.badge)
        #expect(json["badge"].string != nil)
    }
}

/// The code blocks of "Migrate from XXXNetworkKit", with stubs.
@Suite struct ComingFromXXXNetworkKitExamples {
    private static let me = #"{"code": 0, "message": "success", "data": {"name": "Ada"}, "request_id": "r-1"}"#

    private let stub = StubTransport {
        $0.get("/pilots/me", .json(ComingFromXXXNetworkKitExamples.me))
        $0.delete("/notices", .json(#"{"code": 0, "message": "success", "request_id": "r-2"}"#))
    }

    @Test func sendsRequests() async throws {
        try await Ambient.$transport.withValue(stub) {
            let pilot = try await Client.harbour.request(HarbourAPI.Pilots.me, to: Pilot.self)
            let name = try await Client.harbour.request(HarbourAPI.Pilots.me)["name"].string ?? ""
            try await Client.harbour.call(HarbourAPI.Notices.remove(ids: [1, 2, 3])).send(in: HarbourResponse.self)
            #expect(pilot.name == name)
            #expect(stub.requests.last?.path == "/notices?id=1&id=2&id=3")
        }
    }

    private func toast(_ answer: StubTransport.Answer) async -> String {
        let stub = StubTransport { $0.all { _ in answer } }
        return await Ambient.$transport.withValue(stub) {
            var text = ""
            func show(_ shown: String) { text = shown }
            do {
                let pilot = try await Client.harbour.request(HarbourAPI.Pilots.me, to: Pilot.self)
                show(pilot.name)
            } catch HarbourError.closed {
                show("The harbour is closed")
            } catch let error as ClientError where error.isConnectivity {
                show("No connection")
            } catch let error as ClientError {
                show(error.business?.message ?? "\(error.code)")
            } catch {
                show("\(error)")
            }
            return text
        }
    }

    @Test func catchesSpecificErrorsFirst() async {
        #expect(await toast(.json(Self.me)) == "Ada")
        #expect(await toast(.json(#"{"code": 9002, "message": "down"}"#)) == "The harbour is closed")
        #expect(await toast(.failure(.offline)) == "No connection")
        #expect(await toast(.json(#"{"code": 4711, "message": "no berth"}"#)) == "no berth")
        #expect(await toast(.status(.notFound)) == "status")
        #expect(await toast(.json(#"{"code": 9001}"#)) == "signedOut")
    }

    @Test func configuresPlugins() async throws {
        var configuration = Client.Configuration()
        configuration.timeout = .seconds(20)
        #if DEBUG
            configuration.logging = .verbose(Logger(label: "harbour"))
        #endif
        configuration.interceptors = [
            ClosureInterceptor(before: { request in request.headers[.acceptLanguage] = "de" })
        ]
        let api = Client("https://harbour.example.com", transport: stub, configuration: configuration)
        _ = try await api.request(HarbourAPI.Pilots.me)
        #expect(stub.requests.first?.headers[.acceptLanguage] == "de")
        #expect(stub.requests.first?.options.timeout == .seconds(20))
    }
}
