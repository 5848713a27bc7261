// SPDX-License-Identifier: Apache-2.0

import Foundation
import RepriseDocuments
import RepriseQueries
import RepriseText
import Testing

@Suite struct MatchesJSONSchemaTests {
    private func isValid(
        _ document: String,
        _ schema: String,
        _ version: JSONSchemaVersion = .v202012
    ) throws -> Bool {
        let matcher = try MatchesJSONSchema(JSONTree(parsing: Array(schema.utf8)), version: version)
        return matcher.matches(try JSONTree(parsing: Array(document.utf8)), budget: WorkBudget())
    }

    /// A schema, documents that are valid, and documents that are not.
    private static let table = #"""
        true | 1 | -
        false | - | 1
        {"type":["string","integer"]} | "x"; 1; 1.0 | 1.5; null
        {"const":{"a":[1]}} | {"a":[1.0]} | {"a":[2]}
        {"enum":["a",null,1]} | "a"; null; 1.0 | "b"; 2
        {"minimum":1,"exclusiveMaximum":2} | 1; 1.9; "x" | 0.9; 2
        {"exclusiveMinimum":1,"maximum":2} | 1.1; 2; 2.0 | 1; 2.1
        {"multipleOf":0.01} | 19.99; 0; 5 | 19.999
        {"minLength":2,"maxLength":3,"pattern":"^a"} | "ab"; 5 | "a"; "abcd"; "bb"
        {"minItems":1,"uniqueItems":true} | [1,2] | []; [1,1.0]; [{"a":1,"b":2},{"b":2,"a":1}]
        {"prefixItems":[{"type":"string"}],"items":{"type":"number"}} | ["a",1]; [] | [1]; ["a","b"]
        {"contains":{"const":1},"minContains":2,"maxContains":3} | [1,1,0] | [1]; [1,1,1,1]
        {"contains":{"const":1},"minContains":0} | [] | -
        {"required":["a","b"]} | {"a":1,"b":2}; [] | {"a":1}
        {"minProperties":1,"maxProperties":1} | {"a":1} | {}; {"a":1,"b":2}
        {"properties":{"a":{"type":"string"}},"patternProperties":{"^x":{}},"additionalProperties":false} | {"a":"s","x1":1} | {"a":1}; {"b":1}
        {"propertyNames":{"maxLength":2}} | {"ab":1} | {"abc":1}
        {"dependentRequired":{"a":["b"]},"dependentSchemas":{"c":{"required":["d"]}}} | {"a":1,"b":1}; {} | {"a":1}; {"c":1}
        {"allOf":[{"type":"integer"},{"minimum":3}]} | 3 | 2; "x"
        {"anyOf":[{"type":"integer"},{"minimum":3}]} | 1; 3.5 | 2.5
        {"oneOf":[{"type":"integer"},{"minimum":3}]} | 1; 3.5 | 3; 2.5
        {"not":{"type":"null"}} | 1 | null
        {"if":{"minimum":5},"then":{"multipleOf":5},"else":{"multipleOf":2}} | 10; 4 | 6; 3
        {"$ref":"#/$defs/a~1b","$defs":{"a/b":{"type":"null"}}} | null | 1
        {"$ref":"#name","$defs":{"x":{"$anchor":"name","type":"null"}}} | null | 1
        {"$id":"https://x.test/a","$ref":"b","$defs":{"x":{"$id":"/b","type":"null"}}} | null | 1
        {"type":"object","properties":{"next":{"$ref":"#"}},"additionalProperties":false} | {"next":{"next":{}}} | {"next":{"n":1}}
        {"allOf":[{"properties":{"a":true}}],"unevaluatedProperties":false} | {"a":1} | {"b":1}
        {"anyOf":[{"required":["a"],"properties":{"a":true}},{"properties":{"b":true}}],"unevaluatedProperties":false} | {"a":1,"b":1} | {"c":1}
        {"prefixItems":[true],"contains":{"type":"string"},"unevaluatedItems":false} | [1,"a"] | [1,2,"a"]
        {"format":"ipv4"} | "x" | -
        """#

    @Test(arguments: table.split(separator: "\n").map(String.init))
    func keywordsDecide(row: String) throws {
        let cells = row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
        for (cell, expected) in [(cells[1], true), (cells[2], false)] where cell != "-" {
            for document in cell.split(separator: ";") {
                #expect(try isValid(String(document), cells[0]) == expected, "\(document)")
            }
        }
    }

    @Test func dynamicReferencesFindTheOutermostAnchor() throws {
        let schema = #"""
            {"$id":"https://x.test/strings","$ref":"list","$defs":{"item":{"$dynamicAnchor":"item","type":"string"},
            "list":{"$id":"list","type":"array","items":{"$dynamicRef":"#item"},
            "$defs":{"any":{"$dynamicAnchor":"item"}}}}}
            """#
        #expect(try isValid(#"["a"]"#, schema))
        #expect(try !isValid("[1]", schema))
    }

    @Test func draftsDiffer() throws {
        #expect(try !isValid("2", #"{"minimum":2,"exclusiveMinimum":true}"#, .v4))
        #expect(try isValid("2", #"{"minimum":2,"exclusiveMinimum":false}"#, .v4))
        #expect(try !isValid("2", #"{"maximum":2,"exclusiveMaximum":true}"#, .v4))
        #expect(try isValid("2", #"{"maximum":2,"exclusiveMaximum":false}"#, .v4))
        #expect(try !isValid("1.0", #"{"type":"integer"}"#, .v4))
        #expect(try isValid("1", #"{"const":2}"#, .v4))
        #expect(try isValid("1", ##"{"$ref":"#/definitions/a","type":"string","definitions":{"a":{}}}"##, .v7))
        #expect(try !isValid("1", ##"{"$ref":"#/$defs/a","type":"string","$defs":{"a":{}}}"##, .v201909))
        #expect(try !isValid("[1,2]", #"{"items":[true],"additionalItems":false}"#, .v6))
        #expect(try !isValid(#"{"a":1}"#, #"{"dependencies":{"a":["b"]}}"#, .v7))
    }

    @Test(arguments: [
        ("date", "2024-02-29", "2023-02-29"), ("time", "23:59:60Z", "12:00:60Z"),
        ("date-time", "2020-01-31T10:00:00.5+02:00", "2020-01-31 10:00:00Z"), ("email", "a@b.c", "a@"),
        ("hostname", "a-b.test", "-a.test"), ("ipv4", "127.0.0.1", "127.0.0.01"), ("ipv6", "1::2", "1::2::3"),
        ("ipv6", "::ffff:1.2.3.4", "12345::"), ("ipv6", "1::", "1:"), ("uri", "https://a.test/b?c#d", "//a.test"),
        ("uuid", "2eb8aa08-aa98-11ea-b4aa-73b441d16380", "2eb8aa08"), ("json-pointer", "/a~1b", "/a~2"),
    ])
    func formatsAreCheckedUpToDraft7(format: String, valid: String, invalid: String) throws {
        let schema = #"{"format":"\#(format)"}"#
        #expect(try isValid("\"\(valid)\"", schema, .v7))
        #expect(try !isValid("\"\(invalid)\"", schema, .v7))
        #expect(try isValid("\"\(invalid)\"", schema, .v201909))
    }

    /// A format, texts that have it, and texts that do not, separated by spaces. `~` stands for the empty text.
    private static let formats = #"""
        date | 2000-02-29 2024-12-31 0000-01-01 1999-04-30 | 1900-02-29 2024-00-10 2024-13-01 2024-01-00 2024-04-31 2024-1-01 24-01-01 2024-01-32 2024-01-01-01 2024-01 /024-01-01 :024-01-01
        time | 00:00:00Z 23:59:59z 09:05:01.123+23:59 12:00:00-00:00 23:59:60Z 18:29:60-05:30 05:29:60+05:30 00:58:60+00:59 23:59:60.5Z | 24:00:00Z 23:60:00Z 23:59:61Z 12:00:00 12:00:00.Z 12:00:00.1aZ 12:00:00.1/Z 12:00:00.1:Z 12:00:00,5Z 12:00Z 12:00:00:00Z 12:00:00+24:00 12:00:00+23:60 12:00:00+2:00 12:00:00+02:00:00 12:00:00+0200 12:00:00Zx 22:59:60Z 23:58:60Z 23:59:60+01:00 23:59:60-01:00 1:00:00Z
        date-time | 2020-01-31t10:00:00z 2020-01-31T10:00:00Z | 2020-01-31T10:00:00 2020-02-30T10:00:00Z 2020-01-31 2020-01-31Tx 2020-01-31_10:00:00Z
        email | a@b a.b@c a@b@c | @b a@ ab .a@b a.@b
        hostname | a a-b 1.2 A.z Z9.a0 [63] [253] | ~ a. .a a- -a a_b a@ a[ a` a{ a/ a: [64] [254]
        ipv4 | 0.0.0.0 255.255.255.255 10.20.30.40 | 256.1.1.1 1.2.3 1.2.3.4.5 1.2.3. 1.2.3.1000 a.b.c.d 00.1.1.1 1.2.3.:
        ipv6 | :: ::1 1:: 1:2:3:4:5:6:7:8 1:2:3:4:5:6:7:: ::2:3:4:5:6:7:8 1:2:3:4:5:6:1.2.3.4 ::1.2.3.4 aBcD:EF01:: 1::2 ffff:: | : ~ 1:2 1:2:3:4:5:6:7 1:2:3:4:5:6:7:8:9 1::2:3:4:5:6:7:8 1:2:3:4:5:6:7:8:: ::1:2:3:4:5:6:7:8 1:::2 ::: 1::2::3 g:: 12345:: :1:2:3:4:5:6:7 1:2:3:4:5:6:7: 1:2:3:4:5:6:7:1.2.3.4 1:2:3:4:5:1.2.3.4 1::2: :1:: 1.2.3.4:: ::1.2.3 ::1.2.3.256
        uri | a: Z:x z:x urn:x A1+-.:x http://x/%41%aF?b#c | 1a:b :x ~ x @:x [:x `:x {:x a_b:c http://x/%4 http://x/%4g http://x/%g4 http://x/% http://x/é http://x/<
        uuid | 2EB8AA08-AA98-11ea-b4aa-73b441d16380 | 2eb8aa08aa98-11ea-b4aa-73b441d163800 2eb8aa08-aa98-11ea-b4aa-73b441d16380a 2eb8aa08-aa98-11ea-b4aa-73b441d1638 2eb8aa08-aa98-11ea-b4aa-73b441d1638g 2eb8aa080aa98-11ea-b4aa-73b441d16380 2eb8aa08-aa98-11ea-b4aa073b441d16380
        json-pointer | ~ / /a /a/b /~0~1 /é | a /~2 /~ /a~ /~~0 #/a
        """#

    @Test(arguments: formats.split(separator: "\n").map(String.init))
    func formatsHaveTheirEdges(row: String) throws {
        let cells = row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
        let labels = [63, 64].map { String(repeating: "a", count: $0) }
        let names = [61, 62].map { "\(labels[0]).\(labels[0]).\(labels[0]).\(String(repeating: "b", count: $0))" }
        let long = ["[63]": labels[0], "[64]": labels[1], "[253]": names[0], "[254]": names[1], "~": ""]
        for (cell, expected) in [(cells[1], true), (cells[2], false)] {
            for word in cell.split(separator: " ").map(String.init) {
                let text = JSONTree.string(long[word] ?? word)
                let isAccepted = try isValid(
                    String(decoding: text.bytes, as: UTF8.self),
                    #"{"format":"\#(cells[0])"}"#,
                    .v7
                )
                #expect(isAccepted == expected, "\(word)")
            }
        }
    }

    @Test(arguments: [
        (#"{"properties":{"a/b":{"type":"text"}}}"#, "/properties/a~1b/type", "expected null, boolean"),
        (#"{"minimum":"1"}"#, "/minimum", #"expected a number, found the string "1""#),
        (#"{"$ref":"https://x.test/schema"}"#, "/$ref", "expected a reference to a schema in the document"),
        (##"{"$ref":"#/$defs/none"}"##, "/$ref", "expected a reference to a schema in the document"),
        (#"{"allOf":[1]}"#, "/allOf/0", "expected a schema, found the number 1"),
        (#"{"maxLength":1.5}"#, "/maxLength", "expected a whole number, found 1.5"),
        (#"{"multipleOf":0}"#, "/multipleOf", "expected a number greater than 0, found 0"),
    ])
    func invalidSchemaIsLocated(schema: String, pointer: String, message: String) throws {
        let tree = try JSONTree(parsing: Array(schema.utf8))
        let error = #expect(throws: JSONSchemaError.self) { try MatchesJSONSchema(tree) }
        #expect(error?.pointer == pointer)
        #expect(error?.message.hasPrefix(message) == true, "\(error?.message ?? "")")
    }

    @Test(arguments: [
        ##"{"$ref":"#"}"##, ##"{"not":{"$ref":"#"}}"##, ##"{"anyOf":[{"$ref":"#"},{"$ref":"#"}]}"##,
        ##"{"allOf":[{"not":{"$ref":"#"}},{"$ref":"#"}]}"##,
    ])
    func circularReferencesEnd(schema: String) throws {
        #expect(try !isValid("1", schema))
    }

    /// No double is that large, so all these numbers have the same hash.
    @Test func uniqueItemsOfOneHashTakeBoundedSteps() throws {
        let matcher = try MatchesJSONSchema(JSONTree(parsing: Array(#"{"uniqueItems":true}"#.utf8)))
        let numbers = (400..<100_000).map { "1e\($0)" }.joined(separator: ",")
        let document = try JSONTree(parsing: Array("[\(numbers)]".utf8))
        let budget = WorkBudget(steps: 100_000)
        #expect(!matcher.matches(document, budget: budget))
        #expect(budget.refusals == 1)
        #expect(try isValid("[1e400,1e401,1e402]", #"{"uniqueItems":true}"#))
        #expect(try !isValid("[1e400,1e401,10e399]", #"{"uniqueItems":true}"#))
    }

    /// Steps are counted so that a long document cannot make a keyword take too long.
    @Test(arguments: [
        #"{"uniqueItems": true}"#, #"{"items": {"type": "number"}}"#, #"{"contains": {"const": 1}}"#,
        #"{"unevaluatedItems": {"type": "number"}}"#, #"{"propertyNames": {"type": "string"}}"#,
        #"{"additionalProperties": {"type": "number"}}"#, #"{"patternProperties": {"1": {"type": "number"}}}"#,
        #"{"unevaluatedProperties": {"type": "number"}}"#,
    ])
    func keywordsTakeStepForEachPart(schema: String) throws {
        let matcher = try MatchesJSONSchema(JSONTree(parsing: Array(schema.utf8)))
        let numbers = 0..<1000
        for document in [
            "[\(numbers.map(String.init).joined(separator: ","))]",
            "{\(numbers.map { #""\#($0)":\#($0)"# }.joined(separator: ","))}",
        ] {
            // Each keyword concerns only one of them.
            let isConcerned = schema.lowercased().contains("propert") == document.hasPrefix("{")
            let budget = WorkBudget()
            #expect(matcher.matches(try JSONTree(parsing: Array(document.utf8)), budget: budget))
            #expect(WorkBudget.standardSteps - budget.remaining >= (isConcerned ? numbers.count : 1))
        }
    }
}
