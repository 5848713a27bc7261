// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import Reprise

@Suite struct JSONValueTests {
    private let json: JSONValue = [
        "users": [["name": "Ada", "age": 36, "score": 1.5, "isAdmin": true, "note": nil]],
        "a/b": "slash",
        "10": "ten",
    ]

    private func api(_ body: String) -> Client {
        Client("https://h", transport: ClosureTransport(body: Body(body)))
    }

    @Test func readsNestedValues() async throws {
        let found = try await api(#"{"a": [{"b": "c"}], "n": 1}"#).get("/").json()
        #expect(found["a"][0]["b"].string == "c")
        #expect(found["n"].int == 1)
    }

    @Test func missingValuesAreNull() {
        for nothing in [json["x"], json["users"][1], json["users"][-1], json["users"]["name"], json["a/b"][0]] {
            #expect(nothing == .null)
            #expect(nothing.isNull)
        }
        #expect(json["users"][0]["name"]["x"][3]["y"].string == nil)
    }

    @Test func accessorsReturnNilForOtherTypes() {
        let user = json["users"][0]
        #expect(user["name"].string == "Ada")
        #expect(user["name"].int == nil)
        #expect(user["age"].int == 36)
        #expect(user["age"].double == 36)
        #expect(user["age"].string == nil)
        #expect(user["score"].double == 1.5)
        #expect(user["score"].int == nil)
        #expect(user["isAdmin"].bool == true)
        #expect(user["age"].bool == nil)
        #expect(user["note"].isNull)
        #expect(json["users"].array?.count == 1)
        #expect(json["users"].object == nil)
        #expect(json.object?.count == 3)
    }

    static let texts: [(String, JSONValue)] = [
        ("null", .null), ("true", true), ("false", false), ("0", 0), ("-1", -1), ("1.5", 1.5),
        ("9223372036854775807", .integer(.max)), ("-9223372036854775808", .integer(.min)), ("1e3", 1000),
        (#""\u00e9\ud83d\ude00""#, "é😀"), ("[]", []), ("{}", [:]), (#"[1,"a",null,[true]]"#, [1, "a", nil, [true]]),
        (#"{"a":{"b":[{}]}}"#, ["a": ["b": [[:]]]]),
    ]

    @Test(arguments: texts) func roundTripsEachKindOfValue(text: String, value: JSONValue) throws {
        #expect(try JSONValue(parsing: Array(text.utf8)) == value)
        #expect(try JSONValue(parsing: value.encoded()) == value)
    }

    @Test func sendsValueAsJSON() throws {
        let call = Client("https://h").post("/").json(["b": [1, nil], "a": true] as JSONValue)
        guard case .bytes(let bytes) = call.body?.storage else {
            Issue.record("expected a body in memory")
            return
        }
        #expect(String(decoding: bytes, as: UTF8.self) == #"{"a":true,"b":[1,null]}"#)
    }

    @Test func invalidTextThrowsDecodingErrorWithExcerpt() async {
        let error = await #expect(throws: ClientError.self) { try await api("{\"a\": [1,\n x]}").get("/p").json() }
        #expect(error?.code == .decoding)
        #expect(error?.message.contains("the content begins: {\"a\": [1,") == true)
        #expect(error?.request?.path == "/p")
        #expect(error?.response?.text.contains("x]") == true)
    }

    @Test func missingContentThrowsEmptyError() async {
        let error = await #expect(throws: ClientError.self) { try await api("").get("/").json() }
        #expect(error?.code == .empty)
    }

    @Test(arguments: [
        ("", [String]()), ("/", [""]), ("/a/b", ["a", "b"]), ("a/b", ["a", "b"]), ("/a~1b/c~0d", ["a/b", "c~d"]),
        ("/~01", ["~1"]), ("/a//b", ["a", "", "b"]), ("/~2/~", ["~2", "~"]),
        // A combining accent after a slash or a tilde does not hide it.
        ("/a/\u{301}b", ["a", "\u{301}b"]), ("/\u{301}", ["\u{301}"]), ("/a~1\u{301}~0\u{301}", ["a/\u{301}~\u{301}"]),
    ])
    func splitsPointerIntoTokens(text: String, tokens: [String]) {
        #expect(JSONPointer(text).tokens == tokens)
        #expect(JSONPointer(JSONPointer(text).description).tokens == tokens)
    }

    static let paths: [(String, JSONValue)] = [
        ("/users/0/name", "Ada"), ("users/0/name", "Ada"), ("/a~1b", "slash"), ("/10", "ten"),
        ("/users/00/name", .null), ("/users/-/name", .null), ("/users/+0/name", .null), ("/users/0/name/x", .null),
        ("/users/9999999999999999999999", .null), ("/users/", .null),
    ]

    @Test(arguments: paths) func findsValueAtPointer(path: String, value: JSONValue) {
        #expect(json[JSONPointer(path)] == value)
        #expect(json[JSONPointer("")] == json)
    }
}
