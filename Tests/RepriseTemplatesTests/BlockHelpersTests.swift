// SPDX-License-Identifier: Apache-2.0

import RepriseTemplates
import Testing

struct BlockHelpersTests {
    /// What WireMock 2.35.1 answers.
    @Test(arguments: [
        Rendering("{{#unknown}}B{{/unknown}}|{{#unknown}}B{{else}}E{{/unknown}}", "|E"),
        Rendering("{{#each request.headers.X-Two as |h|}}<{{h}}>{{/each}}", "<one><two>"),
        Rendering(
            "{{#each request.headers}}{{@key}}={{this}};{{/each}}",
            "Content-Length=115;Cookie=sid&#x3D;abc; theme&#x3D;dark;Host=127.0.0.1:39765;X-One=solo;X-Two=one;"
        ),
        Rendering("{{#each request.query}}{{@key}}={{this}};{{/each}}", "q=1;e=;s=a b+c;"),
        Rendering(
            "{{#each (array 1 2 3) as |v i|}}{{i}}={{v}} {{/each}}|{{#each (array)}}x{{else}}none{{/each}}|{{#each request.query.none}}x{{else}}none{{/each}}|{{#each (array 1 2)}}{{#each (array 'a' 'b')}}{{@../index}}{{@index}}{{this}}{{../this}} {{/each}}{{/each}}|{{#each (array 1 2 3)}}{{this}}{{#unless @last}},{{/unless}}{{/each}}|{{#each (array 1 2 3)}}{{@index_1}}{{/each}}",
            "0=1 1=2 2=3 |none|none|00a1 01b1 10a2 11b2 |1,2,3|123"
        ),
        Rendering(
            "{{! comment }}a{{!-- comment }} --}}b|  {{~ request.method ~}}  |x {{~#if true ~}} y {{~/if~}} z",
            "ab|POST|xy z"
        ),
        Rendering(
            "line1\n{{#if true}}\nin\n{{/if}}\nline2\n  {{#each (array 1 2)}}\n  i{{this}}\n  {{/each}}\nend",
            "line1\n\nin\n\nline2\n  \n  i1\n  \n  i2\n  \nend"
        ),
        Rendering("line1\n{{! c }}\nline2\n{{#if false}}\nx\n{{else}}\ny\n{{/if}}\n", "line1\n\nline2\n\ny\n\n"),
        Rendering("{{{{if true}}}}a{{b}}{{{{/if}}}}", "a{{b}}"),
        Rendering(
            "{{log 'hi'}}|{{lookup request.headers 'X-One'}}|{{lookup request.query 'q'}}|[{{lookup request.query 'zz'}}]|{{lookup (array 'a' 'b') 1}}|{{lookup (array 'a') 5}}|{{lookup request 'method'}}",
            "|solo|1|[{q&#x3D;1, e&#x3D;, s&#x3D;a b+c}]|b|[a]|POST"
        ),
        Rendering(
            "{{#with request}}{{method}}{{../request.method}}{{/with}}|{{#with request.none}}a{{else}}b{{/with}}|{{@root.request.method}}",
            "POSTPOST|b|POST"
        ),
        Rendering("{{#if}}x{{/if}}", "x"),
        Rendering("{{#with request as |r|}}{{r.method}}{{/with}}", "POST"),
        Rendering(
            "{{#each (array 1 2)}}{{#if true}}{{../request.method}}{{/if}}{{/each}}|{{#each (array 1 2)}}{{#if true}}{{this}}{{/if}}{{/each}}",
            "POSTPOST|12"
        ),
        Rendering(
            "{{#each (array 1 2) as |x|}}{{x}}{{this}}{{../request.method}}{{@index}}{{/each}}",
            "11POST022POST1"
        ),
        Rendering(
            "{{#request.query.q}}<{{this}}>{{/request.query.q}}|{{#request}}{{method}}{{/request}}|{{^request.query.zz}}none{{/request.query.zz}}|{{#request.query.zz}}a{{^}}b{{/request.query.zz}}",
            "<1><2>|POST|none|b"
        ),
        Rendering(
            "{{lookup (array 1 2) '1'}}|{{lookup parameters 'x'}}|{{lookup request.headers 'x-one'}}|{{lookup request.query.q 1}}",
            "2|{}|solo|2"
        ),
        Rendering(
            "{{#each (array 'a' 'b')}}{{#each (array 'c')}}{{@../index}}{{../this}}{{../../request.method}}{{@root.request.method}}{{request.method}}{{/each}}{{/each}}",
            "0aPOSTPOSTPOST1bPOSTPOSTPOST"
        ),
        Rendering("{{#if 'x' includeZero=true}}a{{/if}}|{{#if 0 includeZero=true}}a{{else}}b{{/if}}", "a|b"),
        Rendering(
            "{{#with 'x'}}{{this}}{{/with}}|{{#with ''}}a{{else}}b{{/with}}|{{#with 0}}a{{else}}b{{/with}}",
            "x|b|b"
        ),
        Rendering("{{with request}}|{{if true}}|{{each request.query.q}}|{{unless false}}|{{if 'a' 'b'}}", "||||"),
        Rendering(
            "{{#each request.query.q}}{{.}}{{@index}}{{/each}}|{{#each request.pathSegments}}{{this}}{{/each}}|{{#each request.cookies}}{{@key}}={{this}},{{/each}}",
            "1021|t|sid=abc,theme=dark,"
        ),
        Rendering(
            "{{#assign 'a'}}1{{/assign}}{{#each (array 1)}}{{a}}{{#assign 'a'}}2{{/assign}}{{/each}}{{a}}|{{@a}}|{{#with request}}{{a}}{{/with}}",
            "12|2|2"
        ),
        Rendering("{{#assign ''}}x{{/assign}}", ""),
        Rendering("{{array (array 1 2) (array)}}|{{array request.query.q}}", "[[1, 2], []]|[1]"),
        Rendering("{{#assign 'y'}}b{{request.method}}{{/assign}}[{{y}}]", "[bPOST]"),
    ])
    func rendersBlocks(_ rendering: Rendering) throws {
        #expect(try rendering.rendered() == rendering.output)
    }
}
