// SPDX-License-Identifier: Apache-2.0

import RepriseTemplates
import Testing

struct TagTests {
    @Test(arguments: [
        Rendering(
            "{{request.method}} {{ request.url }}",
            "POST /t?q&#x3D;1&amp;q&#x3D;2&amp;e&#x3D;&amp;s&#x3D;a%20b%2Bc"
        ),
        Rendering("{{{request.url}}}|{{&request.url}}", "/t?q=1&q=2&e=&s=a%20b%2Bc|/t?q=1&q=2&e=&s=a%20b%2Bc"),
        Rendering("{{request.method}}{{! a }}{{!-- b }} c --}}{{!--x--}}{{request.method}}", "POSTPOST"),
        Rendering("a {{request.method~}} \n \n b {{~request.method}}  c {{request.method}} ", "a POSTbPOST  c POST "),
        Rendering("{{request.method}}A\\{{x}}B\\\\{{y}}C\\\\\\{{z}}D", "POSTA{{x}}B\\{{y}}C\\\\{{z}}D"),
        Rendering("{{{{if true}}}}a{{b}}{{{{/if}}}}", "a{{b}}"),
        Rendering("line\n{{#if true}}\nin\n{{/if}}\nend", "line\n\nin\n\nend"),
        Rendering("{{#if true}}a{{/ if}}", "a"), Rendering("{{^request.none}}b{{/request.none}}", "b"),
        Rendering("{{^ request.none}}b{{/request.none}}", "b"), Rendering("{{#if false}}a{{^ }}c{{/if}}", "c"),
        Rendering("{{& request.method}}", "POST"),
        Rendering("{{!-- a ---}}x|{{!-- a ----~}}  y{{!}}", "x|y"),
        Rendering("{{!-- a -- b --- c }} --}}|{{!-- -- -- ~--~}} x|{{!----}}y|{{!--~}} --}}z", "|x|y|z"),
        Rendering("{{!}}a {{~! b ~}} c|{{!~}} d|{{!}}e|{{! f~g }}h", "ac|d|e|h"),
        Rendering(
            "{{{request.method~}}} a|{{~{request.method}~}} b|{{~#if true~}} c {{~/if~}} d{{!}}",
            "POSTa|POSTb|cd"
        ),
        Rendering("{{#if false}}a{{else~}} b{{/if}}|{{#if true}}{{elsewhere}}c{{/if}}", "b|c"),
    ])
    func printsValuesAndText(_ rendering: Rendering) throws {
        #expect(try rendering.rendered() == rendering.output)
    }

    @Test(arguments: ["", "plain", "{{", "{{request.method", "}}", "}} {{", "{ {x} }"])
    func keepsTextWithoutTags(_ text: String) throws {
        let template = try Template(compiling: text)
        #expect(template.isPlain)
        #expect(try Rendering.render(text) == text)
    }

    @Test(arguments: [("{{! a }}", ""), ("{{! a }}\\{{b}}", "{{b}}"), ("a{{! b }}", "a")])
    func templateOfCommentsIsNotPlain(_ text: String, _ output: String) throws {
        #expect(try !Template(compiling: text).isPlain)
        #expect(try Rendering.render(text) == output)
    }

    @Test(arguments: [
        ("{{}}", "1:3: expected a name, found '}}'"),
        ("a\n{{#if true}}x}}", "2:1: expected {{/if}}, found the end of the template; close the block"),
        ("{{#if a}}x{{/each}}", "1:11: expected {{/if}}, found {{/each}}; close the blocks in order"),
        ("{{/if}}", "1:1: expected no {{/if}}, because no block is open; remove it or open the block"),
        ("{{trim 'a}}", "1:8: expected the closing quote of a string, found the end of the template"),
        ("{{> part}}", "1:1: expected a value or a block, found '{{>': partials are not supported"),
        ("{{true}}", "1:3: expected a name, found 'true'; write the text without braces"),
        ("{{request.url as |x|}}", "1:1: expected block parameters in a block only"),
        ("{{=<% %>=}}", "1:1: expected a value or a block, found '{{=<%': other delimiters are not supported"),
        ("{{#> part}}{{/part}}", "1:1: expected a value or a block, found '{{#>': partials are not supported"),
        (
            "{{#*inline}}{{/inline}}",
            "1:1: expected a value or a block, found '{{#*inline}}{{/inlin': partials are not supported"
        ),
        ("a{{!-- b -- }} c", "1:2: expected '--}}', found the end of the template"),
        ("a{{!-- b }} c", "1:2: expected the end of the comment, found the end of the template"),
        ("{{math 1e2 '+' 1}}", "1:8: expected a number such as 5 or 1.5, found '1e2'; quote other text"),
    ])
    func locatesInvalidTags(_ text: String, _ problem: String) {
        let error = #expect(throws: TemplateProblem.self) { try Template(compiling: text) }
        #expect(error?.description == problem)
    }
}
