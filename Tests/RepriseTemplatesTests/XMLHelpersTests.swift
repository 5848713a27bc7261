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
    ])
    func selectsNodes(_ rendering: Rendering) throws {
        #expect(try rendering.rendered() == rendering.output)
    }
}
