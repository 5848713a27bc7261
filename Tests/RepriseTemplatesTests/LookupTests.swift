// SPDX-License-Identifier: Apache-2.0

import RepriseTemplates
import RepriseText
import Testing

/// What the names in a path find in each kind of value.
@Suite struct LookupTests {
    @Test(arguments: [
        Rendering("{{#assign 'v'}}abc{{/assign}}{{v.length}},{{v.empty}},{{v.other}}", "3,false,"),
        Rendering("{{#assign 'v'}}{{/assign}}{{v.length}},{{v.empty}}", "0,true"),
        Rendering(
            "{{request.query.q.0}},{{request.query.q.[1]}},{{request.query.q.[2]}},{{request.query.q.[-1]}},{{request.query.q.[-2]}}",
            "1,2,,1,"
        ),
        Rendering(
            "{{request.query.q.size}},{{request.query.q.length}},{{request.query.q.empty}},{{request.query.q.first}},{{request.query.q.last}}",
            "2,2,false,1,2"
        ),
        Rendering("{{request.query.size}},{{request.cookies.size}},{{request.query.none.size}}", "3,2,"),
        Rendering(
            "{{#with (jsonPath request.body '$.arr')}}{{size}},{{first}},{{last}},{{this.[0]}},{{this.[2]}},{{this.[3]}},{{this.[-1]}},{{empty}}{{/with}}",
            "3,p,r,p,r,,,false"
        ),
        Rendering(
            "{{#with (array 'x' 'y')}}{{size}},{{first}},{{last}},{{this.[1]}},{{this.[2]}}{{/with}}",
            "2,x,y,y,"
        ),
        Rendering(
            "{{#each (array 'a' 'b' 'c')}}{{@index}}{{@index_1}}{{@first}}{{@last}}{{@odd}}{{@even}};{{/each}}",
            "01firsteven;12odd;23lasteven;"
        ),
        Rendering("{{#arrayJoin ',' (array 1 2) as |v w|}}{{v}}[{{w}}]{{/arrayJoin}}", "1[],2[]"),
    ])
    func findsWhatValueHas(_ rendering: Rendering) throws {
        #expect(try rendering.rendered() == rendering.output)
    }

    @Test(arguments: [
        Rendering(
            "{{ request.method }}|{{{ request.method }}}|{{#if request.method }}a{{ else }}b{{/if }}",
            "POST|POST|a"
        ),
        Rendering("{{#if false }}a{{ else if true }}b{{/if }}|{{trim ' a ' }}", "b|a"),
        Rendering("a }}{{request.method}}", "a }}POST"), Rendering("}}", "}}"),
        Rendering("{{request.method}} }}", "POST }}"),
        Rendering("{{abbreviate 'abcdef' 4}}|{{abbreviate 'abcd' 4}}|{{abbreviate 'abcdef' 5}}", "a...|abcd|ab..."),
        Rendering(
            "{{{stripTags '<b>a</b> < c'}}}|{{{stripTags 'a > b'}}}|{{{stripTags '<a'}}}|{{stripTags 'x<i>y'}}",
            "a < c|a > b|<a|xy"
        ),
    ])
    func whitespaceAndMarksAreText(_ rendering: Rendering) throws {
        #expect(try rendering.rendered() == rendering.output)
    }

    /// From the 17th name on, the names are found in another way.
    @Test(arguments: [1, 15, 16, 17, 18, 40])
    func manyNamesKeepAllValues(count: Int) throws {
        let pairs = (1...count).map { "n\($0)=a\($0)" } + (1...count).map { "n\($0)=b\($0)" }
        let request = TemplateRequest(method: "GET", url: "/t?\(pairs.joined(separator: "&"))", host: "x", port: 1)
        let context = TemplateContext(
            request: request,
            now: 0,
            timeZone: Rendering.context.timeZone,
            seed: 7,
            hostname: "x"
        )
        let text = try Rendering.render(
            "{{request.query.n\(count)}},{{request.query.n\(count).[1]}},{{request.query.size}}",
            context
        )
        #expect(text == "a\(count),b\(count),\(count)")
    }
}
