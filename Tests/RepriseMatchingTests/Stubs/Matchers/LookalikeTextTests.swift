// SPDX-License-Identifier: Apache-2.0

import RepriseDocuments
import RepriseMatching
import RepriseStubs
import RepriseText
import Testing

/// Texts with the same look are different texts, wherever they are. `ä` is U+00E4, and `å` stands for `a` with U+0308.
@Suite struct LookalikeTextTests {
    /// A matcher, content that it accepts, and content that it refuses.
    @Test(arguments: [
        (ValueMatcher.equalToJSON(["x": "ä"]), #"{"x":"ä"}"#, #"{"x":"å"}"#),
        (.equalToJSON(["ä": 1]), #"{"ä":1}"#, #"{"å":1}"#),
        (.equalToJSON(["ä": 1, "a\u{308}": 2]), #"{"ä":1,"å":2}"#, #"{"ä":2,"å":1}"#),
        (.equalToJSON(many("ä"), ignoresArrayOrder: true), text(many("ä")), text(many("a\u{308}"))),
        (.matchesJSONPath("$.ä"), #"{"ä":1}"#, #"{"å":1}"#),
        (.matchesJSONPath("$[?(@.x == 'ä')]"), #"[{"x":"ä"}]"#, #"[{"x":"å"}]"#),
        (.matchesJSONPath("$[?(@.x in ['ä'])]"), #"[{"x":"ä"}]"#, #"[{"x":"å"}]"#),
        (.matchesJSONPath("$.x", .equalTo("ä")), #"{"x":"ä"}"#, #"{"x":"å"}"#),
        (.matchesJSONSchema(["const": "ä"]), #""ä""#, #""å""#),
        (.matchesJSONSchema(["enum": ["ä"]]), #""ä""#, #""å""#),
        (.matchesJSONSchema(["required": ["ä"]]), #"{"ä":1}"#, #"{"å":1}"#),
        (.matchesJSONSchema(["properties": ["ä": false]]), #"{"å":1}"#, #"{"ä":1}"#),
        (.matchesJSONSchema(["uniqueItems": true]), #"["ä","å"]"#, #"["ä","ä"]"#),
        (.equalToXML("<ä/>"), "<ä/>", "<å/>"),
        (.equalToXML("<a ä='1'/>"), "<a ä='1'/>", "<a å='1'/>"),
        (.equalToXML("<a ä='1' å='2'/>".decomposed), "<a ä='1' å='2'/>", "<a ä='2' å='1'/>"),
        (.equalToXML("<a>ä</a>"), "<a>ä</a>", "<a>å</a>"),
        (.matchesXPath("/ä"), "<ä/>", "<å/>"),
        (.matchesXPath("/a[@ä]"), "<a ä='1'/>", "<a å='1'/>"),
        (.matchesXPath("/a[.='ä']"), "<a>ä</a>", "<a>å</a>"),
        (.equalTo("ä"), "ä", "å"),
        (.equalTo("ä", ignoringCase: true), "Ä", "å"),
        (.contains("a"), "å", "ä"),
    ])
    func areDifferent(matcher: ValueMatcher, accepted: String, refused: String) throws {
        #expect(try accepts(matcher, body: accepted.decomposed))
        #expect(try !accepts(matcher, body: refused.decomposed))
    }

    private static func many(_ text: String) -> JSONTree {
        .array((0..<20).map { .string("\($0)") } + [.string(text)])
    }

    private static func text(_ tree: JSONTree) -> String { String(decoding: tree.bytes, as: UTF8.self) }
}

extension String {
    /// The text with `a` and U+0308 for each `å`.
    fileprivate var decomposed: String {
        String(String.UnicodeScalarView(unicodeScalars.flatMap { $0 == "å" ? ["a", "\u{308}"] : [$0] }))
    }
}
