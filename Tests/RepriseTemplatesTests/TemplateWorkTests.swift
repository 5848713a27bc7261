// SPDX-License-Identifier: Apache-2.0

import RepriseDocuments
import RepriseTemplates
import RepriseText
import Testing

@Suite struct TemplateWorkTests {
    private static func budget(steps: Int = 2_000_000, _ limit: WorkLimit = .none) -> WorkBudget {
        WorkBudget(steps: steps, unitsPerStep: TemplateContext.unitsPerStep, limit: limit)
    }

    @Test(arguments: [
        "{{#each (range 1 9999)}}{{#each (range 1 9999)}}x{{/each}}{{/each}}",
        "{{regexExtract 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa' '(a+)+b'}}",
        "{{jsonPath request.body '$..a..b..c'}}",
        "{{xPath request.headers.X-XML '//a//a//a//a'}}",
        "{{#each (range 1 200)}}{{upper ../request.body}}{{/each}}",
    ])
    func longRenderingIsInterrupted(text: String) throws {
        var context = Rendering.context
        context.request.body = Array(("[" + (0..<3000).map(String.init).joined(separator: ",") + "]").utf8)
        let xml = String(repeating: "<a>", count: 200) + String(repeating: "</a>", count: 200)
        context.request.headers.append(HeaderLine(name: "X-XML", value: xml))
        let template = try Template(compiling: text)
        for limit in [WorkLimit.short, .until { true }] {
            let budget = Self.budget(limit)
            _ = try? template.render(context, budget: budget)
            #expect(budget.isInterrupted)
        }
        let whole = Self.budget()
        _ = try? template.render(context, budget: whole)
        #expect(!whole.isInterrupted)
    }

    /// Each name is looked at.
    @Test func manyNamesOfRequestAreWork() throws {
        var context = Rendering.context
        context.request.url = "/?" + (0..<20_000).map { "\($0)" }.joined(separator: "&")
        let template = try Template(compiling: "{{size (toJson request.query)}}")
        let budget = Self.budget(.short)
        _ = try? template.render(context, budget: budget)
        #expect(budget.isInterrupted)
    }

    @Test(arguments: [
        "{{request.path}} {{request.query.a}} {{capitalize request.method}} {{#if request.query.a}}y{{/if}}",
        "{{randomValue length=20}} {{now format='yyyy'}} {{#each (range 1 100)}}{{this}},{{/each}}",
        "{{jsonPath request.body '$.a'}} {{regexExtract request.url '[a-z]+'}} {{regexExtract request.body 'eo'}}",
    ])
    func commonTemplateIsNotInterrupted(text: String) throws {
        let template = try Template(compiling: text)
        let budget = Self.budget(.short)
        let output = try template.render(Rendering.context, budget: budget)
        #expect(!budget.isInterrupted)
        #expect(try output == template.render(Rendering.context))
    }

    @Test func searchReachesFarIntoText() throws {
        #expect(try Rendering.render("{{regexExtract (center 'x' size=9000) 'x'}}") == "x")
    }

    @Test func templatesOfOneAnswerShareTheirSteps() throws {
        let template = try Template(compiling: "{{#each (range 1 30)}}x{{/each}}")
        let budget = Self.budget(steps: 200)
        #expect(throws: Never.self) { try template.render(Rendering.context, budget: budget) }
        #expect(throws: TemplateFailure.self) {
            for _ in 0..<3 { _ = try template.render(Rendering.context, budget: budget) }
        }
        #expect(!budget.isInterrupted)
    }
}
