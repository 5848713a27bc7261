// SPDX-License-Identifier: Apache-2.0

import Foundation
import RepriseTemplates
import Testing

struct TemplateLimitTests {
    private static let context: TemplateContext = {
        var context = Rendering.context
        context.limits = TemplateContext.Limits(steps: 100_000, outputBytes: 100_000)
        return context
    }()

    @Test(arguments: [
        "{{range 1 1000000000}}",
        "{{range -9223372036854775808 9223372036854775807}}",
        "{{#each (range 1 99000)}}{{#each (range 1 99000)}}x{{/each}}{{/each}}",
        "{{center 'a' size=1000000000}}",
        "{{randomValue length=1000000000}}",
        "{{stringFormat '%99999999d' 1}}",
        "{{matches 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab' '(a+)+c'}}",
        "{{replace (center 'a' size=90000) ' ' (center 'b' size=90000)}}",
        "{{#assign 'a'}}0123456789{{/assign}}"
            + String(repeating: "{{#assign 'a'}}{{a}}{{a}}{{/assign}}", count: 40) + "{{a}}",
        "{{val '0123456789' assign='a'}}{{#each (range 1 60)}}{{val (join a a '') assign='a'}}{{/each}}",
        "{{val '0123456789' assign='a'}}{{#each (range 1 60)}}{{val (arrayJoin '' (array a a)) assign='a'}}{{/each}}",
        "{{val '0123456789' assign='a'}}{{#each (range 1 60)}}{{val (base64 a) assign='a'}}{{/each}}",
        String(repeating: "{{#with (array this this)}}", count: 60) + "{{this}}"
            + String(repeating: "{{/with}}", count: 60),
    ])
    func stopsAtLimit(_ template: String) {
        #expect(throws: TemplateFailure.self) { try Rendering.render(template, Self.context) }
    }

    @Test func eachNameOfFormCounts() throws {
        var context = Rendering.context
        context.limits = TemplateContext.Limits(steps: 50)
        let form = (1...60).map { "a\($0)=1" }.joined(separator: "&")
        #expect(throws: TemplateFailure.self) { try Rendering.render("{{formData '\(form)' 'f'}}", context) }
        #expect(try Rendering.render("{{formData 'a=1' 'f'}}{{f.a}}", context) == "1")
    }

    /// A helper takes steps for what it makes.
    @Test(
        arguments: [
            ("{{center 'a' size=60}}", "{{center 'a' size=20}}"), ("{{ljust 'a' size=60}}", "{{ljust 'a' size=20}}"),
            ("{{range 1 60}}", "{{range 1 5}}"), ("{{wordWrap request.body 60}}", "{{wordWrap 'a b' 60}}"),
            ("{{randomValue length=3200}}", "{{randomValue length=640}}"),
            ("{{#each (jsonPath request.body '$')}}x{{/each}}", "{{#each (array 1 2)}}x{{/each}}"),
            ("{{size (arrayAdd (jsonPath request.body '$') 1)}}", "{{size (arrayAdd (array 1) 1)}}"),
            ("{{xPath '<a>\(String(repeating: "x", count: 900))</a>' '/a'}}", "{{xPath '<a/>' '/a'}}"),
        ] as [(String, String)]
    )
    func workOfHelperCounts(long: String, short: String) throws {
        var context = Rendering.context
        context.request.body = Array(("[" + (1...60).map(String.init).joined(separator: ", ") + "]").utf8)
        context.limits = TemplateContext.Limits(steps: 50)
        #expect(throws: TemplateFailure.self) { try Rendering.render(long, context) }
        #expect(throws: Never.self) { try Rendering.render(short, context) }
    }

    @Test func rejectsDeepNesting() {
        let template = String(repeating: "{{#if a}}", count: 5000) + String(repeating: "{{/if}}", count: 5000)
        #expect(throws: TemplateProblem.self) { try Template(compiling: template) }
        let calls =
            "{{trim " + String(repeating: "(trim ", count: 5000) + "'a'" + String(repeating: ")", count: 5000) + "}}"
        #expect(throws: TemplateProblem.self) { try Template(compiling: calls) }
    }

    @Test(arguments: [(128, true), (129, false)]) func nestingIsBounded(depth: Int, isAccepted: Bool) {
        let blocks = String(repeating: "{{#if a}}", count: depth) + String(repeating: "{{/if}}", count: depth)
        let calls =
            "{{trim " + String(repeating: "(trim ", count: depth) + "'a'" + String(repeating: ")", count: depth) + "}}"
        let chain = "{{#if a}}" + String(repeating: "{{else if a}}", count: depth - 1) + "{{/if}}"
        // One call may follow the other.
        let sequence = String(repeating: "{{#if a}}{{trim (trim 'a')}}{{/if}}", count: depth)
        for text in [blocks, calls, chain] { #expect(((try? Template(compiling: text)) != nil) == isAccepted) }
        #expect(throws: Never.self) { try Template(compiling: sequence) }
    }

    @Test func defaultLimits() {
        let limits = TemplateContext.Limits()
        #expect(limits.steps == 2_000_000 && limits.outputBytes == 67_108_864)
        #expect(TemplateContext.unitsPerStep == 40)
        let request = TemplateRequest(method: "GET", url: "/", host: "h", port: 80)
        let context = TemplateContext(request: request, now: 0)
        #expect(context.seed == nil && context.hostname == "localhost" && context.permittedSystemKeys == ["wiremock.*"])
        #expect(context.environment("HOME") == nil && context.originalRequest == nil)
        #expect(context.timeZone == .current && request.scheme == "http" && request.parts().isEmpty)
    }

    /// The output of a template is at most as long as the limit.
    @Test(arguments: [(10, true), (11, false)]) func lengthOfOutputIsBounded(count: Int, isAccepted: Bool) {
        var context = Rendering.context
        context.limits = TemplateContext.Limits(outputBytes: 10)
        let half = String(repeating: "x", count: count - 5)
        for text in [
            "{{trim 'abcde'}}\(half)", "{{ljust 'a' size=\(count)}}", "{{randomValue length=\(count)}}",
            "{{replace 'aaaaa' 'aaaaa' '\(half)'}}{{trim 'abcde'}}", "{{join 'abcde' '\(half)' ''}}",
        ] {
            #expect(((try? Rendering.render(text, context)) != nil) == isAccepted, "\(text)")
        }
    }

    @Test(arguments: [
        ("999999999 seconds", true), ("1000000000 seconds", false), ("-999999999 seconds", true),
        ("-1000000000 seconds", false), ("999999 months", true), ("1000000 months", false), ("999999 years", true),
        ("1000000 years", false), ("-999999 years", true), ("-1000000 years", false), ("999999999 minutes", true),
        ("now +3 days", true), ("NOW 3 DAYS", true), ("then 3 days", false), ("now now 3 days", false), ("3", false),
        ("now 3", false), ("3 weeks", false), ("three days", false), ("", false),
    ])
    func offsetsOfDatesAreBounded(offset: String, isAccepted: Bool) {
        let text = try? Rendering.render("{{now offset='\(offset)' format='yyyy'}}")
        #expect((text != nil) == isAccepted)
    }

    @Test func randomValueCanBeLong() throws {
        let text = try Rendering.render("{{randomValue length=3670016 type='NUMERIC'}}")
        #expect(text.utf8.count == 3_670_016)
        #expect(throws: TemplateFailure.self) { try Rendering.render("{{randomValue length=70000000}}") }
        #expect(throws: TemplateFailure.self) { try Rendering.render("{{randomValue length=9223372036854775807}}") }
    }

    @Test func picksSeveralRandomValues() throws {
        let text = try Rendering.render("{{#each (pickRandom (range 1 9) count=4)}}{{this}},{{/each}}")
        let picked = text.split(separator: ",")
        #expect(
            picked.count == 4 && Set(picked).isSubset(of: Set((1...9).map { Substring("\($0)") }))
                && Set(picked).count == 4
        )
        #expect(try Rendering.render("{{size (pickRandom 1 2 count=5)}}") == "2")
    }

    @Test func expandsEntitiesButNotWithoutEnd() throws {
        #expect(try Rendering.render("{{{xPath '<!DOCTYPE a [<!ENTITY e \"x\">]><a>&e;</a>' '/a/text()'}}}") == "x")
        let document = "<!DOCTYPE a [<!ENTITY e \"&e;\">]><a>&e;</a>"
        let output = try Rendering.render("{{{xPath '\(document)' '/a'}}}")
        #expect(output == "[ERROR: \(document) is not valid XML]")
    }

    @Test(arguments: [
        "{{unknown 'x'}}", "{{#if false}}{{unknown 'x'}}{{/if}}", "{{math 1 '/' 0}}", "{{now offset='1 weeks'}}",
        "{{now format='qqq'}}", "{{range 3 1}}", "{{parseJson 'nope'}}", "{{now timezone='Nowhere'}}",
        "{{substring 'hello' 3 99}}", "{{gt 'b' 1}}", "{{array 1 request.query.none}}",
        "{{numberFormat 4.5 '0.0' '\u{FFFD}?g'}}", "{{numberFormat 4.5 '0.0' ''}}", "{{abbreviate 'abcdef' 3}}",
        "{{matches 'ab' 'a)(b'}}",
    ])
    func failsAsInWireMock(_ template: String) {
        #expect(throws: TemplateFailure.self) { try Rendering.render(template) }
    }

    @Test(arguments: [
        ("{{nwo 'x'}}", "1:3: expected a helper, found 'nwo'"), ("{{no 'x'}}", "1:3: expected a helper, found 'no'"),
        ("{{NOW 'x'}}", "1:3: expected a helper, found 'NOW'; did you mean 'now'?"),
        ("{{mat 1 '+' 2}}", "1:3: expected a helper, found 'mat'; did you mean 'math'?"),
        ("{{maths 1 '+' 2}}", "1:3: expected a helper, found 'maths'; did you mean 'math'?"),
        ("{{moth 1 '+' 2}}", "1:3: expected a helper, found 'moth'; did you mean 'math'?"),
        ("{{mtah 1 '+' 2}}", "1:3: expected a helper, found 'mtah'"),
        ("{{mathss 1 '+' 2}}", "1:3: expected a helper, found 'mathss'"),
        (
            "{{eq request.method 'GET'}}",
            "1:3: eq: expected two values of the same kind, found 'request.method', which never equals a string; match "
                + "the method in the request of the stub"
        ),
        (
            "{{neq 'a' originalRequest.path}}",
            "1:3: neq: expected two values of the same kind, found 'originalRequest.path', which never equals a string; "
                + "write 'originalRequest.path.[0]'"
        ),
        (
            "{{now format='qqq'}}",
            "1:3: now: expected a date format, found the letter 'q' in 'qqq'; put literal text in single quotation marks"
        ),
        (
            "{{now offset='1 weeks'}}",
            "1:3: now: expected seconds, minutes, hours, days, months, or years, found 'weeks'; use one of these units"
        ),
        (
            "{{#if (eq request.query.q '1')}}{{/if}}",
            "1:8: eq: expected two values of the same kind, found 'request.query.q', which never equals a string; "
                + "write 'request.query.q.[0]'"
        ),
    ])
    func warnsAboutTagsThatCannotWork(_ text: String, _ warning: String) throws {
        #expect(try Template(compiling: text).warnings.map(\.description) == [warning])
    }

    /// Nothing is wrong with these, as far as can be seen.
    @Test(arguments: [
        "{{eq request.query.q.[0] 'a'}}", "{{eq request.host 'a'}}", "{{eq request.query.q request.query.r}}",
        "{{eq request.query.q 1}}", "{{eq request 'a'}}", "{{eq parameters.method 'a'}}", "{{eq request.query 'a'}}",
        "{{eq 'a' 'b' request.query.q}}", "{{now format='epoch'}}", "{{now format='unix' offset='now +1 days'}}",
        "{{now format=request.body}}", "{{upper 'a' format='qqq'}}",
    ])
    func tagThatCanWorkAddsNoWarning(_ text: String) throws {
        #expect(try Template(compiling: text).warnings.map(\.description) == [])
    }

    @Test func sameSeedGivesSameValues() throws {
        let template =
            "{{randomValue}} {{randomValue type='UUID'}} {{randomInt}} {{randomDecimal}} {{pickRandom 1 2 3}}"
        #expect(try Rendering.render(template) == Rendering.render(template))
        var other = Rendering.context
        other.seed = 8
        #expect(try Rendering.render(template) != Rendering.render(template, other))
    }

    @Test(arguments: [
        Rendering("{{now}}", "2026-11-10T23:33:51Z"),
        Rendering("{{now offset='3 days' format='yyyy-MM-dd'}}", "2026-11-13"),
        Rendering("{{now format='epoch'}} {{now format='unix'}}", "1794353631453 1794353631"),
        Rendering("{{now timezone='Australia/Sydney' format='yyyy-MM-dd HH:mm:ssZ'}}", "2026-11-11 10:33:51+1100"),
        Rendering("{{now timezone='GMT' format='EEE, dd MMM yyyy HH:mm:ss z'}}", "Tue, 10 Nov 2026 23:33:51 GMT"),
        Rendering("{{hostname}}", "build"),
    ])
    func usesTheContext(_ rendering: Rendering) throws {
        #expect(try rendering.rendered() == rendering.output)
    }
}
