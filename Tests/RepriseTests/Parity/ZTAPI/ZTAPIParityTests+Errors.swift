// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import Reprise

#if canImport(Combine)
    import Combine
#endif

extension ZTAPIParityTests {
    /// One error type with codes, and a failure for each code.
    @Suite struct Errors {
        private static let stub = StubTransport {
            $0.get("/garbled", .failure(.malformedResponse))
            $0.get("/empty", .status(.ok))
            $0.get("/text", .text("moss"))
            $0.get("/list", .json("[]"))
            $0.get("/wrapped", .json(#"{"code": 0, "data": "moss"}"#))
            $0.get("/plants/7", .json(#"{"id": 7, "name": "Fern"}"#))
            $0.get("/refused", .text("no", status: .forbidden))
            $0.post("/plants", .status(.created))
        }
        private static let api = Client("https://garden.example", transport: stub)

        private struct Wrapper: Envelope {
            let code: BusinessCode
        }

        /// A failure in the documentation's list, and a call that causes it.
        struct Case: Sendable, CustomTestStringConvertible {
            let testDescription: String
            let code: ClientError.Code
            let call: @Sendable () async throws -> Void

            init(_ description: String, _ code: ClientError.Code, _ call: @escaping @Sendable () async throws -> Void) {
                testDescription = description
                self.code = code
                self.call = call
            }
        }

        static let cases = [
            Case("no URL", .invalidURL) { try await Client("", transport: stub).get("/plants/7").send() },
            Case("invalid parameters", .invalidParameters) { try await api.get("/plants").query([1, 2]).send() },
            Case("a malformed response", .transport) { try await api.get("/garbled").send() },
            Case("no content", .empty) { _ = try await api.get("/empty").value(as: Plant.self) },
            Case("two bodies", .bodyConflict) {
                try await api.post("/plants").body("moss").multipart { $0.field("a", 1) }.send()
            },
            Case("a form without parts", .multipart) { try await api.post("/plants").multipart { _ in }.send() },
            Case("an unencodable value", .invalidParameters) { try await api.post("/plants").json(Double.nan).send() },
            Case("content other than JSON", .decoding) { _ = try await api.get("/text").json() },
            Case("an unexpected type", .decoding) { _ = try await api.get("/list").value(as: Plant.self) },
            Case("an unexpected payload", .path) {
                _ = try await api.get("/wrapped").value(in: Wrapper.self, as: Plant.self)
            },
            Case("an unreadable file", .file) {
                try await api.post("/plants").multipart { $0.file("leaf", URL(filePath: "/nowhere/leaf.jpg")) }.send()
            },
            Case("a missing path", .path) {
                _ = try await api.get("/plants/7").value(required: "/data/name", as: String.self)
            },
            Case("an error status", .status) { try await api.get("/refused").send() },
        ]

        @Test(arguments: cases)
        func hasCodeForEachFailure(failure: Case) async {
            let error = await #expect(throws: ClientError.self) { try await failure.call() }
            #expect(error?.code == failure.code, "\(error as Any)")
            #expect(error?.message.isEmpty == false)
        }

        @Test func carriesMessageRequestAndResponse() async {
            let error = await #expect(throws: ClientError.self) { try await Self.api.get("/refused").send() }
            #expect(error?.request?.path == "/refused")
            #expect(error?.response?.status == .forbidden)
            #expect(error?.response?.text == "no")
            #expect(error?.message.contains("403") == true)
        }
    }

    #if canImport(Combine)
        @Suite struct Publishers {
            private let stub = StubTransport { $0.get("/plants/7", .json(#"{"id": 7, "name": "Fern"}"#)) }

            @Test func publishesValueToEachSubscriber() async throws {
                let publisher: AnyPublisher<Plant, any Error> = Client("https://garden.example", transport: stub)
                    .get("/plants/7").publisher(as: Plant.self).eraseToAnyPublisher()
                #expect(stub.requests.isEmpty)
                for _ in 1...2 {
                    for try await plant in publisher.values { #expect(plant.name == "Fern") }
                }
                #expect(stub.requests.count == 2)
            }

            @Test func publishesFailure() async {
                let publisher = Client("https://garden.example", transport: stub).get("/nowhere").publisher(
                    as: Plant.self
                )
                let error = await #expect(throws: ClientError.self) { for try await _ in publisher.values {} }
                #expect(error?.code == .noStub)
            }
        }
    #endif
}
