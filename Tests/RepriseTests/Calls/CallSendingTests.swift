// SPDX-License-Identifier: Apache-2.0

import Foundation
import RepriseLocking
import Testing

@testable import Reprise

@Suite struct CallSendingTests {
    struct User: Codable, Equatable {
        var name: String
    }

    private func api(_ transport: ClosureTransport) -> Client { Client("https://h", transport: transport) }

    private let ada = ClosureTransport(body: #"{"name": "Ada"}"#)

    // MARK: Values

    @Test func decodesInferredOrExplicitType() async throws {
        let user: User = try await api(ada).get("/").value()
        #expect(user == User(name: "Ada"))
        #expect(try await api(ada).get("/").value(as: User.self).name == "Ada")
        let users = try await api(ClosureTransport(body: #"[{"name": "Ada"}]"#)).get("/").value(as: [User].self)
        #expect(users == [User(name: "Ada")])
    }

    @Test func createsValueWithCustomFunction() async throws {
        let length = try await api(ada).get("/").value { response in response.bytes.count }
        #expect(length == 15)
    }

    @Test func rethrowsErrorOfFunction() async {
        struct Strange: Error, Equatable {}
        await #expect(throws: Strange()) { try await api(ada).get("/").value { _ in throw Strange() } }
        await #expect(throws: CancellationError.self) {
            try await api(ada).get("/").value { _ in throw CancellationError() }
        }
        await #expect(throws: StreamDecodingError.self) {
            try await api(ada).get("/").value { _ in
                var lines = LineDecoder(maxLineLength: 1)
                lines.append(Array("too long".utf8))
                return try lines.next()
            }
        }
        let error = await #expect(throws: ClientError.self) {
            try await api(ada).get("/a").value { try $0.decode(as: [User].self) }
        }
        #expect(error?.request?.path == "/a")
    }

    @Test @MainActor func createsValueOnCallersActor() async throws {
        // Neither the value nor the closure that creates it can leave the actor.
        final class Box { var name = "" }
        let box = Box()
        let made: Box = try await api(ada).get("/").value { response in
            box.name = try response.decode(as: User.self).name
            return box
        }
        #expect(made === box)
        #expect(box.name == "Ada")
    }

    @Test func usesMostSpecificDecoder() async throws {
        struct Person: Decodable, Equatable { var firstName: String }
        let snake = JSONDecoder()
        snake.keyDecodingStrategy = .convertFromSnakeCase
        var api = api(ClosureTransport(body: #"{"first_name": "Ada"}"#))
        await #expect(throws: ClientError.self) { try await api.get("/").value(as: Person.self) }
        #expect(try await api.get("/").decoder(snake).value(as: Person.self).firstName == "Ada")
        api.configuration.decoder = snake
        #expect(try await api.get("/").value(as: Person.self).firstName == "Ada")
        await #expect(throws: ClientError.self) { try await api.get("/").decoder(.json).value(as: Person.self) }
    }

    @Test func failsForUndecodableArrayElement() async throws {
        let transport = ClosureTransport(body: #"{"users": [{"name": "Ada"}, {"name": 1}]}"#)
        let list = ClosureTransport(body: #"[{"name": "Ada"}, {"name": 1}]"#)
        let calls: [() async throws -> [User]] = [
            { try await api(list).get("/").value() },
            { try await api(transport).get("/").value(as: [String: [User]].self)["users"] ?? [] },
            { try await api(transport).get("/").value(at: "/users") ?? [] },
            { try await api(transport).get("/").value(required: "/users") },
        ]
        for call in calls {
            let error = await #expect(throws: ClientError.self) { try await call() }
            #expect(error?.message.contains("[1].name") == true, "\(error?.message ?? "")")
        }
    }

    @Test func acceptsEmptyContent() async throws {
        let transport = ClosureTransport(.noContent)
        try await api(transport).delete("/").send()
        _ = try await api(transport).delete("/").value(as: EmptyResponse.self)
        // Any content is ignored.
        _ = try await api(ada).delete("/").value(as: EmptyResponse.self)
    }

    /// An unused result that isn't discardable would be a warning, and therefore an error in CI.
    @Test func allowsDiscardingResults() async throws {
        struct Touch: Endpoint {
            typealias Response = BufferedResponse
            var path: Path { "/touch" }
        }
        try await api(ada).get("/").send()
        try await api(ada).send(Touch())
        #expect(ada.requests.map(\.path) == ["/", "/touch"])
    }

    // MARK: Responses

    @Test func returnsWholeResponse() async throws {
        let transport = ClosureTransport { _, _, _ throws(TransportError) in
            Response(
                HTTPResponse(status: .created, headerFields: [.eTag: "1"]),
                rawHead: RawHead(bytes: Array("HTTP/1.1 201 Created\r\n".utf8)),
                body: Body(parts: [
                    .bytes(Array("ab".utf8), endsChunk: true), .bytes(Array("c".utf8), endsChunk: true),
                    .trailers([Array("X-Sum: 1".utf8)]),
                ]),
                url: "https://elsewhere"
            )
        }
        let response = try await api(transport).post("/").send()
        #expect(response.status == .created)
        #expect(response.headers == [.eTag: "1"])
        #expect(response.bytes == Array("abc".utf8))
        #expect(response.data == Data("abc".utf8))
        #expect(response.text == "abc")
        #expect(response.trailers == [.init("X-Sum")!: "1"])
        #expect(response.url == "https://elsewhere")
        #expect(response.rawHead?.statusLine == Array("HTTP/1.1 201 Created".utf8)[...])
    }

    @Test func validatesWholeResponse() async {
        let error = await #expect(throws: ClientError.self) {
            try await api(ClosureTransport(.notFound)).get("/").send()
        }
        #expect(error?.code == .status)
        struct Strange: Error, Equatable {}
        await #expect(throws: Strange()) {
            try await api(ada).get("/").validate { _ in throw Strange() }.send()
        }
    }

    @Test func returnsAnyStatusWithoutValidation() async throws {
        let response = try await api(ClosureTransport(.notFound, body: "no")).get("/").validate(.none).send()
        #expect(response.status == .notFound)
        #expect(response.text == "no")
    }

    @Test func replacesInvalidUTF8InText() {
        #expect(BufferedResponse(HTTPResponse(status: .ok), bytes: [0x61, 0xFF]).text == "a\u{FFFD}")
    }

    @Test func abbreviatesDescriptionOfResponse() {
        let response = BufferedResponse(HTTPResponse(status: .ok), bytes: Array(repeating: 0x61, count: 1 << 20))
        #expect("\(response)".hasPrefix("200 OK: aaa"))
        #expect("\(response)".hasSuffix("a… (1048576 bytes)"))
        #expect(Mirror(reflecting: response).children.map(\.label) == ["status", "headers", "content"])
        #expect("\(BufferedResponse(HTTPResponse(status: 599)))" == "599: (no content)")
    }

    // MARK: Concurrency

    @Test func sendsConcurrentCallsWithOneClient() async throws {
        let transport = ClosureTransport { request, _, _ throws(TransportError) in
            Response(HTTPResponse(status: .ok), body: Body(request.path ?? ""))
        }
        let api = api(transport)
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<200 {
                group.addTask { try await api.get("/\(number)").send().text == "/\(number)" }
            }
            for try await isRight in group { #expect(isRight) }
        }
        #expect(transport.requests.count == 200)
    }

    @Test func returnsContentAsDataOrText() async throws {
        let api = Client("https://h", transport: ClosureTransport(body: Body("\"ä\"")))
        #expect(try await api.get("/").value(as: Data.self) == Data("\"ä\"".utf8))
        #expect(try await api.get("/").value(as: String.self) == "\"ä\"")
        let text: String? = try await api.get("/").value()
        #expect(text == "\"ä\"")
        let empty = Client("https://h", transport: ClosureTransport(.noContent))
        #expect(try await empty.get("/").value(as: Data.self) == Data())
        #expect(try await empty.get("/").value(as: String.self) == "")
    }

    @Test func decodesMissingContentAsNil() async throws {
        let empty = Client("https://h", transport: ClosureTransport(.noContent))
        let missing: [String: Int]? = try await empty.get("/").value()
        #expect(missing == nil)
        #expect(try await empty.get("/").value(as: String?.self) == nil)
        #expect(try await empty.get("/").value(as: Data?.self) == nil)
        await #expect(throws: ClientError.self) { try await empty.get("/").value(as: [String: Int].self) }
        let full = Client("https://h", transport: ClosureTransport(body: Body(#"{"a": 1}"#)))
        #expect(try await full.get("/").value(as: [String: Int]?.self) == ["a": 1])
        let null = Client("https://h", transport: ClosureTransport(body: Body("null")))
        #expect(try await null.get("/").value(as: [String: Int]?.self) == nil)
    }

    @Test func findsHeadersByText() async throws {
        let fields: HTTPFields = [.init("X-Page")!: "7"]
        let api = Client("https://h", transport: ClosureTransport(headers: fields))
        #expect(try await api.get("/").send().header("x-page") == "7")
        #expect(try await api.get("/").stream().header("X-Page") == "7")
        #expect(try await api.get("/").value(as: StatusResponse.self).header("X-Page") == "7")
        #expect(try await api.get("/").send().header("no name") == nil)
        var changed = fields
        changed["X-Page"] = "8"
        changed["X-Size"] = "2"
        #expect(changed["X-Page"] == "8" && changed.count == 2)
        changed["x-page"] = nil
        #expect(changed["X-Page"] == nil && changed.count == 1)
    }
}
