// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import Reprise

@Suite struct CallParametersTests {
    struct Search: Encodable {
        var userName = "Ada Lovelace"
        var tags = ["a+b", "c&d"]
        var page: Int?
    }

    private let transport = ClosureTransport()
    private var api: Client { Client("https://h", transport: transport) }

    private func sent(_ call: Call) async throws -> (target: String?, body: String?, type: String?) {
        try await call.send()
        let bytes = try await transport.bodies.last??.collect()
        let head = transport.requests.last
        return (head?.path, bytes.map { String(decoding: $0, as: UTF8.self) }, head?.headerFields[.contentType])
    }

    private func failure(_ call: Call) async -> ClientError? {
        let error = await #expect(throws: ClientError.self) { try await call.send() }
        #expect(transport.requests.isEmpty)
        return error
    }

    // MARK: Encodable

    @Test func encodesValueInQuery() async throws {
        let (target, body, _) = try await sent(api.get("/?x=1").query("y", 2).query(Search(page: 3)).query("z", 4))
        #expect(target == "/?x=1&y=2&userName=Ada%20Lovelace&tags=a%2Bb&tags=c%26d&page=3&z=4")
        #expect(body == nil)
    }

    @Test func encodesValueAsForm() async throws {
        let (target, body, type) = try await sent(api.post("/").form(Search()))
        #expect(target == "/")
        #expect(body == "userName=Ada+Lovelace&tags=a%2Bb&tags=c%26d")
        #expect(type == "application/x-www-form-urlencoded")
    }

    @Test func usesMostSpecificParameterStyle() async throws {
        var api = api
        api.configuration.parameterStyle = ParameterStyle(keys: .snakeCase, arrays: .brackets)
        let tags = "tags%5B%5D=a%2Bb&tags%5B%5D=c%26d"
        #expect(try await sent(api.get("/").query(Search())).target == "/?user_name=Ada%20Lovelace&\(tags)")
        #expect(try await sent(api.post("/").form(Search())).body == "user_name=Ada+Lovelace&\(tags)")
        let own = ParameterStyle(arrays: .commas)
        #expect(
            try await sent(api.get("/").query(Search(), style: own)).target
                == "/?userName=Ada%20Lovelace&tags=a%2Bb,c%26d"
        )
        #expect(
            try await sent(api.put("/").parameters(Search(), as: .json)).body
                == #"{"tags":["a+b","c&d"],"user_name":"Ada Lovelace"}"#
        )
    }

    private static let makers: [@Sendable (Call) -> Call] = [
        { $0.query([1, 2]) }, { $0.query("a") }, { $0.form(5) }, { $0.parameters([Search()]) },
        { $0.parameters(true, as: .json) }, { $0.parameters(["a"], as: .form) },
    ]

    @Test(arguments: makers)
    func rejectsNonObjectAtTopLevel(make: @Sendable (Call) -> Call) async {
        let error = await failure(make(api.post("/")))
        #expect(error?.code == .invalidParameters)
        #expect(error?.message.contains("expected an object") == true)
    }

    /// The compiler requires properties that aren't optional; `encode(to:)` checks any other requirement.
    @Test func sendsNothingIfEncodingThrows() async {
        struct Missing: Error {}
        struct Login: Encodable {
            var user = ""
            func encode(to encoder: any Encoder) throws {
                guard !user.isEmpty else { throw Missing() }
            }
        }
        for call in [api.get("/").query(Login()), api.post("/").form(Login()), api.post("/").parameters(Login())] {
            let error = await failure(call)
            #expect(error?.code == .invalidParameters)
            #expect(error?.message.contains("Login") == true)
            #expect(error?.underlying is Missing)
        }
    }

    @Test func errorNamesNonFiniteParameter() async {
        let error = await failure(api.get("/").query(["geo": ["lat": Double.nan]]))
        #expect(error?.code == .invalidParameters)
        #expect(error?.message.contains("geo[lat]") == true)
    }

    // MARK: By method

    @Test(arguments: [HTTPRequest.Method.get, .head, .delete, .trace])
    func sendsParametersInQuery(method: HTTPRequest.Method) async throws {
        let (target, body, type) = try await sent(api.call(method, "/").parameters(["a": "x y", "b": 2]))
        #expect(target == "/?a=x%20y&b=2")
        #expect(body == nil)
        #expect(type == nil)
        #expect(try await sent(api.call(method, "/").parameters(Search())).body == nil)
    }

    @Test(arguments: [HTTPRequest.Method.post, .put, .patch, .options])
    func sendsParametersAsForm(method: HTTPRequest.Method) async throws {
        let (target, body, type) = try await sent(api.call(method, "/").parameters(["a": "x y", "b": 2]))
        #expect(target == "/")
        #expect(body == "a=x+y&b=2")
        #expect(type == "application/x-www-form-urlencoded")
    }

    @Test func usesExplicitParameterPlacement() async throws {
        #expect(try await sent(api.post("/").parameters(["a": 1], as: .query)) == ("/?a=1", nil, nil))
        let form = "application/x-www-form-urlencoded"
        #expect(try await sent(api.delete("/").parameters(["a": 1], as: .form)) == ("/", "a=1", form))
        #expect(
            try await sent(api.delete("/").parameters(["a": 1], as: .json)) == ("/", #"{"a":1}"#, "application/json")
        )
    }

    @Test func preservesTypesInJSON() async throws {
        enum Order: String, ParameterValue { case newest }
        enum Level: Int, ParameterValue { case high = 3 }
        let none: String? = nil
        let call = api.post("/").parameters(
            ["s": "1", "i": 1, "d": 1.5, "b": true, "o": Order.newest, "l": Level.high, "none": none],
            as: .json
        )
        #expect(try await sent(call).body == #"{"b":true,"d":1.5,"i":1,"l":3,"o":"newest","s":"1"}"#)
    }

    @Test func encodesJSONWithClientsEncoder() async throws {
        struct Event: Encodable {
            var startsAt = Date(timeIntervalSince1970: 1)
            var byName = ["userName": 1]
            var note: String?
        }
        var api = api
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        encoder.keyEncodingStrategy = .convertToSnakeCase
        encoder.dateEncodingStrategy = .secondsSince1970
        api.configuration.encoder = encoder
        let call = api.post("/").parameters(Event(), as: .json)
        #expect(try await sent(call).body == #"{"by_name":{"userName":1},"starts_at":1}"#)
        #expect(try await sent(api.post("/").json(Event())).body == #"{"by_name":{"userName":1},"starts_at":1}"#)
    }

    @Test func appendsToExistingParameters() async throws {
        #expect(
            try await sent(api.get("/").parameters(["a": 1]).parameters(Search())).target?.hasPrefix("/?a=1&u") == true
        )
        #expect(try await sent(api.post("/").parameters(["a": 1]).parameters(["a": 2])).body == "a=1&a=2")
        let call = api.post("/").parameters(["a": 1], as: .json).parameters(Search(), as: .json)
        #expect(try await sent(call).body == #"{"a":1,"tags":["a+b","c&d"],"userName":"Ada Lovelace"}"#)
    }

    /// The literal isn't a dictionary, in which each name could occur only once.
    @Test func preservesOrderAndRepetitionsOfLiteral() async throws {
        #expect(try await sent(api.get("/").query(["b": 1, "a": 2, "b": 3])).target == "/?b=1&a=2&b=3")
        #expect(try await sent(api.get("/").parameters(["b": 1, "a": 2, "b": 3])).target == "/?b=1&a=2&b=3")
        #expect(try await sent(api.post("/").form(["b": 1, "a": 2, "b": 3])).body == "b=1&a=2&b=3")
    }

    @Test func rejectsDuplicateNamesInJSON() async {
        for call in [
            api.post("/").parameters(["a": 1, "a": 2], as: .json),
            api.post("/").parameters(["a": 1], as: .json).parameters(["a": 2], as: .json),
        ] {
            let error = await failure(call)
            #expect(error?.code == .invalidParameters)
            #expect(error?.message.contains(#""a""#) == true)
        }
    }

    private static let conflicts: [@Sendable (Call) -> Call] = [
        { $0.parameters(["a": 1]).json([1]) }, { $0.json([1]).parameters(["a": 1]) },
        { $0.parameters(["a": 1]).parameters(["b": 1], as: .json) },
        { $0.parameters(["a": 1], as: .json).parameters(["b": 1]) },
        { $0.parameters(["a": 1], as: .json).multipart { $0.field("b", 1) } },
        { $0.multipart { $0.field("b", 1) }.parameters(["a": 1], as: .json) },
        { $0.body("a").multipart { $0.field("b", 1) } }, { $0.multipart { $0.field("b", 1) }.body("a") },
        { $0.form(["a": 1]).parameters(["b": 1]) }, { $0.multipart { $0.field("b", 1) }.form(["a": 1]) },
    ]

    @Test(arguments: conflicts)
    func rejectsTwoKindsOfBody(make: @Sendable (Call) -> Call) async {
        #expect(await failure(make(api.post("/")))?.code == .bodyConflict)
    }

    @Test(arguments: [Call.ParameterPlacement.form, .json])
    func rejectsBodyParametersForGET(placement: Call.ParameterPlacement) async {
        #expect(await failure(api.get("/").parameters(["a": 1], as: placement))?.code == .invalidParameters)
    }

    // MARK: On the wire

    /// No `Optional("x")`, and no plus sign that would be decoded as a space.
    @Test func writesOptionalsAsTheirValues() async throws {
        struct Value: Encodable { var text: String? = "x+y" }
        let text: String? = "x+y"
        for call in [
            api.get("/").query("text", text), api.get("/").query(["text": text]), api.get("/").query(Value()),
            api.get("/").parameters(["text": text]), api.get("/").parameters(Value()),
        ] {
            #expect(try await sent(call).target == "/?text=x%2By")
        }
        for call in [
            api.post("/").form(["text": text]), api.post("/").form(Value()), api.post("/").parameters(["text": text]),
        ] {
            #expect(try await sent(call).body == "text=x%2By")
        }
        #expect(try await sent(api.post("/").parameters(["text": text], as: .json)).body == #"{"text":"x+y"}"#)
    }
}
