// SPDX-License-Identifier: Apache-2.0

import RepriseTestSupport
import Testing

@testable import Reprise

@Suite struct LinkFieldTests {
    private func targets(_ value: String, rel relation: String) -> [String] {
        LinkField.links(in: value).filter { $0.relations.contains(relation) }.map(\.target)
    }

    @Test(arguments: [
        #"<https://h/a?page=2>; rel="next", <https://h/a?page=9>; rel="last""#,
        #"<https://h/a?page=2>;rel=next"#,
        #"  <https://h/a?page=2> ; title="a, \"b\"; rel=\"last\"" ; rel = "prev NEXT" ,"#,
        #",, <https://h/a?page=2>; REL=Next; rel=last"#,
        #"<https://h/a?page=2>; flag; ; rel="next""#,
        #"<https://h/other>; rel=next; anchor="/x", <https://h/a?page=2>; rel=next"#,
        "<https://h/a?page=2>;\trel=\"next\"; title*=UTF-8'en'%e2",
        "<https://h/a?page=2>; rel=\"next \u{301}x\"",
    ])
    func findsTargetByRelation(value: String) {
        #expect(targets(value, rel: "next") == ["https://h/a?page=2"])
    }

    @Test(arguments: ["", "next", "<https://h/a", "rel=next; <a>", #"<a>; title="rel=next"#, "<a>; rev=next", ";,=\"<"])
    func findsNothingInInvalidValues(value: String) {
        #expect(targets(value, rel: "next") == [])
    }

    @Test func keepsCommasAndSemicolonsOfTargets() {
        #expect(targets("<a,b;c>; rel=next, <d>; rel=next", rel: "next") == ["a,b;c", "d"])
    }

    @Test func endsForArbitraryText() {
        var random = SeededGenerator(seed: 8)
        let pieces = ["<", ">", ";", ",", "=", "\"", "\\", " ", "\t", "rel", "next", "a", "ä"]
        for _ in 0..<2000 {
            let count = Int.random(in: 0...20, using: &random)
            let text = (0..<count).map { _ in pieces.randomElement(using: &random)! }.joined()
            #expect(LinkField.links(in: text).count <= count)
        }
    }

    @Test func responseResolvesTargetAgainstItsURL() {
        var fields = HTTPFields()
        fields.append(HTTPField(name: .link, value: "</first>; rel=first"))
        fields.append(HTTPField(name: .link, value: "<?page=2#top>; rel=\"next\""))
        let head = HTTPResponse(status: .ok, headerFields: fields)
        #expect(BufferedResponse(head, url: "https://h/list?page=1").link(rel: "Next") == "https://h/list?page=2")
        #expect(BufferedResponse(head).link(rel: "next") == "?page=2#top")
        #expect(Response(head, url: "https://h/a/b").link(rel: "first") == "https://h/first")
        #expect(BufferedResponse(head).link(rel: "last") == nil)
    }
}
