// SPDX-License-Identifier: Apache-2.0

import Foundation
import Reprise
import Testing

/// The code blocks of "Migrate from EKNetwork", with stubs.
@Suite struct ComingFromEKNetworkExamples {
    struct Ticket: Codable, Equatable {
        var id: Int
        var from: String
    }

    struct Refusal: Error, Decodable, Equatable {
        var reason: String
    }

    struct Connection: Decodable, Sendable {
        var train: String?
        var isLast: Bool?
    }

    struct BookTicket: Endpoint {
        typealias Response = Ticket
        let from: String
        var path: Path { "/tickets" }
        var method: HTTPRequest.Method { .post }

        func configure(_ call: Call) -> Call {
            call.header("X-Device", "d-1")
                .query("notify", true)
                .json(["from": from])
                .authorized()
                .retry(.fixed(attempts: 3, delay: .seconds(1)).also(.post))
                .serverError(Refusal.self)
        }
    }

    struct CancelTicket: Endpoint {
        let id: Int
        var path: Path { "/tickets/\(id)" }
        var method: HTTPRequest.Method { .delete }
    }

    struct ConfirmTicket: Endpoint {
        typealias Response = StatusResponse
        let id: Int
        var path: Path { "/tickets/\(id)/confirmation" }
        var method: HTTPRequest.Method { .put }
    }

    struct Receipt: Decodable, Equatable {
        var place: String
    }

    struct PrintTicket: Endpoint {
        typealias Response = Receipt
        let id: Int
        var path: Path { "/tickets/\(id)/prints" }
        var method: HTTPRequest.Method { .post }

        static func empty(_ response: BufferedResponse) throws -> Receipt? {
            Receipt(place: response.headers[.location] ?? "")
        }
    }

    struct Search: Endpoint {
        let to: String
        var path: Path { "/connections" }

        func configure(_ call: Call) -> Call { call.query(["to": to, "stream": true]) }
    }

    actor TravelTokens: TokenProvider {
        private var access: String
        private let refreshToken: String

        init(access: String, refresh: String) {
            self.access = access
            refreshToken = refresh
        }

        func token() -> String? { access }

        func refresh() async throws -> String? {
            let login = Client("https://login.example.com")
            access = try await login.post("/token").form(["refresh_token": refreshToken]).value(
                required: "/access",
                as: String.self
            )
            return access
        }
    }

    private let stub = StubTransport {
        $0.post("/tickets") { request in
            request.headers[.authorization] == "Bearer fresh"
                ? .json(#"{"id": 7, "from": "Bern"}"#) : .status(401)
        }
        $0.delete("/tickets/{id}", .status(.noContent))
        $0.put("/tickets/{id}/confirmation", .status(.accepted))
        $0.post("/tickets/{id}/prints", .status(.created).header("Location", "/prints/1"))
        $0.put("/photos/7", .status(.noContent))
        $0.post("https://login.example.com/token", .json(#"{"access": "fresh"}"#))
        $0.get("/connections", .stream("{\"train\": \"IC 8\"}\n{\"is", "Last\": true}\n{\"train\": \"IC 9\"}\n"))
        $0.get("/delays", .events("data: IC 8\n\n", "event: end\ndata: -\n\n"))
    }

    @Test func refreshesExpiredToken() async throws {
        try await Ambient.$transport.withValue(stub) {
            let tokens = TravelTokens(access: "expired", refresh: "r-1")
            let api = Client("https://api.example.com", configuration: .init(tokenProvider: tokens))

            let ticket = try await api.send(BookTicket(from: "Bern"))
            #expect(ticket == Ticket(id: 7, from: "Bern"))
            #expect(stub.requests.map(\.path) == ["/tickets?notify=true", "/token", "/tickets?notify=true"])
            #expect(stub.requests[1].text == "refresh_token=r-1")
        }
    }

    @Test func usesBaseURLFromClosure() async throws {
        @Sendable func baseURL() -> String { "https://staging.example.com" }
        let api = Client(transport: stub) { baseURL() }
        try await api.send(CancelTicket(id: 7))
        #expect(stub.requests.map(\.url) == ["https://staging.example.com/tickets/7"])
    }

    @Test func handlesResponsesWithoutContent() async throws {
        let api = Client("https://api.example.com", transport: stub)
        try await api.send(CancelTicket(id: 7))
        #expect(try await api.send(ConfirmTicket(id: 7)).status == .accepted)
        #expect(try await api.send(PrintTicket(id: 7)) == Receipt(place: "/prints/1"))
    }

    @Test func uploadsWithProgress() async throws {
        let api = Client("https://api.example.com", transport: stub)
        let photo: [UInt8] = [1, 2, 3]
        @Sendable func show(_ fraction: Double) { #expect((0...1).contains(fraction)) }
        try await api.put("/photos/7")
            .multipart {
                $0.field("title", "Sunset")
                $0.data("photo", photo, filename: "sunset.png")
            }
            .onProgress { progress in
                if progress.direction == .upload { show(progress.fraction ?? 0) }
            }
            .send()
        #expect(stub.requests.first?.text.contains(#"name="photo"; filename="sunset.png""#) == true)
    }

    @Test func readsStreams() async throws {
        let api = Client("https://api.example.com", transport: stub)
        var shown: [String] = []
        func show(_ text: String) { shown.append(text) }
        for try await connection in try await api.call(Search(to: "Bern")).ndjson(as: Connection.self) {
            if connection.isLast == true { break }
            show(connection.train ?? "")
        }
        for try await event in try await api.get("/delays").events() where event.name == "message" {
            show(event.data)
        }
        #expect(shown == ["IC 8", "IC 8"])
    }

    @Test func testsWithStub() async throws {
        let stub = StubTransport {
            $0.delete("/tickets/7", .status(.noContent))
            $0.get("/connections", .stream("{\"train\": \"IC 8\"}\n", .pause(.seconds(1)), "{\"isLast\": true}\n"))
        }
        let api = Client("https://api.example.com", transport: stub)
        try await api.send(CancelTicket(id: 7))
        #expect(stub.requests.map(\.method) == [.delete])
    }
}
