// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import Reprise

@Suite struct CallBodyTests {
    struct User: Codable, Equatable {
        var name: String
        var score: Double = 1
    }

    private let transport = ClosureTransport()
    private var api: Client { Client("https://h", transport: transport) }

    private func sent(_ call: Call) async throws -> (text: String, type: String?) {
        try await call.send()
        let body = try #require(transport.bodies.last ?? nil)
        let text = String(decoding: try await body.collect(), as: UTF8.self)
        return (text, transport.requests.last?.headerFields[.contentType])
    }

    @Test func sendsJSONWithContentType() async throws {
        let (text, type) = try await sent(api.post("/").json(User(name: "Ada")))
        #expect(try JSONDecoder().decode(User.self, from: Data(text.utf8)) == User(name: "Ada"))
        #expect(type == "application/json")
    }

    /// The order must be the same in each process, which an unsorted encoder doesn't ensure.
    @Test func sortsKeysOfJSON() async throws {
        let letters = "hgfedcba".map(String.init)
        let value = Dictionary(uniqueKeysWithValues: letters.map { ($0, 1) })
        let expected = letters.reversed().map { "\"\($0)\":1" }.joined(separator: ",")
        #expect(try await sent(api.post("/").json(value)).text == "{\(expected)}")
    }

    @Test func usesMostSpecificEncoder() async throws {
        struct Key: Encodable { var userName = "a" }
        let snake = JSONEncoder()
        snake.keyEncodingStrategy = .convertToSnakeCase
        let pretty = JSONEncoder()
        pretty.outputFormatting = .prettyPrinted
        var api = api
        #expect(try await sent(api.post("/").json(Key())).text == #"{"userName":"a"}"#)
        api.configuration.encoder = snake
        #expect(try await sent(api.post("/").json(Key())).text == #"{"user_name":"a"}"#)
        #expect(try await sent(api.post("/").json(Key(), encoder: pretty)).text.contains("\n"))
    }

    @Test(arguments: [Double.nan, .infinity])
    func rejectsNonFiniteNumbersInJSON(value: Double) async {
        let call = api.post("/").json(["user": User(name: "Ada", score: value)])
        let error = await #expect(throws: ClientError.self) { try await call.send() }
        #expect(error?.code == .invalidParameters)
        #expect(error?.message.contains("user.score") == true)
        #expect(error?.underlying is EncodingError)
        #expect(transport.requests.isEmpty)
    }

    @Test func encodesFormsLikeBrowsers() async throws {
        let none: Int? = nil
        let (text, type) = try await sent(
            api.post("/").form(["a b": "c&d=e+f", "n": 1, "none": none, "ä": "~*", "n": 2])
        )
        #expect(text == "a+b=c%26d%3De%2Bf&n=1&%C3%A4=%7E*&n=2")
        #expect(type == "application/x-www-form-urlencoded")
    }

    @Test func rejectsNonFiniteNumberInForm() {
        let error = #expect(throws: ClientError.self) { try api.post("/").form(["x": Double.nan]).request() }
        #expect(error?.code == .invalidParameters)
    }

    @Test func sendsRawBodies() async throws {
        #expect(try await sent(api.put("/").body([0x61, 0x62])) == ("ab", nil))
        #expect(try await sent(api.put("/").body("äb", contentType: "text/plain")) == ("äb", "text/plain"))
        #expect(try await sent(api.put("/").body(Data([0x63]))) == ("c", nil))
        #expect(try await sent(api.delete("/").body("d")) == ("d", nil))
    }

    @Test func sendsStreamOfChunks() async throws {
        let chunks = AsyncStream<[UInt8]> { continuation in
            continuation.yield([0x61])
            continuation.yield([0x62, 0x63])
            continuation.finish()
        }
        #expect(try await sent(api.post("/").body(chunks, length: 3, contentType: "text/csv")) == ("abc", "text/csv"))
        #expect(transport.bodies.last??.length == 3)
        #expect(transport.bodies.last??.isReplayable == false)
    }

    @Test func sendsStreamOfBytes() async throws {
        let content = (0..<40_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        let bytes = AsyncStream<UInt8> { continuation in
            for byte in content { continuation.yield(byte) }
            continuation.finish()
        }
        try await api.post("/").body(bytes, length: content.count, contentType: "text/csv").send()
        let body = try #require(transport.bodies.last ?? nil)
        #expect(body.length == content.count)
        var pieces: [[UInt8]] = []
        for try await piece in body { pieces.append(piece) }
        #expect(pieces.map(\.count) == [16_384, 16_384, 7_232])
        #expect(pieces.flatMap(\.self) == content)
    }

    @Test func preservesExplicitContentType() async throws {
        let type = "application/vnd.api+json"
        #expect(try await sent(api.post("/").contentType(type).json([1])) == ("[1]", type))
        #expect(try await sent(api.post("/").json([1]).header("content-type", type)) == ("[1]", type))
    }

    @Test func contentTypeOfBodyOverridesClients() async throws {
        var api = api
        api.configuration.headers[.contentType] = "text/plain"
        #expect(try await sent(api.post("/").json([1])).type == "application/json")
        #expect(try await sent(api.post("/").body("a")).type == "text/plain")
    }

    private static let pairs: [@Sendable (Call) -> Call] = [
        { $0.json([1]).body("a") }, { $0.body("a").json([1]) }, { $0.form(["a": 1]).json([1]) },
        { $0.body("a").body("a") }, { $0.body([]).body(AsyncStream<[UInt8]> { $0.finish() }) },
    ]

    @Test(arguments: pairs)
    func rejectsTwoBodies(make: @Sendable (Call) -> Call) async {
        let error = await #expect(throws: ClientError.self) { try await make(api.post("/")).send() }
        #expect(error?.code == .bodyConflict)
        #expect(transport.requests.isEmpty)
    }

    @Test(arguments: [HTTPRequest.Method.get, .head, .trace])
    func rejectsBodyForMethodsWithoutContent(method: HTTPRequest.Method) async {
        let error = await #expect(throws: ClientError.self) { try await api.call(method, "/").json([1]).send() }
        #expect(error?.code == .invalidParameters)
        #expect(error?.message.contains("query(") == true)
        #expect(error?.request?.method == method)
        #expect(transport.requests.isEmpty)
    }

    @Test func sendsJSONWithValuesOfDifferentTypes() async throws {
        func content(_ call: Call) async throws -> String {
            String(decoding: try await #require(call.body).collect(), as: UTF8.self)
        }
        let call = Client("https://h").post("/")
        let (title, pages, none) = ("Atlas", 96, nil as Int?)
        #expect(try await content(call.json(["a": 1, "b": "x"])) == #"{"a":1,"b":"x"}"#)
        #expect(try await content(call.json(["t": title, "p": pages, "n": none])) == #"{"n":null,"p":96,"t":"Atlas"}"#)
        #expect(
            try await content(call.json(["a": ["b": 1, "c": ["x", 2, nil]]])) == #"{"a":{"b":1,"c":["x",2,null]}}"#
        )
        #expect(try await content(call.json([1, "x", true])) == #"[1,"x",true]"#)
        #expect(try await content(call.json(["a": 1])) == #"{"a":1}"#)
        // The encoder's strategies apply to the values of an object.
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .secondsSince1970
        let date = Date(timeIntervalSince1970: 5)
        #expect(try await content(call.json(["at": date, "a": [date]], encoder: encoder)).contains("\"at\":5"))
    }
}
