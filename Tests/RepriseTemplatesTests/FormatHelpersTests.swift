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
}
