// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import Reprise

extension EKNetworkParityTests {
    /// Responses without content, decoders, and errors.
    @Suite struct Responses {
        private struct Remove: Endpoint {
            typealias Response = EmptyResponse
            var path: Path { "/tickets/7" }
            var method: HTTPRequest.Method { .delete }
        }

        private struct Confirm: Endpoint {
            typealias Response = StatusResponse
            var path: Path { "/tickets/7/confirmation" }
            var method: HTTPRequest.Method { .put }
        }

        private struct Receipt: Decodable, Equatable {
            var status: Int
            var place: String?
        }

        private struct Buy: Endpoint {
            typealias Response = Receipt
            var path: Path { "/tickets" }
            var method: HTTPRequest.Method { .post }

            static func empty(_ response: BufferedResponse) throws -> Receipt? {
                Receipt(status: response.status.code, place: response.headers[.location])
            }
        }

        private struct GetTicket: Endpoint {
            typealias Response = Ticket
            var decoder: (any ResponseDecoder)? { LabelDecoder(label: "endpoint") }
            var allowsDecoderOverride = true
            var path: Path { "/tickets/7" }
        }

        /// Returns a ticket that contains the label of the decoder.
        private struct LabelDecoder: ResponseDecoder {
            let label: String

            func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
                let text = #"{"id": 7, "from": "\#(label)"}"#
                return try JSONDecoder().decode(type, from: Data(text.utf8))
            }
        }

        private struct Refusal: Error, Decodable, Equatable {
            var reason: String
        }

        private func api(
            _ answer: StubTransport.Answer,
            _ configuration: Client.Configuration = .init()
        ) -> Client {
            let stub = StubTransport { $0.all { _ in answer } }
            return Client("https://api.example.com", transport: stub, configuration: configuration)
        }

        // MARK: Without content

        @Test(arguments: [StubTransport.Answer.status(.noContent), .text("anything at all")])
        func emptyResponseIgnoresContent(answer: StubTransport.Answer) async throws {
            #expect(try await api(answer).send(Remove()) == EmptyResponse())
        }

        @Test func returnsStatusAndHeadersOfSuccess() async throws {
            for answer in [StubTransport.Answer.status(.accepted), .text("later", status: .accepted)] {
                let response = try await api(answer.header("X-Turn", "3")).send(Confirm())
                #expect(response.status == .accepted)
                #expect(response.headers[HTTPField.Name("X-Turn")!] == "3")
            }
        }

        @Test func createsValueForMissingContent() async throws {
            let answer = StubTransport.Answer.status(.created).header("Location", "/tickets/8")
            #expect(try await api(answer).send(Buy()) == Receipt(status: 201, place: "/tickets/8"))
            #expect(try await api(.json(#"{"status": 7}"#)).send(Buy()) == Receipt(status: 7))
        }

        @Test func failsWithoutContentByDefault() async {
            let error = await #expect(throws: ClientError.self) { try await api(.status(.ok)).send(GetTicket()) }
            #expect(error?.code == .empty)
        }

        // MARK: Decoders

        @Test func usesClientDecoderUnlessEndpointOptsOut() async throws {
            let global = Client.Configuration(decoder: LabelDecoder(label: "client"))
            #expect(try await api(.json("{}")).send(GetTicket()).from == "endpoint")
            #expect(try await api(.json("{}"), global).send(GetTicket()).from == "client")
            let own = GetTicket(allowsDecoderOverride: false)
            #expect(try await api(.json("{}"), global).send(own).from == "endpoint")
            #expect(
                try await api(.json("{}"), global).call(own).decoder(LabelDecoder(label: "call")).value(as: Ticket.self)
                    .from == "call"
            )
        }

        @Test func decodesWithCustomFunction() async throws {
            struct Length: Endpoint {
                typealias Response = Int
                var path: Path { "/" }

                static func decode(_ response: BufferedResponse) throws -> Int { response.bytes.count }
            }
            #expect(try await api(.text("four")).send(Length()) == 4)
        }

        // MARK: Errors

        @Test func throwsDecodedServerError() async {
            let answer = StubTransport.Answer.json(#"{"reason": "sold out"}"#, status: .conflict)
            await #expect(throws: Refusal(reason: "sold out")) {
                try await api(answer).call(Buy()).serverError(Refusal.self).send()
            }
        }

        /// EKNetwork's `HTTPError` has these three.
        @Test func undecodedErrorCarriesStatusContentAndHeaders() async {
            let answer = StubTransport.Answer.text("<p>no</p>", status: .badGateway).header("X-Node", "7")
            let error = await #expect(throws: ClientError.self) {
                try await api(answer).call(Buy()).serverError(Refusal.self).send()
            }
            #expect(error?.code == .status)
            #expect(error?.response?.status == .badGateway)
            #expect(error?.response?.data == Data("<p>no</p>".utf8))
            #expect(error?.response?.headers[HTTPField.Name("X-Node")!] == "7")
            #expect(error?.localizedDescription.contains("answered 502 Bad Gateway") == true)
        }

        private static let failures: [(ClientError.Code, @Sendable (Client) -> Call)] = [
            (.invalidURL, { $0.get("/a/%2e%2e/b") }), (.multipart, { $0.post("/").multipart { _ in } }),
            (.empty, { $0.get("/") }), (.unauthorized, { $0.get("/").authorized() }),
            (.bodyConflict, { $0.post("/").body("a").body("b") }),
        ]

        @Test(arguments: failures)
        func hasCodeForEachEKNetworkError(code: ClientError.Code, call: @Sendable (Client) -> Call) async {
            let stub = StubTransport { $0.all { $0.headers[.authorization] == nil ? .status(.ok) : .status(401) } }
            let configuration = Client.Configuration(tokenProvider: Tokens("refused"))
            let api = Client("https://api.example.com", transport: stub, configuration: configuration)
            let error = await #expect(throws: ClientError.self) { try await call(api).value(as: Ticket.self) }
            #expect(error?.code == code)
        }
    }
}
