// SPDX-License-Identifier: Apache-2.0

import RepriseTemplates
import Testing

struct ConditionHelpersTests {
    /// What WireMock 2.35.1 answers.
    @Test(arguments: [
        Rendering(
            "{{eq request.query.q '1'}}|{{eq request.query.q.[0] '1'}}|{{eq request.query.q.0 '1'}}|{{eq request.method 'POST'}}|{{#eq request.method 'POST'}}Y{{else}}N{{/eq}}|{{eq request.path '/t'}}|{{eq request.url '/t'}}|{{eq request.headers.X-One 'solo'}}|{{eq request.cookies.sid 'abc'}}|{{eq request.body 'x'}}|{{eq request.host '127.0.0.1'}}",
            "false|true|true|false|N|false|false|false|false|false|true"
        ),
        Rendering(
            "{{#if (eq request.method 'POST')}}a{{/if}}|{{#eq request.pathSegments.[0] 't'}}seg{{/eq}}",
            "|seg"
        ),
        Rendering(
            "{{eq 1 1}}|{{eq 1 '1'}}|{{eq 'a' 'a' yes='Y' no='N'}}|{{neq 1 2}}|{{gt 2 1}}|{{gt '10' '9'}}|{{lt 1 2}}|{{gte 2 2}}|{{lte 3 2}}|{{and true false}}|{{or '' 'x'}}|{{not true}}|{{and 1 'a'}}|{{not ''}}|{{not 0}}|{{isEven 4}}|{{isOdd 4}}|{{isOdd 3}}|{{isEven 3}}|{{#stripes 2}}{{/stripes}}",
            "true|false|Y|true|true|false|true|true|false|false|true|false|true|true|true|even||odd||even"
        ),
        Rendering("{{#if (isEven 3)}}E{{else if (isOdd 3)}}O{{else}}N{{/if}}", "O"),
        Rendering(
            "{{#stripes 2}}{{/stripes}}|{{isEven 2 'e'}}|{{isOdd 3 'o'}}|{{isEven 3 'e'}}|{{#each (array 1 2)}}{{isEven @index}}{{/each}}|{{stripes 2}}|{{stripes 1 'a' 'b'}}|{{stripes 2 'a' 'b'}}",
            "even|e|o||even|even|b|a"
        ),
        Rendering(
            "{{#if 1}}a{{^}}b{{/if}}|{{#if 0}}a{{^}}b{{/if}}|{{#unless 0}}a{{else}}b{{/unless}}|{{#if (array)}}a{{else if ''}}b{{else unless 1}}c{{else eq 1 1}}d{{else}}e{{/if}}",
            "a|b|a|d"
        ),
        Rendering(
            "{{and}}|{{or}}|{{not}}|{{and 'a'}}|{{and 1 1 1 yes='Y' no='N'}}|{{or 0 '' 'z' yes='Y'}}|{{or 'x' 'y'}}|{{not 'a' yes='Y' no='N'}}",
            "true|true|false|true|Y|Y|true|N"
        ),
        Rendering("{{gt 1.5 1}}", "true"),
        Rendering("{{gt request.query.q.0 '1'}}|{{gte 'a' 'a'}}|{{lt 'a' 'b'}}|{{lte 1 1}}", "false|true|true|true"),
        Rendering("{{#eq request.query.q.0 '1'}}Y{{/eq}}|{{#eq request.query.q '1'}}Y{{/eq}}", "Y|"),
        Rendering("{{isEven 'x'}}", ""),
        Rendering("{{isOdd 1.5}}", "odd"),
        Rendering("{{isEven 2 yes='a'}}|{{#isEven 2}}blk{{/isEven}}", "even|even"),
    ])
    func comparesValues(_ rendering: Rendering) throws {
        #expect(try rendering.rendered() == rendering.output)
    }

    @Test(arguments: [
        Rendering(
            "{{lt 'a' 'ab'}}|{{gt 'ab' 'a'}}|{{lte 'ab' 'a'}}|{{gte '' ''}}|{{lt 'B' 'a'}}",
            "true|true|false|true|true"
        ),
        Rendering("{{gt true false}}|{{lt true false}}|{{gte false false}}|{{lt false true}}", "true|false|true|true"),
        Rendering(
            "{{lt -2 -1}}|{{gt -1.5 -1}}|{{lte 2 2}}|{{gt 2 2}}|{{lt 2 2}}|{{gte 1 2}}",
            "true|false|true|false|false|false"
        ),
        Rendering(
            "{{gt (parseDate '2020-01-02T00:00:00Z') (parseDate '2020-01-01T00:00:00Z')}}|{{lt (now) (now)}}|{{lte (now) (now)}}",
            "true|false|true"
        ),
        Rendering("{{isOdd -3}}|{{isEven -2}}|{{isEven -3}}|{{isOdd 0}}|{{isEven 0}}", "odd|even|||even"),
        Rendering("{{stripes 1}}|{{stripes 2 'a'}}|{{stripes 1 'a'}}|{{stripes 'x'}}", "odd|a|odd|"),
        Rendering(
            "{{eq 1 2}}|{{neq 1 1}}|{{eq null}}|{{eq true 'true'}}|{{eq -1 -1.0}}",
            "false|false|true|false|true"
        ),
    ])
    func ordersValuesOfOneKind(_ rendering: Rendering) throws {
        #expect(try rendering.rendered() == rendering.output)
    }
}
