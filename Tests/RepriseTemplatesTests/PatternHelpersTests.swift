// SPDX-License-Identifier: Apache-2.0

import RepriseTemplates
import Testing

struct PatternHelpersTests {
    /// What WireMock 2.35.1 answers.
    @Test(arguments: [
        Rendering(
            "{{regexExtract 'abc-123' '[0-9]+'}}|{{regexExtract 'abc-123' '([a-z]+)-([0-9]+)' 'parts'}}{{parts.0}},{{parts.1}}|[{{regexExtract 'abc' '[0-9]+'}}]|[{{regexExtract 'abc' '[0-9]+' default='none'}}]",
            "123|abc,123|[[ERROR: Nothing matched [0-9]+]]|[none]"
        ),
        Rendering("{{regexExtract 'abc-123' '([a-z]+)-([0-9]+)'}}", "abc-123"),
        Rendering("{{regexExtract '{a}' '[^{}]+}'}}|{{matches '{a}' '\\{a}'}}", "a}|true"),
        Rendering(
            "{{contains 'a'}}|{{matches 'a'}}|{{truncateDate (now)}}",
            "[ERROR: You must specify the string or array to be matched and the regular expression]|"
                + "[ERROR: You must specify the string to be matched and the regular expression]|"
                + "[ERROR: Truncation type must be specified as the first parameter to truncateDate]"
        ),
        // A quotation needs no end.
        Rendering("{{matches 'a(' '\\Qa('}}|{{regexExtract 'ba(' '\\Qa('}}", "true|a("),
        Rendering("{{regexExtract 'abc' '('}}", "[ERROR: Invalid regex string (]"),
        Rendering("{{regexExtract request.body '\"b\":\"(.*?)\"'}}", "&quot;b&quot;:&quot;x&quot;"),
        Rendering(
            "{{matches 'abc123' '[a-z]+[0-9]+'}}|{{matches 'abc' 'b'}}|{{#if (matches 'abc' '^a.*')}}Y{{else}}N{{/if}}|{{#matches 'abc' 'abc'}}blk{{/matches}}|{{#matches 'abc' 'x'}}blk{{else}}inv{{/matches}}",
            "true|false|Y|blk|"
        ),
        Rendering(
            "{{contains 'abcde' 'bcd'}}|{{contains 'abc' 'x'}}|{{contains (array 'a' 'b') 'b'}}|{{#contains 'abc' 'b'}}Y{{else}}N{{/contains}}|{{contains request.headers.X-Two 'two'}}|{{contains null 'x'}}",
            "true|false|true|Y|true|false"
        ),
        Rendering(
            "{{#contains 'abc' 'z'}}Y{{else}}N{{/contains}}|{{#matches 'abc' 'b'}}Y{{else}}N{{/matches}}|{{#gt 1 2}}a{{else}}b{{/gt}}|{{#and 1 0}}a{{else}}b{{/and}}|{{#not 1}}a{{else}}b{{/not}}",
            "||b|b|b"
        ),
        Rendering(
            "{{regexExtract 'a1b2' '([a-z])([0-9])' 'p'}}{{p}}|{{p.[1]}}|{{#each p}}{{this}}{{/each}}",
            "a|1|a1b2"
        ),
        Rendering(
            "{{regexExtract 'xyz' '([0-9])' 'p'}}|{{regexExtract 'xyz' '([0-9])' 'p' default='d'}}|{{p}}",
            "[ERROR: Nothing matched ([0-9])]|d|"
        ),
        Rendering("{{contains 'a' null}}", "false"),
        Rendering("{{contains request.headers 'X-One'}}", "true"),
        Rendering("{{contains request.method 'POST'}}", "true"),
        Rendering(
            "{{#contains request.body 'b'}}Y{{/contains}}|{{#matches request.url '.*q=1.*'}}Y{{/matches}}|{{#if (contains request.body 'zzz')}}a{{else}}b{{/if}}",
            "Y|Y|b"
        ),
        Rendering(
            "{{regexExtract 'ABC' '(?i)abc'}}|{{regexExtract 'a\nb' 'a.b'}}|{{regexExtract request.query.q '.'}}|{{regexExtract 'aXbX' 'X'}}",
            "ABC|[ERROR: Nothing matched a.b]|1|X"
        ),
        Rendering("{{regexExtract 'abc' '(x)?abc' 'g'}}[{{g.0}}]", "[]"),
        Rendering("{{regexExtract 'abc' 'abc' 'g'}}[{{g.0}}]", "[ERROR: Nothing matched abc][]"),
        Rendering("{{regexExtract 'abc' 'abc' 'g'}}[{{g}}]", "[ERROR: Nothing matched abc][]"),
    ])
    func searchesStrings(_ rendering: Rendering) throws {
        #expect(try rendering.rendered() == rendering.output)
    }
}
