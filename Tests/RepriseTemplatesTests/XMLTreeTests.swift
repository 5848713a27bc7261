// SPDX-License-Identifier: Apache-2.0

import RepriseTemplates
import Testing

struct XMLTreeTests {
    @Test(arguments: [
        ("<a>1 &amp; 2 &#65;&#x42;</a>", "/a/text()", "1 & 2 AB"),
        ("<?xml version=\"1.0\"?><!-- c --><a/>", "/a", "<a/>\n"),
        ("<a><![CDATA[<b>]]></a>", "/a/text()", "<b>"), ("<a b=\"&lt;\" a=\"1\"/>", "/a", "<a a=\"1\" b=\"&lt;\"/>\n"),
        ("<a><b>1</b><b>2</b></a>", "//b[last()]/text()", "2"), ("<a><b>1</b><c>2</c></a>", "/a/*[2]/text()", "2"),
        ("<a><b i=\"1\">x</b><b i=\"2\">y</b></a>", "/a/b[@i=\"2\"]/text()", "y"),
        ("<a><b><c>1</c></b><b><c>2</c></b></a>", "/a/b[c=\"2\"]/c/text()", "2"),
    ])
    func readsDocument(_ xml: String, _ path: String, _ output: String) throws {
        let template = "{{{xPath (trim '\(xml)') '\(path)'}}}"
        #expect(try Rendering.render(template) == output)
    }

    @Test(arguments: [
        "<a>", "<a></b>", "<a/><b/>", "<a b=1/>", "<a b=\"1\" b=\"2\"/>", "<a>&unknown;</a>", "<a>&#0;</a>", "x<a/>",
        "<1/>",
        "<a", "<!-- ", "<a><![CDATA[</a>", "<a b=\"<\"/>", String(repeating: "<a>", count: 5000),
    ])
    func rejectsXMLThatIsNotWellFormed(_ xml: String) throws {
        #expect(try Rendering.render("{{{xPath '\(xml)' '/a'}}}") == "[ERROR: \(xml) is not valid XML]")
    }
}
