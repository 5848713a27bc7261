// SPDX-License-Identifier: Apache-2.0

import RepriseTemplates
import RepriseText
import Testing

/// Numbers that a request can spell, at and beyond the limits of 64 bits.
struct ExtremeNumberTests {
    private func render(_ template: String, body: String) throws -> String {
        var context = Rendering.context
        context.request.body = Array(body.utf8)
        return try Rendering.render(template, context)
    }

    @Test(arguments: [
        "1e-9223372036854775808", "12e9223372036854775807", "1e99999999999999999999", "1.5e-2147483649",
    ])
    func exponentThatJavaLacksIsPrintedAsSpelled(number: String) throws {
        #expect(try render("{{jsonPath request.body '$.a'}}", body: "{\"a\":\(number)}") != "")
        #expect(try render("{{parseJson request.body 'x'}}{{x.a}}", body: "{\"a\":\(number)}") == number)
    }

    @Test(arguments: [("1e2147483647", "1E+2147483647"), ("12e2", "1.2E+3"), ("1E-7", "1E-7"), ("0.00012", "0.00012")])
    func exponentOfJavaIsPrintedAsInJava(number: String, printed: String) throws {
        #expect(try render("{{parseJson request.body 'x'}}{{x.a}}", body: "{\"a\":\(number)}") == printed)
    }

    @Test(arguments: ["1e-9223372036854775808", "1e9223372036854775807", "1e101"])
    func operandWithHugeExponentIsZero(number: String) throws {
        #expect(try render("{{math request.body '+' 1}}", body: number) == "1")
    }

    @Test(arguments: ["-9223372036854775808", "-1", "0"])
    func sizeBelowTheLengthPadsNothing(size: String) throws {
        let template =
            "{{ljust 'abc' size=(jsonPath request.body '$')}}|{{center 'abc' size=(jsonPath request.body '$')}}"
        #expect(try render(template, body: size) == "abc|abc")
    }

    @Test(arguments: ["-9223372036854775808", "9223372036854775807", "4611686018427387905"])
    func dateBeyondAllCalendarsIsNull(milliseconds: String) throws {
        #expect(try render("{{parseDate request.body format='epoch'}}", body: milliseconds) == "")
    }

    @Test(arguments: ["-4611686018427387904", "4611686018427387904"])
    func lastDateIsPrintedInEveryZone(milliseconds: String) throws {
        let template = "{{date (parseDate request.body format='epoch') timezone='Etc/GMT-9' format='yyyy HH:mm Z'}}"
        #expect(try render(template, body: milliseconds).hasSuffix(" +0900"))
        let truncation = "{{truncateDate (parseDate request.body format='epoch') 'first day of next year'}}"
        #expect(try render(truncation, body: milliseconds) != "")
    }

    @Test(arguments: ["1 seconds", "1 minutes", "1 hours", "1 days", "1 months", "999999 years", "999999999 days"])
    func offsetBeyondLastDateFails(offset: String) {
        #expect(throws: TemplateFailure.self) {
            try render(
                "{{date (parseDate request.body format='epoch') offset='\(offset)'}}",
                body: "4611686018427387904"
            )
        }
    }
}
