// SPDX-License-Identifier: Apache-2.0

import RepriseDocuments
import RepriseMatching
import RepriseStubs
import RepriseText
import Testing

@Suite struct XPathMatcherTests {
    private static let document =
        "<s:E xmlns:s='u' xmlns='d' s:k='1' l='2'><s:B><v>1</v><v a='x'>2</v><v>10</v></s:B><!--c--><w> t </w></s:E>"

    /// The values are WireMock's.
    @Test(arguments: [
        ("/E/B/v", true),
        ("/s:E/s:B", false),
        ("//v[2]", true),
        ("//v[@a]", true),
        ("//v[@a='x']/text()", true),
        ("//v[text()='2']", true),
        ("//v[.='2']", true),
        ("//v[last()]", true),
        ("//v[position()<3]", true),
        ("/E/@k", true),
        ("//@l", true),
        ("//@nope", false),
        ("count(//v)", false),
        ("//v > 5", false),
        ("//v[. > 5]", true),
        ("//v[number(.) > 100]", false),
        ("//w[normalize-space()='t']", true),
        ("//*[local-name()='v']", true),
        ("//*[name()='s:B']", true),
        ("/E/B/v | //nope", true),
        ("/E//v", true),
        ("E", true),
        ("B", false),
        ("/", true),
        ("//comment()", true),
        ("string(//v)", false),
        ("boolean(//v)", false),
        ("/E[", false),
        ("", false),
        ("//v[contains(.,'1')]", true),
        ("//v[starts-with(.,'1')][2]", true),
        ("//v/..", true),
        ("//v/parent::B", true),
        ("//v/ancestor::E", true),
        ("//v[1]/following-sibling::v", true),
        ("//v[3]/preceding-sibling::v[1]", true),
        ("//v[not(@a)]", true),
        ("//v[string-length(.)=2]", true),
        ("id('x')", false),
        ("//v[sum(//v)=13]", true),
        ("(//v)[2]", true),
        ("//v[position() mod 2 = 0]", true),
        ("/E/B/v[2]/@a", true),
        ("/*/*[1]/*", true),
        ("//v[concat(.,'z')='2z']", true),
        ("//v[translate(.,'2','9')='9']", true),
        ("//v[substring(.,1,1)='1']", true),
        ("//processing-instruction()", false),
        ("//v[true()]", true),
        ("//v[false()]", false),
        ("//v['']", false),
        ("//v[0]", false),
        ("unknown()", false),
        ("//v[floor(1.5)=1]", true),
        ("1", false),
        ("'a'", false),
        ("//q:v", false),
    ])
    func findsNodesWithoutNamespaces(path: String, matches: Bool) throws {
        #expect(try accepts(.matchesXPath(path), body: Self.document) == matches)
    }

    @Test(arguments: [
        ("count(//v)", true), ("count(//v) = 2", true), ("//v > 5", true), ("string(//v)", true), ("1", true),
        ("'a'", true), ("-1", true), ("1 + 1", true), ("true()", true), ("//v and //w", true), ("(//v = 1)", true),
        ("(1)[1]", true), ("//v", false), ("//v | //w", false), ("(//v)[1]", false), ("//v[. = 1]", false),
        ("(//v)[1]/text()", false), ("/", false),
    ])
    func warnsOfExpressionWithoutNodes(path: String, warns: Bool) throws {
        var request = StubRequest()
        request.body = [.matchesXPath(path)]
        let compiled = try CompiledStubRequest(request)
        #expect(compiled.warnings.map(\.pointer) == (warns ? ["/request/bodyPatterns/0/matchesXPath"] : []))
        #expect(compiled.warnings.allSatisfy { $0.message.contains("a number, a text, or a Boolean") })
    }

    /// The values are WireMock's.
    @Test(arguments: [
        ("/E/B/v", false),
        ("/s:E/s:B", true),
        ("/s:E/s:B/v", false),
        ("/s:E/s:B/d:v", true),
        ("//d:v", true),
        ("//@s:k", true),
        ("//@l", true),
        ("//@d:l", false),
        ("//x:v", false),
        ("//s:*", true),
        ("//d:*[.='2']", true),
    ])
    func findsNodesOfDeclaredNamespaces(path: String, matches: Bool) throws {
        let namespaces = [
            ValueMatcher.XMLNamespace(prefix: "s", uri: "u"), ValueMatcher.XMLNamespace(prefix: "d", uri: "d"),
        ]
        #expect(try accepts(.matchesXPath(path, namespaces: namespaces), body: Self.document) == matches)
    }

    /// The values are WireMock's.
    @Test(arguments: [
        ("//v/text()", ValueMatcher.equalTo("2"), true), ("//v", .equalTo("2"), false),
        ("//v", .contains("<v a=\"x\">2</v>"), true), ("//v", .equalToXML("<v a='x'>2</v>"), true),
        ("//@a", .equalTo("x"), true), ("//nope", .absent, false), ("//nope", .doesNotMatch("x"), false),
        ("//v/text()", .doesNotContain("2"), true), ("//w/text()", .equalTo(" t "), true),
        ("//w/text()", .equalTo("t"), false), ("//comment()", .equalTo("c"), false), ("/E", .contains("<s:B>"), true),
        ("//v/text()", .matches("1."), true),
    ])
    func oneNodeThatSatisfiesMatcherIsEnough(path: String, matcher: ValueMatcher, matches: Bool) throws {
        #expect(try accepts(.matchesXPath(path, namespaces: [], matcher), body: Self.document) == matches)
    }

    /// The distance is that of the nearest node.
    @Test(
        arguments: [
            ("//v/text()", ValueMatcher.equalTo("11"), 0.5), ("//v/text()", .equalTo("10"), 0),
            ("//@a", .equalTo("xy"), 0.5),
            ("//nope", .absent, 1), ("//v/text()", .contains("7"), 1),
        ] as [(String, ValueMatcher, Double)]
    )
    func nearestNodeDecides(path: String, matcher: ValueMatcher, distance: Double) throws {
        var request = StubRequest()
        request.body = [.matchesXPath(path, namespaces: [], matcher)]
        let facts = facts("POST", "/", body: Self.document)
        #expect(try CompiledStubRequest(request).verdicts(on: facts).map(\.distance) == [distance])
    }

    /// The values are WireMock's.
    @Test(arguments: [
        ("/comment()", true), ("//comment()", true), ("/processing-instruction('p')", true),
        ("/node()[1][self::comment()]", true), ("/node()[3]", true), ("/node()[4]", false),
        ("//a/following::processing-instruction()", true), ("/a/preceding-sibling::comment()", true),
        ("/a[count(/node())=3]", true), ("/*[self::a]", true), ("/a/following-sibling::*", false),
        ("/a[1 div round(-0) < 0]", true), ("/a[1 div round(-0.4) < 0]", true), ("/a[round(-0.5)=0]", true),
        ("/a[round(2.5)=3]", true), ("/a[round(-2.5)=-2]", true), ("/a[round(0.5)=1]", true),
        ("/a[string(10000000000000000)='10000000000000000']", true), ("/a[string(0.0000001)='0.0000001']", true),
        ("/a[string(-1.25)='-1.25']", true), ("/a[string(-0)='0']", true), ("/a[string(0.5)='0.5']", true),
        ("/a[substring('12345',1.5,2.6)='234']", true), ("/a[normalize-space(' x  y ')='x y']", true),
    ])
    func seesNodesAroundTheRootElement(path: String, matches: Bool) throws {
        #expect(try accepts(.matchesXPath(path), body: "<!--c--><a>1</a><?p d?>") == matches)
    }

    /// WireMock ignores document types, and fetches nothing.
    @Test(arguments: [
        "<!DOCTYPE a [<!ENTITY e SYSTEM 'file:///etc/hostname'>]><a>1&e;</a>", "<!DOCTYPE a SYSTEM 'x.dtd'><a>1</a>",
        "<!DOCTYPE a [<!-- ' > ] --><?p ' > ]?><!ELEMENT a (#PCDATA)><!ENTITY e PUBLIC \"]>\" 'x'>]><a>1</a>",
    ])
    func ignoresDocumentType(body: String) throws {
        #expect(try accepts(.matchesXPath("/a[.='1']"), body: body))
        #expect(try accepts(.equalToXML("<a>1</a>"), body: body))
    }

    private static let entities = "<!DOCTYPE r [<!ENTITY e \"hi\"><!ENTITY f '<b a=\"1\">x</b>'><!ENTITY g '&e;&e;'>]>"

    /// What WireMock finds.
    @Test(arguments: [
        ("\(entities)<r>&e;</r>", "/r[.='hi']"), ("\(entities)<r>a &g; b</r>", "/r[text()='a hihi b']"),
        ("\(entities)<r>&f;<c>&e;</c>&f;</r>", "/r[count(b[@a=1])=2]/c[.='hi']"),
        ("\(entities)<r a='x&g;y'/>", "/r[@a='xhihiy']"), ("\(entities)<r><![CDATA[&e;]]></r>", "/r[.='&e;']"),
        ("<!DOCTYPE r [<!ENTITY e 'one'><!ENTITY e 'two'>]><r>&e;</r>", "/r[.='one']"),
        ("<!DOCTYPE r [<!ENTITY e 'a&#38;#60;b'>]><r>&e;</r>", "/r[.='a<b']"),
        ("<!DOCTYPE r [<!ENTITY e 'a&lt;b'>]><r>&e;</r>", "/r[.='a<b']"),
        ("<!DOCTYPE r [<!ENTITY e '\"'>]><r a=\"&e;\"/>", "/r[@a='\"']"),
        ("<!DOCTYPE r [<!ENTITY e ''>]><r>&e;&e;</r>", "/r[not(node())]"),
        ("<!DOCTYPE r [<!ENTITY lt 'x'>]><r>&lt;</r>", "/r[.='<']"),
    ])
    func readsTextsOfEntities(body: String, path: String) throws {
        #expect(try accepts(.matchesXPath(path), body: body))
    }

    private static let laughs =
        "<!DOCTYPE r [<!ENTITY l0 'ha'>"
        + (1...9).map { level in
            "<!ENTITY l\(level) '" + String(repeating: "&l\(level - 1);", count: 10) + "'>"
        }.joined() + "]>"

    private static let chain =
        "<!DOCTYPE r [<!ENTITY c0 'x'>"
        + (1...300).map { "<!ENTITY c\($0) '&c\($0 - 1);'>" }.joined() + "]>"

    /// What WireMock refuses, and entities that expand too far.
    @Test(arguments: [
        "\(entities)<r>&zz;</r>", "<!DOCTYPE r [<!ENTITY a '&b;'><!ENTITY b '&a;'>]><r>&a;</r>",
        "<!DOCTYPE r [<!ENTITY a '&b;'><!ENTITY b '&a;'>]><r x='&a;'/>",
        "<!DOCTYPE r [<!ENTITY e '<b>'>]><r>&e;</b></r>",
        "<!DOCTYPE r [<!ENTITY e '</r>'>]><r>&e;", "<!DOCTYPE r [<!ENTITY e '<b/>'>]><r a='&e;'/>",
        "<!DOCTYPE r [<!ENTITY e 'a&#38;b'>]><r>&e;</r>", "<!DOCTYPE r [<!ENTITY % e SYSTEM 'x'>]><r>&e;</r>",
        "<!DOCTYPE r [<!ENTITY e '<b'>]><r>&e;/></r>", "<!DOCTYPE r [<!ENTITY e 'x", "\(laughs)<r>&l9;</r>",
        "\(laughs)<r a='&l9;'/>", "\(entities)<r>&e;</r>&e;", "\(chain)<r>&c300;</r>",
        "<!DOCTYPE r [<!ENTITY e x>]><r/>",
    ])
    func refusesInvalidAndEndlessEntities(body: String) throws {
        #expect(try !accepts(.matchesXPath("/r"), body: body))
    }

    @Test(arguments: [("id('x')", "the function id()"), ("/a/namespace::*", "the namespace axis")])
    func unsupportedPartIsNamedAtLoad(path: String, name: String) throws {
        var request = StubRequest()
        request.body = [.matchesXPath(path)]
        let compiled = try CompiledStubRequest(request)
        #expect(
            compiled.warnings.map(\.message) == [
                """
                expected a supported XPath 1.0 expression, found "\(path)" with \(name); select the nodes without it
                """
            ]
        )
        #expect(!compiled.matches(facts("POST", "/", body: "<a/>")))
    }

    @Test func invalidExpressionAddsWarningAndMatchesNothing() throws {
        var request = StubRequest()
        request.body = [.matchesXPath("/a[")]
        let compiled = try CompiledStubRequest(request)
        #expect(compiled.warnings.map(\.pointer) == ["/request/bodyPatterns/0/matchesXPath"])
        #expect(!compiled.matches(facts("POST", "/", body: "<a/>")))
    }

    @Test func expensiveExpressionIsMismatchAndIsReported() throws {
        var request = StubRequest()
        request.body = [.matchesXPath("//*[count(//*[count(//*) > 0]) = 0]")]
        let body = "<a>" + String(repeating: "<b/>", count: 2000) + "</a>"
        let facts = facts("POST", "/", body: body)
        #expect(try !CompiledStubRequest(request).matches(facts))
        #expect(facts.budget.refusals > 0)
    }

    @Test func deeplyNestedExpressionIsInvalid() throws {
        let path = String(repeating: "(", count: 50_000) + "a"
        #expect(try !accepts(.matchesXPath(path), body: "<a/>"))
    }

    /// Each operator of a chain is a level of the recursion, as a parenthesis is.
    @Test(arguments: ["/a|", "1+", "1=", "1<", "1 or ", "1 and ", "2*"])
    func longChainOfOperatorsIsNotValid(link: String) throws {
        let short = "//a[" + String(repeating: link, count: 256) + "/a]"
        let long = "//a[" + String(repeating: link, count: 257) + "/a]"
        _ = try accepts(.matchesXPath(short), body: "<a/>")
        #expect(try !accepts(.matchesXPath(long), body: "<a/>"))
        #expect(try accepts(.matchesXPath("//a[/a|/a]"), body: "<a/>"))
    }
}
