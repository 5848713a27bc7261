// SPDX-License-Identifier: Apache-2.0

import Foundation
import RepriseTestSupport
import Testing

@testable import Reprise

@Suite struct JSONTextTests {
    private func value(_ path: String, in text: String) -> String? {
        JSONText.value(at: JSONPointer(path), in: Array(text.utf8)).map { String(decoding: $0, as: UTF8.self) }
    }

    @Test(arguments: [
        ("", #" {"a": 1} "#, #"{"a": 1}"#), ("/a", #"{"a": 1}"#, "1"), ("/a", #"{ "b" : [ ] , "a" :"x" }"#, #""x""#),
        ("/1", "[1,\n2 ]", "2"), ("/0/1/x", #"[[{}, {"x" : {"y": [1, {}]} }], 2]"#, #"{"y": [1, {}]}"#),
        (#"/}]","#, #"{"a": "}]\",\\", "}]\",": true}"#, "true"), (#"/é"#, #"{"\u00e9": null}"#, "null"),
        ("/a~1b", #"{"a\/b": -1.50e2}"#, "-1.50e2"), ("/a", #"{"a": 1, "a": 2}"#, "1"), ("", "7", "7"),
        ("/", #"{"": 18446744073709551615}"#, "18446744073709551615"),
    ])
    func findsValueAtPath(path: String, text: String, expected: String) {
        #expect(value(path, in: text) == expected)
    }

    @Test(arguments: [
        ("/a", "{}"), ("/0", "[]"), ("/0", "[ ]"), ("/1", "[1]"), ("/a", "[1]"), ("/a", "1"), ("/0", #"{"a": 1}"#),
        ("/a/b", #"{"a": "b"}"#), ("", ""), ("/01", "[1, 2]"),
    ])
    func findsNoValueAtMissingPath(path: String, text: String) {
        #expect(value(path, in: text) == nil)
    }

    /// Finds every value of random texts, in compact and in pretty-printed layout.
    @Test func findsEveryValueOfGeneratedJSON() throws {
        var generator = SeededGenerator(seed: 17)
        for _ in 0..<300 {
            let json = json(depth: 4, &generator)
            let encoder = JSONEncoder()
            if Bool.random(using: &generator) { encoder.outputFormatting = .prettyPrinted }
            let bytes = Array(try encoder.encode(json))
            try expect(json, at: [], in: bytes)
        }
    }

    @Test func survivesInvalidJSON() {
        var generator = SeededGenerator(seed: 18)
        for _ in 0..<5_000 {
            let text = (0..<Int.random(in: 0..<12, using: &generator)).map { _ in
                ["{", "}", "[", "]", ",", ":", "\"", "\\", " ", "a", "0"].randomElement(using: &generator) ?? ""
            }.joined()
            for path in ["", "/a", "/0", "/a/0", "/0/a"] { _ = value(path, in: text) }
        }
    }

    private func expect(_ json: JSONValue, at tokens: [String], in bytes: [UInt8]) throws {
        let found = try #require(JSONText.value(at: JSONPointer(tokens: tokens), in: bytes))
        #expect(try JSONValue(parsing: found) == json)
        for (name, member) in json.object ?? [:] { try expect(member, at: tokens + [name], in: bytes) }
        for (index, element) in (json.array ?? []).enumerated() {
            try expect(element, at: tokens + ["\(index)"], in: bytes)
        }
    }

    private func json(depth: Int, _ generator: inout SeededGenerator) -> JSONValue {
        let count = Int.random(in: 0..<4, using: &generator)
        switch Int.random(in: 0..<(depth > 0 ? 6 : 4), using: &generator) {
        case 0: return .null
        case 1: return .bool(.random(using: &generator))
        case 2: return .integer(.random(in: .min ... .max, using: &generator))
        case 3: return .string(generator.text())
        case 4: return .array((0..<count).map { _ in json(depth: depth - 1, &generator) })
        default:
            let members = (0..<count).map { _ in (generator.text(), json(depth: depth - 1, &generator)) }
            return .object(Dictionary(members) { _, last in last })
        }
    }
}
