// SPDX-License-Identifier: Apache-2.0

import RepriseTemplates
import Testing

struct FormatHelpersTests {
    /// What WireMock 2.35.1 answers.
    @Test(arguments: [
        Rendering(
            "{{stringFormat '%.3f|%10.2f|%-10.1f|%,.2f' 1.0005 2.345 3.25 1234567.891}}",
            "1.001|      2.35|3.3       |1,234,567.89"
        ),
        Rendering(
            "{{numberFormat 5.5 'integer'}}|{{numberFormat 6.5 'integer'}}|{{numberFormat -1234.5}}|{{numberFormat -1234.5 'currency'}}|{{numberFormat 12 'percent'}}|{{numberFormat 0.005 'percent'}}",
            "6|6|-1,234.5|-¤1,234.50|1,200%|0%"
        ),
        Rendering(
            "{{numberFormat 1234.5678 '0.00'}}|{{numberFormat 5 '000'}}|{{numberFormat 0.5 '#.##'}}|{{numberFormat 1234567 '#,###'}}|{{numberFormat 0.256 '0.0%'}}|{{numberFormat 12345 '0.00E0'}}|{{numberFormat 5 \"'#'0\"}}|{{numberFormat -5 '0.0;(0.0)'}}|{{numberFormat 1234.5 '$#,##0.00'}}",
            "1234.57|005|0.5|1,234,567|25.6%|1.23E4|#5|(5.0)|$1,234.50"
        ),
        Rendering("{{numberFormat 'x' 'bad'}}", "bad"),
        Rendering("{{numberFormat 1234.5 'nosuch'}}", "nosuch1234"),
        Rendering(
            "{{numberFormat 1234.5 minimumFractionDigits=2 maximumFractionDigits=2}}|{{numberFormat 0.5 maximumIntegerDigits=0}}|{{numberFormat 2.5 roundingMode='up' maximumFractionDigits=0}}|{{numberFormat 2.55 roundingMode='down' maximumFractionDigits=1}}",
            "1,234.50|.5|3|2.5"
        ),
        Rendering(
            "{{numberFormat (math 1 '+' 2) '0.0'}}|{{numberFormat (jsonPath request.body '$.f') '0.000'}}|{{numberFormat request.query.q '0.0'}}",
            "3.0|1.500|0.0"
        ),
        Rendering("{{stringFormat 'Hi %s, %d of %05.2f' 'Bo' 3 1.5}}", "Hi Bo, 3 of 01.50"),
        Rendering(
            "{{stringFormat '%s %s' 'a' 'b'}}|{{stringFormat '%d' 5}}|{{stringFormat '%05d' 42}}|{{stringFormat '%x' 255}}|{{stringFormat '%,d' 1234567}}|{{stringFormat '%%'}}|{{stringFormat '%-5s|' 'a'}}|{{stringFormat '%S' 'up'}}|{{stringFormat '%b' true}}",
            "a b|5|00042|ff|1,234,567|%|a    ||UP|true"
        ),
        Rendering("{{stringFormat '%.2f' 1.005}}", "1.01"),
        Rendering(
            "{{stringFormat '%05d|%(05d|%(d|% d|%+05d|%-5d|%,08d' -3 -3 -3 -3 -3 -3 -1234}}",
            "-0003|(003)|(3)|-3|-0003|-3   |-001,234"
        ),
        Rendering(
            "{{stringFormat '%05d|%(05d|%+05d|% 05d|%5d|%08x|%2$s %1$s' 3 4 5 6 7 -255}}",
            "00003|00004|+0005| 0006|    7|ffffff01|4 3"
        ),
        Rendering("{{stringFormat '%.1e|%.1f|%+.1f|% .1E' 0.5 0.5 0.5 0.5}}", "5.0e-01|0.5|+0.5| 5.0E-01"),
        Rendering(
            "{{stringFormat '%06.1f|%(07.1f|%+.2e|%.3s|%5s|%%|%X|%o' -2.5 -2.5 -2.5 'abcde' 'abc' -255 -255}}",
            "-002.5|(002.5)|-2.50e+00|abc|  abc|%|FFFFFF01|37777777401"
        ),
        Rendering(
            "{{dateFormat (parseDate '2020-02-29T10:11:12Z') 'yyyy/MM/dd HH:mm'}}|{{dateFormat (parseDate '2020-02-29T10:11:12Z')}}|{{dateFormat (parseDate '2020-02-29T10:11:12Z') 'short'}}|{{dateFormat (parseDate '2020-02-29T10:11:12Z') 'full'}}|{{dateFormat (parseDate '2020-02-29T10:11:12Z') 'long'}}|{{dateFormat (parseDate '2020-02-29T10:11:12Z') 'medium'}}|{{dateFormat (parseDate '2020-02-29T10:11:12Z') format='EEE d MMM'}}|{{dateFormat (parseDate '2020-02-29T10:11:12Z') 'medium' 'de'}}|{{dateFormat (parseDate '2020-02-29T10:11:12Z') 'yyyy-MM-dd HH:mm' tz='America/New_York'}}|{{dateFormat (parseDate '2020-02-29T10:11:12Z') 'short' time='short'}}",
            "2020/02/29 10:11|Feb 29, 2020|2/29/20|Saturday, February 29, 2020|February 29, 2020|Feb 29, 2020|Sat 29 Feb|29.02.2020|2020-02-29 05:11|2/29/20, 10:11 AM"
        ),
        Rendering(
            "{{numberFormat 1234567.891}}|{{numberFormat 0.256 'percent'}}|{{numberFormat 1234.5 'currency'}}|{{numberFormat 1234.5 'integer'}}|{{numberFormat 1234.567 '#,##0.00'}}|{{numberFormat 1234.5 'currency' 'de_DE'}}|{{numberFormat 1234567.891 maximumFractionDigits=1}}|{{numberFormat 5 minimumFractionDigits=2}}|{{numberFormat 1234567 groupingUsed=false}}|{{numberFormat 2.5 roundingMode='HALF_EVEN' maximumFractionDigits=0}}|{{numberFormat 7 minimumIntegerDigits=3}}",
            "1,234,567.891|26%|¤1,234.50|1,234|1,234.57|1.234,50\u{A0}€|1,234,567.9|5.00|1234567|2|007"
        ),
        Rendering("{{numberFormat 'x'}}", ""),
        Rendering(
            "{{numberFormat 2.5 maximumFractionDigits=0}}|{{numberFormat 3.5 maximumFractionDigits=0}}|{{numberFormat 1234.5 'currency' 'fr_FR'}}",
            "2|4|1\u{202F}234,50\u{A0}€"
        ),
    ])
    func formatsForPeople(_ rendering: Rendering) throws {
        #expect(try rendering.rendered() == rendering.output)
    }

    @Test(arguments: [
        Rendering("{{stringFormat '%,d|%,d|%,d|%,d|%,d' 0 999 1000 -999 -1000000}}", "0|999|1,000|-999|-1,000,000"),
        Rendering("{{stringFormat '%,.1f|%,.0f|%.0f|%.0f' 1234567.25 999.5 0.5 1.5}}", "1,234,567.3|1,000|1|2"),
        Rendering(
            "{{stringFormat '%.3f|%f|%08.2f|%-8.1f|%+.1f' 1.5 1.5 -1.5 1.5 1.5}}",
            "1.500|1.500000|-0001.50|1.5     |+1.5"
        ),
        Rendering("{{stringFormat '%2$s%1$s%s%s' 'a' 'b'}}|{{stringFormat '%s%%%n' 'a'}}|", "baab|a%\n|"),
        Rendering("{{stringFormat '%10s|%-3s|%.0s|%.9s|%3s' 'ab' 'a' 'ab' 'ab' 'abcd'}}", "        ab|a  ||ab|abcd"),
        Rendering(
            "{{stringFormat '%b%b%B%S' true 'x' false 'a'}}|{{stringFormat '%x|%X|%o' 255 255 8}}",
            "truetruefalseA|ff|FF|10"
        ),
    ])
    func conversionsHaveWidthPrecisionAndSign(_ rendering: Rendering) throws {
        #expect(try rendering.rendered() == rendering.output)
    }

    /// A part of a locale has two to eight letters and digits, the first one letters only, and at most three.
    @Test(arguments: [
        ("de", true), ("d", false), ("gsw", true), ("gswx", false), ("de_D", false), ("de_DE", true), ("de-DE", true),
        ("de_abcdefgh", true), ("de_abcdefghi", false), ("de_12345678", true), ("zh_Hans_CN", true),
        ("zh_Hans_CN_x1", false), ("de_", false), ("_de", false), ("de__DE", false), ("de_D\u{C9}", false),
        ("de DE", false), ("1de", false), ("d1", false), ("", false),
    ])
    func localeIsWellFormed(locale: String, isAccepted: Bool) {
        let text = try? Rendering.render("{{numberFormat 1 '0' '\(locale)'}}")
        #expect(text == (isAccepted ? "1" : nil))
        let option = try? Rendering.render("{{numberFormat 1 format='0' locale='\(locale)'}}")
        #expect(option == (isAccepted ? "1" : nil))
    }

    @Test(arguments: [
        Rendering("{{numberFormat 1234.5}}|{{numberFormat 1234.5 locale='de'}}", "1,234.5|1.234,5"),
        Rendering("{{numberFormat 1.5 'percent' 'de'}}|{{numberFormat 2.5 format='integer'}}", "150\u{A0}%|2"),
        Rendering(
            "{{numberFormat 1.5 'currency' 'de'}}|{{numberFormat 1.5 'currency' 'en-US'}}|{{numberFormat 1.5 'currency' 'en_US'}}",
            "1,50\u{A0}¤|$1.50|$1.50"
        ),
        Rendering(
            "{{#each (array 'up' 'down' 'ceiling' 'floor' 'half_up' 'half_down' 'half_even' 'x')}}{{numberFormat 2.5 maximumFractionDigits=0 roundingMode=this}}{{numberFormat -2.5 maximumFractionDigits=0 roundingMode=this}} {{/each}}",
            "3-3 2-2 3-2 2-3 3-3 2-2 2-2 2-2 "
        ),
        Rendering(
            "{{numberFormat 1234.5 maximumIntegerDigits=2}}|{{numberFormat 0.25 maximumFractionDigits=-1}}|{{numberFormat 1234 groupingUsed='false'}}",
            "34.5|0|1,234"
        ),
        Rendering(
            "{{#each (array 'full' 'long' 'medium' 'short')}}{{dateFormat (parseDate '2020-02-09T00:05:06Z') this time=this}}|{{/each}}",
            "Sunday, February 9, 2020 'at' 12:05:06 AM UTC|".replacing("'at'", with: "at")
                + "February 9, 2020 at 12:05:06 AM UTC|Feb 9, 2020, 12:05:06 AM|2/9/20, 12:05 AM|"
        ),
        Rendering(
            "{{#each (array 'full' 'long' 'medium' 'short')}}{{dateFormat (parseDate '2020-02-09T00:05:06Z') this 'de'}}|{{/each}}",
            "Sonntag, 9. Februar 2020|9. Februar 2020|09.02.2020|09.02.20|"
        ),
    ])
    func optionsOfFormats(_ rendering: Rendering) throws {
        #expect(try rendering.rendered() == rendering.output)
    }

    @Test(arguments: [(299, 299), (300, 300), (301, 300)]) func digitsAreBounded(given: Int, count: Int) throws {
        let text = try Rendering.render("{{numberFormat 7 groupingUsed=false minimumIntegerDigits=\(given)}}")
        #expect(text == String(repeating: "0", count: count - 1) + "7")
    }

    @Test(arguments: [("%10000d", true), ("%10001d", false), ("%.300f", true), ("%.301f", false)])
    func widthAndPrecisionAreBounded(format: String, isAccepted: Bool) {
        let value = format.hasSuffix("d") ? "1" : "1.5"
        let text = try? Rendering.render("{{stringFormat '\(format)' \(value)}}")
        #expect((text != nil) == isAccepted)
    }

    @Test(arguments: [
        "{{stringFormat '%d' 'x'}}", "{{stringFormat '%d' 1.5}}", "{{stringFormat '%x' 'x'}}",
        "{{stringFormat '%f' 1}}",
        "{{stringFormat '%s'}}", "{{stringFormat '%2$s' 'a'}}", "{{stringFormat '%0$s' 'a'}}",
        "{{stringFormat '%q' 'a'}}",
        "{{stringFormat 'a%'}}", "{{dateFormat 'x'}}", "{{numberFormat 1 '0' 'e'}}",
        "{{numberFormat 1 '0' 'de_DE_x_y'}}",
        "{{numberFormat 1 '0' 'd1'}}", "{{numberFormat 1 '0' 'abcd'}}", "{{numberFormat 1 minimumFractionDigits='x'}}",
    ])
    func valueOfOtherKindFails(_ template: String) {
        #expect(throws: TemplateFailure.self) { try Rendering.render(template) }
    }
}
