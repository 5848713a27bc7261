// SPDX-License-Identifier: Apache-2.0

import RepriseTemplates
import Testing

struct NumberHelpersTests {
    /// What WireMock 2.35.1 answers.
    @Test(arguments: [
        Rendering(
            "{{math 1 '+' 2}}|{{math 1 '-' 2}}|{{math 3 '*' 2}}|{{math 3 '/' 2}}|{{math 4 '/' 2}}|{{math 7 '%' 3}}|{{math 1.5 '+' 2}}|{{math 1.5 '*' 2}}|{{math '1' '+' '2'}}|{{math '1.0' '+' '2'}}",
            "3|-1|6|2|2|1|3.5|3.0|3|3.0"
        ),
        Rendering("{{math 1 '/' 3}}", "0"),
        Rendering("{{math 10 '/' 4.0}}", "3"),
        Rendering("{{math 'a' '+' 2}}", "2"),
        Rendering("{{math 1 'x' 2}}", "2"),
        Rendering(
            "{{math 1 '+'}}",
            "[ERROR: All maths functions require two operands and an operator as parameters e.g. 3 &#x27;+&#x27; 2]"
        ),
        Rendering("{{math request.query.q '+' 1}}", "2"),
        Rendering("{{math 9999999999 '*' 9999999999}}", "7766279611452241921"),
        Rendering("{{math 2147483647 '+' 1}}", "2147483648"),
        Rendering("{{math -1 '+' 1}}", "0"),
        Rendering(
            "{{size request.query}}|{{size request.headers}}|{{size request.pathSegments}}|{{size request.path}}",
            "3|5|1|1"
        ),
        Rendering(
            "{{range 1 request.query.q}}",
            "[ERROR: The range helper requires both lower and upper bounds as integer parameters]"
        ),
        Rendering("{{gt (math 1 '+' 2) 2}}", "true"),
        Rendering(
            "{{math 1 'x' 5}}|{{math 3 'x' 5}}|{{math '1e2' '*' 1}}|{{math 1 '?' 2}}",
            "5|15|100.0|[ERROR: ? is not a valid mathematical operator]"
        ),
        Rendering(
            "{{math}}",
            "[ERROR: All maths functions require two operands and an operator as parameters e.g. 3 &#x27;+&#x27; 2]"
        ),
        Rendering(
            "{{math 1}}",
            "[ERROR: All maths functions require two operands and an operator as parameters e.g. 3 &#x27;+&#x27; 2]"
        ),
        Rendering(
            "{{range 5}}|{{range 1 3 step=2}}|{{range '1' '3'}}",
            "[ERROR: The range helper requires both lower and upper bounds as integer parameters]|[1, 2, 3]|[1, 2, 3]"
        ),
        Rendering("{{range -2 -1}}|{{range 1 1}}|{{range 1.5 3}}", "[-2, -1]|[1]|[1, 2, 3]"),
        Rendering("{{range 1.0 3}}", "[1, 2, 3]"),
        Rendering(
            "{{math 7.0 '/' 2}}|{{math 7 '/' 2.0}}|{{math 7.00 '/' 3}}|{{math 1.5 '-' 1}}|{{math 2 '*' 2.50}}|{{math 1.10 '+' 2}}|{{math '1.5' '*' '2.25'}}|{{math 10 '/' 4}}|{{math 10 '/' 3}}|{{math 11 '/' 2}}|{{math -7 '/' 2}}|{{math -7 '%' 3}}|{{math '1e2' '+' 1}}|{{math 3 '/' 2}}|{{math 5 '/' 2}}",
            "3.5|4|2.3|0.5|5.0|3.1|3.375|3|3|6|-4|-1|101|2|3"
        ),
        Rendering("{{math 5.5 '%' 2}}", "1.5"),
        Rendering(
            "{{math '1e3' '%' 2}}|{{math '1e3' '%' 3}}|{{math '1e3' '%' '1e2'}}|{{math '1e3' '%' 4}}|{{math '1e3' '%' '2e3'}}|{{math '1e3' '%' '7.0'}}",
            "0.0|1|0.0|0.0|1000.0|6.0"
        ),
        Rendering(
            "{{math '12e2' '%' '16'}}|{{math '12e2' '%' '100'}}|{{math '20' '%' '1e1'}}|{{math '5' '%' '1e1'}}|{{math '10.50' '%' '0.5'}}|{{math '7' '%' '2.0'}}|{{math '7.00' '%' '7'}}|{{math 7 '%' 2.5}}",
            "0|0|0|5|0.0|1.0|0.0|2.0"
        ),
        Rendering("{{array}}|{{array null}}|{{array request.query.none 1}}", "[]|[]|[]"),
        Rendering("{{math '' '+' 1}}", "1"),
        Rendering(
            "{{math 1.5 '/' 2}}|{{math 15.75 '/' 2}}|{{math '10.00' '/' '3'}}|{{math 0.1 '+' 0.2}}|{{math 100000.0 '*' 100000.0}}|{{math '1000000' '*' '1000000.5'}}",
            "0.8|7.88|3.33|0.3|1.0E10|1.0000005E12"
        ),
        Rendering("{{math true '+' 1}}", "1"),
        Rendering("{{math '12abc' '+' 1}}|{{math ' 5 ' '+' 1}}|{{math '-3' '-' '-4'}}", "1|1|1"),
        Rendering("{{range 3 2}}", "[]"),
        Rendering(
            "{{range 1}}",
            "[ERROR: The range helper requires both lower and upper bounds as integer parameters]"
        ),
        Rendering("{{#each (range 1 3) as |i|}}<{{i}}>{{/each}}", "<1><2><3>"),
        Rendering("{{range -1 2}}", "[-1, 0, 1, 2]"),
    ])
    func calculates(_ rendering: Rendering) throws {
        #expect(try rendering.rendered() == rendering.output)
    }

    @Test(arguments: [
        Rendering("{{range 3 2}}|{{range -1 1}}|{{range 0 0}}|{{range '2' 3}}", "[]|[-1, 0, 1]|[0]|[2, 3]"),
        Rendering("{{math -7 '*' -2}}|{{math -7 '-' 3}}|{{math -6 '/' 2}}|{{math -1.5 '+' -1.5}}", "14|-10|-3|-3.0"),
        Rendering("{{math '+5' '+' '-2'}}|{{math '.5' '+' 1}}|{{math '5.' '+' 1}}|{{math '-' '+' 1}}", "3|1.5|6|1"),
        Rendering("{{math '1e-2' '+' 0}}", "0.01"), Rendering("{{math '1E2' '+' 0}}", "100"),
        Rendering("{{math '1e' '+' 1}}", "1"), Rendering("{{math '1e101' '+' 1}}", "1"),
        Rendering("{{math '1x' '+' 1}}", "1"),
        Rendering("{{size (array 1 2)}}|{{size (range 3 2)}}|{{size 'ab'}}|{{size request.headers.X-Two}}", "2|0|2|2"),
    ])
    func calculatesWithSigns(_ rendering: Rendering) throws {
        #expect(try rendering.rendered() == rendering.output)
    }

    @Test(arguments: [
        "{{math 1 '%' 0}}", "{{math 1 '/' 0.0}}", "{{math request.none '+' 1}}", "{{math 1 '+' request.none}}",
        "{{range 3 1}}", "{{range 'x' 3}}", "{{size request.none}}",
    ])
    func calculationWithoutResultFails(_ template: String) {
        #expect(throws: TemplateFailure.self) { try Rendering.render(template) }
    }
}
