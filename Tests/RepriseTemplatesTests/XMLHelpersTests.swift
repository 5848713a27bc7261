// SPDX-License-Identifier: Apache-2.0

import RepriseTemplates
import Testing

struct XMLHelpersTests {
    /// What WireMock 2.35.1 answers.
    @Test(arguments: [
        Rendering(
            "{{#each (xPath '<a><b>1</b><b>2</b></a>' '/a/b') as |n|}}{{n}};{{{n.text}}},{{n.name}},{{n.attributes.x}}{{/each}}",
            "&lt;b&gt;1&lt;/b&gt;\n;1,b,&lt;b&gt;2&lt;/b&gt;\n;2,b,"
        ),
        Rendering(
            "{{#each (xPath '<a><b id=\"i1\">1</b><b>2</b></a>' '/a/b/text()') as |n|}}{{n}};{{/each}}",
            "1;2;"
        ),
        Rendering(
            "{{soapXPath '<s:Envelope xmlns:s=\"http://www.w3.org/2003/05/soap-envelope\"><s:Body><m:a xmlns:m=\"https://x\">ok</m:a></s:Body></s:Envelope>' '/a/text()'}}",
            "ok"
        ),
        Rendering("{{#each (xPath '<a><b>1</b><b>2</b></a>' '/a/b') as |n|}}{{n.text}},{{/each}}", "1,2,"),
        Rendering(
            "{{xPath '<a xmlns=\"u\"><b>1</b></a>' '/a/b/text()'}}|{{xPath '<a><b c=\"2\">1</b></a>' '/a/b[@c=\"2\"]/text()'}}|{{xPath '<a><b c=\"2\">1</b></a>' '//b/@c'}}",
            "1|1|2"
        ),
        Rendering("{{size (xPath '<a><b>1</b><b>2</b></a>' '/a/b')}}", "2"),
        Rendering("{{xPath '<a><b>1</b><b z=\"2\">2</b></a>' '/a/b[position()=2]/text()'}}", "2"),
        Rendering("{{xPath '<a><b>1</b><b z=\"2\">2</b></a>' '//b[not(@z)]/text()'}}", "1"),
        Rendering("{{xPath '<a><b>1</b><b z=\"2\">2</b></a>' '//b[@z>1]/text()'}}", "2"),
        Rendering("{{xPath '<a><b>1</b><c>2</c></a>' '/a/c | /a/child::b'}}", "&lt;b&gt;1&lt;/b&gt;\n"),
        Rendering("{{xPath '<a/>' 'count(/a)'}}", "[ERROR: count(/a) is not a valid XPath expression]"),
        Rendering("{{{xPath '<a><b>1</b>x<c/></a>' '/a'}}}", "<a>\n  <b>1</b>\n  x\n  <c/>\n</a>\n"),
        Rendering("{{xPath '<!--c--><a/><?p d?>' '/comment()'}}", "[#comment: c]"),
        Rendering("{{xPath '<!--c--><a/><?p d?>' '//processing-instruction()'}}", "[p: d]"),
        Rendering("{{xPath '<!DOCTYPE a SYSTEM \"x.dtd\"><a>1</a>' '/a/text()'}}", "1"),
        Rendering("{{xPath '<s:E xmlns:s=\"u\"><s:B>1</s:B></s:E>' '/E/B/text()'}}", "1"),
        Rendering("{{#each (xPath '<a><b>1</b><b>2</b></a>' '/a/b') as |n|}}{{n.text}}{{/each}}", "12"),
        Rendering("{{xPath request.none '/a'}}", "[ERROR: null is not valid XML]"),
        Rendering("{{xPath '<a/>' ''}}", "[ERROR:  is not a valid XPath expression]"),
        Rendering(
            "{{{xPath '<a z=\"1\" b=\"2\" xmlns:q=\"u\" q:c=\"3\"/>' '/a'}}}",
            "<a xmlns:q=\"u\" b=\"2\" q:c=\"3\" z=\"1\"/>\n"
        ),
    ])
    func selectsNodes(_ rendering: Rendering) throws {
        #expect(try rendering.rendered() == rendering.output)
    }

    @Test(arguments: [
        Rendering("{{{formatXml '<a> <b>1</b> <!--c--> </a>'}}}", "<a>\n  <b>1</b>\n  <!--c-->\n</a>\n"),
        Rendering("{{{formatXml '<a> <b>1</b> </a>' format='compact'}}}", "<a><b>1</b></a>"),
        Rendering("{{formatXml '<a>'}}", "[ERROR: Input is not valid XML]"),
    ])
    func formatsDocuments(_ rendering: Rendering) throws {
        #expect(try rendering.rendered() == rendering.output)
    }
}
