// SPDX-License-Identifier: Apache-2.0

import Foundation
import RepriseLocking
import RepriseTestSupport
import Testing

@testable import Reprise

/// The examples of XXXNetworkKit's documentation, written with Reprise: namespaces, the envelope, and its usage. The
/// provider and the errors are in other files.
@Suite struct XXXNetworkKitParityTests {
    /// The documentation's envelope: `code`, `message`, `data`, and `request_id`.
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

    /// The codes known to the app.
    enum HarbourError: String, Error {
        case signedOut = "9001"
        case serverException = "9002"
    }

    struct Pilot: Codable, Equatable {
        var name: String
        var badge: String?
    }

    /// The documentation's namespaces: an enum for each domain, whose cases have different responses.
    enum HarbourAPI {
        enum Pilots: Endpoint {
            case me
            case badge
            case signIn(name: String)
            case signOut

            var path: Path {
                switch self {
                case .me: "/pilots/me"
                case .badge: "/pilots/me/badge"
                case .signIn, .signOut: "/session"
                }
            }

            var method: HTTPRequest.Method {
                switch self {
                case .me, .badge: .get
                case .signIn: .post
                case .signOut: .delete
                }
            }

            func configure(_ call: Call) -> Call {
                if case .signIn(let name) = self { call.json(["name": name]) } else { call }
            }
        }

        enum Berths: Endpoint {
            case list
            case detail(id: String)

            var path: Path {
                switch self {
                case .list: "/berths"
                case .detail(let id): "/berths/\(id)"
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

        /// Another host.
        enum Tides: Endpoint {
            case today

            var path: Path { "/today" }
            var baseURL: String? { "https://tides.example.com" }
        }
    }

    static let me = #"{"code": 0, "message": "success", "data": {"name": "Ada", "badge": "b-7"}, "request_id": "r-1"}"#

    private let stub = StubTransport {
        $0.get("/pilots/me", .json(XXXNetworkKitParityTests.me))
        $0.get("/pilots/me/badge", .json(#"{"code": 0, "message": "", "data": {"badge": "b-7"}, "request_id": "r-2"}"#))
        $0.delete("/notices", .json(#"{"code": 0, "message": "success", "request_id": "r-3"}"#))
        $0.all { _ in .json(#"{"code": 0, "message": "success", "data": [], "request_id": "r-4"}"#) }
    }
    private var api: Client { Client("https://api.example.com", transport: stub) }

    // MARK: Namespaces

    @Test func groupsEndpointsByDomain() async throws {
        _ = try await api.call(HarbourAPI.Pilots.signIn(name: "Ada")).json()
        _ = try await api.call(HarbourAPI.Pilots.signOut).json()
        _ = try await api.call(HarbourAPI.Berths.list).json()
        _ = try await api.call(HarbourAPI.Berths.detail(id: "A/7")).json()
        let lines = stub.requests.map { "\($0.method) \($0.path)" }
        #expect(lines == ["POST /session", "DELETE /session", "GET /berths", "GET /berths/A%2F7"])
        #expect(stub.requests.first?.text == #"{"name":"Ada"}"#)
    }

    @Test func routesToSeveralHosts() async throws {
        _ = try await api.call(HarbourAPI.Tides.today).json()
        _ = try await api.call(HarbourAPI.Berths.list).json()
        #expect(stub.requests.map(\.url) == ["https://tides.example.com/today", "https://api.example.com/berths"])
    }

    // MARK: Usage

    @Test func decodesModel() async throws {
        let pilot = try await api.call(HarbourAPI.Pilots.me).value(in: HarbourResponse.self, as: Pilot.self)
        #expect(pilot == Pilot(name: "Ada", badge: "b-7"))
        #expect(stub.requests.map(\.path) == ["/pilots/me"])
    }

    @Test func returnsUntypedJSON() async throws {
        let json: JSONValue = try await api.call(HarbourAPI.Pilots.me).value(in: HarbourResponse.self)
        #expect(json["name"].string == "Ada")
        #expect(json["badge"].string ?? "" == "b-7")
        #expect(json["none"]["at"].isNull)
    }

    @Test func acceptsEnvelopeWithoutData() async throws {
        try await api.call(HarbourAPI.Notices.remove(ids: [1, 2, 3])).send(in: HarbourResponse.self)
        #expect(stub.requests.map { "\($0.method) \($0.path)" } == ["DELETE /notices?id=1&id=2&id=3"])
    }

    @Test func missingDataIsNullOrNilOrThrows() async throws {
        let call = api.call(HarbourAPI.Notices.remove(ids: [1]))
        #expect(try await call.value(in: HarbourResponse.self, as: JSONValue.self) == .null)
        #expect(try await call.value(in: HarbourResponse.self, as: Pilot?.self) == nil)
        // XXXNetworkKit stops a debug build here. Reprise throws an error.
        let error = await #expect(throws: ClientError.self) {
            try await call.value(in: HarbourResponse.self, as: Pilot.self)
        }
        #expect(error?.code == .path)
    }

    @Test func decodesWithCustomDateStrategy() async throws {
        struct Visit: Decodable, Equatable {
            var at: Date
        }
        let stub = StubTransport { $0.all { _ in .json(#"{"code": 0, "data": {"at": 60}}"#) } }
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .secondsSince1970
        let configuration = Client.Configuration(decoder: decoder)
        let api = Client("https://api.example.com", transport: stub, configuration: configuration)
        let visit: Visit = try await api.get("/visits/1").value(in: HarbourResponse.self)
        #expect(visit == Visit(at: Date(timeIntervalSince1970: 60)))
    }

    // MARK: Tests

    /// The documentation's suite has one test per call. Here, the calls use the ambient transport.
    @Test func ambientTransportServesSharedClient() async throws {
        try await Ambient.$transport.withValue(stub) {
            let pilot: Pilot = try await Client.harbour.call(HarbourAPI.Pilots.me).value(in: HarbourResponse.self)
            #expect(pilot.badge != nil)
            let json: JSONValue = try await Client.harbour.call(HarbourAPI.Pilots.badge).value(in: HarbourResponse.self)
            #expect(json["badge"].string != nil)
        }
        #expect(stub.requests.map(\.url).allSatisfy { $0.hasPrefix("https://harbour.example.com/") })
        #expect(stub.requests.count == 2)
    }

    // MARK: The contract

    /// Status 200, then the envelope, then its code, then the data.
    @Test(arguments: [
        (201, #"{"code": 0, "data": {"name": "Ada"}}"#, ClientError.Code.status),
        (200, #"{"name": "Ada"}"#, .decoding), (200, #"{"code": 17, "message": "no"}"#, .business),
        (500, #"{"code": 17, "message": "no"}"#, .business), (200, #"{"code": 0, "data": "Ada"}"#, .path),
    ])
    func checksStatusThenCodeThenData(status: Int, body: String, code: ClientError.Code) async {
        let stub = StubTransport { $0.all { _ in .json(body, status: .init(code: status)) } }
        let error = await #expect(throws: ClientError.self) {
            try await Client("https://api.example.com", transport: stub).call(HarbourAPI.Pilots.me)
                .value(in: HarbourResponse.self, as: Pilot.self)
        }
        #expect(error?.code == code)
    }

    /// The documentation's third step toward a custom kit: another backend with another envelope.
    @Test func supportsAnotherEnvelope() async throws {
        struct Reply: Envelope {
            let code: BusinessCode
            enum CodingKeys: String, CodingKey { case code = "status" }
            static var payloadPath: JSONPointer { "/result/item" }
            static var successCodes: Set<BusinessCode> { ["OK"] }
            static var statusCodes: Set<Int> { [200, 202] }
        }
        let stub = StubTransport {
            $0.all { _ in .json(#"{"status": "OK", "result": {"item": {"name": "Ada"}}}"#, status: .accepted) }
        }
        let pilot: Pilot = try await Client("https://api.example.com", transport: stub).call(HarbourAPI.Pilots.me)
            .value(in: Reply.self)
        #expect(pilot == Pilot(name: "Ada"))
    }
}

extension Client {
    /// The counterpart of the documentation's shared provider.
    fileprivate static let harbour = Client("https://harbour.example.com")
}
