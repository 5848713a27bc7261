// SPDX-License-Identifier: Apache-2.0

import RepriseTemplates
import Testing

struct TextHelpersTests {
    /// What WireMock 2.35.1 answers.
    @Test(arguments: [
        Rendering(
            "{{array 1 'two' true}}|{{array}}|{{#each (array 'a' 'b') as |x|}}{{x}}{{/each}}|{{join (array 1 2) '-'}}",
            "[1, two, true]|[]|ab|1-2"
        ),
        Rendering("{{join null ','}}", ""),
        Rendering("{{upper null}}", ""),
        Rendering("{{join request.query ','}}", "{q&#x3D;1, e&#x3D;, s&#x3D;a b+c}"),
        Rendering(
            "{{join (jsonPath request.body '$.arr') ', '}}|{{join (array 1 2.5 true) '-' prefix='[' suffix=']'}}",
            "p, q, r|[1-2.5-true]"
        ),
        Rendering("{{join (jsonPath request.body '$.o') ','}}", "{\n  &quot;k&quot; : [ 1, 2, { } ]\n}"),
        Rendering("{{join request.pathSegments '/'}}|{{join 5 ','}}", "t|5"),
        Rendering(
            "{{defaultIfEmpty request.query.e 'd'}}|{{defaultIfEmpty 0 'd'}}|{{defaultIfEmpty false 'd'}}|{{defaultIfEmpty (array) 'd'}}|{{defaultIfEmpty null}}|{{defaultIfEmpty request.query.none}}",
            "|d|d|d||"
        ),
        Rendering(
            "{{capitalizeFirst 'éa'}}|{{capitalizeFirst 'ABC'}}|{{capitalize 'hELLO wORLD' fully=true}}|{{capitalize \"it's o'clock\"}}|{{capitalize 'a  b\tc'}}",
            "Éa|ABC|Hello World|It&#x27;s O&#x27;clock|A  B\tc"
        ),
        Rendering(
            "{{center 'abc' size=10 pad='xy'}}|{{ljust 'ab' size=5 pad='xy'}}|{{rjust 'ab' size=5 pad='xy'}}",
            "xyxabcxyxy|abxyx|xyxab"
        ),
        Rendering(
            "{{center 'abc' size=2}}|{{center '' size=2}}|{{center 'a' size=4}}|{{center 'a' size=-1}}",
            "abc|| a  |a"
        ),
        Rendering("{{center 'abc' size=6 pad=''}}", " abc  "),
        Rendering("{{substring 'hello' 5}}|{{substring 'hello' 0 0}}|{{substring request.query.s 1}}", "|| b+c"),
        Rendering("{{substring null 1}}", "1"),
        Rendering("{{replace 'abc' '' '-'}}", "-a-b-c-"),
        Rendering(
            "{{slugify 'A--B  C'}}|{{slugify \"x'y.z\"}}|{{slugify 'ÀÉ'}}|{{slugify '-a-'}}",
            "ab--c|xyz|àé|a"
        ),
        Rendering(
            "{{stripTags 'a < b > c'}}|{{stripTags '<a href=\"x\">y</a>\n<b>'}}|{{stripTags '<!-- c -->d'}}",
            "a  c|y\n|d"
        ),
        Rendering(
            "{{abbreviate 'a b c d e f' 8}}|{{abbreviate 'abcdefghij' 10}}|{{abbreviate 'abcdefghijk' 10}}",
            "a b c...|abcdefghij|abcdefg..."
        ),
        Rendering(
            "{{wordWrap 'a bb ccc dddd' 5}}|{{wordWrap '' 5}}|{{wordWrap 'aaa' 0}}|{{wordWrap 'one  two   three' 7}}",
            "a bb\nccc\ndddd|5|aaa|one \ntwo  \nthree"
        ),
        Rendering("{{yesno true yes='a'}}|{{yesno false yes='a'}}", "a|no"),
        Rendering(
            "{{capitalizeFirst 'abc def'}}|{{capitalize 'abc def'}}|{{capitalize 'ABC DEF'}}|{{capitalize 'ABC dEF' fully=true}}|{{capitalizeFirst ''}}|{{capitalizeFirst null}}|{{capitalize 'a-b c_d'}}",
            "Abc def|Abc Def|ABC DEF|Abc Def|||A-b C_d"
        ),
        Rendering(
            "{{center 'ab' size=6}}|{{center 'ab' size=7 pad='*'}}|{{ljust 'ab' size=5}}|{{ljust 'ab' size=5 pad='.'}}|{{rjust 'ab' size=5}}|{{rjust 'ab' size=5 pad='0'}}|{{ljust 'abcdef' size=3}}",
            "  ab  |**ab***|ab   |ab...|   ab|000ab|abcdef"
        ),
        Rendering("{{cut 'hello world' 'o'}}|{{cut 'a b c'}}|{{cut 'abc' ''}}", "hell wrld|abc|abc"),
        Rendering(
            "{{defaultIfEmpty 'x' 'd'}}|{{defaultIfEmpty '' 'd'}}|{{defaultIfEmpty request.query.none 'd'}}|[{{defaultIfEmpty ''}}]",
            "x|d|d|[]"
        ),
        Rendering("{{#defaultIfEmpty ''}}blk{{/defaultIfEmpty}}", ""),
        Rendering(
            "{{join (array 'a' 'b') ', '}}|{{join 'a' 'b' 'c' '-'}}|{{join (array 'a' 'b') ' & ' prefix='<' suffix='>'}}|{{join request.query.q ','}}|{{join (array 1) '-'}}|[{{join (array) '-'}}]",
            "a, b|a-b-c|&lt;a &amp; b&gt;|1,2|1|[]"
        ),
        Rendering("{{join request.query.none ','}}", ""),
        Rendering("{{substring 'hello' 1 3}}|{{substring 'hello' 2}}|{{substring 'hello' 0 5}}", "el|llo|hello"),
        Rendering(
            "{{lower 'ABC É'}}|{{upper 'abc é ß'}}|{{lower null}}|{{upper request.query.none}}|{{upper 5}}",
            "abc é|ABC É SS|||5"
        ),
        Rendering(
            "{{slugify 'Some Title 12'}}|{{slugify 12.5}}|{{slugify '½ ² Ⅷ ٣ x'}}|{{slugify 'a-b_c.d'}}|{{slugify true}}",
            "some-title-||----x|abcd|true"
        ),
        Rendering(
            "[{{wordWrap '  x  ' 4}}][{{wordWrap '   abc def' 20}}][{{wordWrap '     ' 3}}][{{wordWrap 'aaa bbb  ' 3}}][{{wordWrap 'abc  def   ghi' 4}}]",
            "[x  ][abc def][][aaa\nbbb\n][abc \ndef \nghi]"
        ),
        Rendering("{{slugify 'Hello, World! Ünï & x_y'}}|{{slugify '  a  b '}}", "hello-world-ünï--xy|a--b"),
        Rendering("{{stripTags '<p>Hi <b>x</b></p> a < b'}}|{{stripTags 'a<br/>b'}}", "Hi x a &lt; b|ab"),
        Rendering(
            "{{abbreviate 'Now is the time for all good men' 15}}|{{abbreviate 'short' 15}}|{{abbreviate 'abcdefgh' 4}}",
            "Now is the t...|short|a..."
        ),
        Rendering(
            "{{{wordWrap 'The quick brown fox jumps' 10}}}|{{{wordWrap 'abcdefghijkl mn' 5}}}|{{wordWrap 'a b' 1}}",
            "The quick\nbrown fox\njumps|abcdefghijkl\nmn|a\nb"
        ),
        Rendering("{{replace 'a.b.c' '.' '-'}}|{{replace 'aaa' 'a' ''}}|{{replace 'abc' 'x' 'y'}}", "a-b-c||abc"),
        Rendering(
            "{{yesno true}}|{{yesno false}}|{{yesno null}}|{{yesno true yes='J' no='N' maybe='V'}}|{{yesno false no='N'}}|{{yesno null maybe='V'}}|{{yesno request.query.none}}",
            "yes|no|maybe|J|N|V|maybe"
        ),
    ])
    func transformsStrings(_ rendering: Rendering) throws {
        #expect(try rendering.rendered() == rendering.output)
    }

    /// Lengths are those of UTF-16, and bounds may be the ends of the text.
    @Test(arguments: [
        Rendering(
            "{{substring 'hello' 5 5}}|{{substring 'hello' 0}}|{{substring '😀a' 2}}|{{center '😀' size=4}}",
            "|hello|a| 😀 "
        ),
        Rendering("{{center 'abc' size=4}}|{{center 'abc' size=3}}|{{rjust 'abc' size=4 pad='xy'}}", "abc |abc|xabc"),
        Rendering("{{wordWrap 'a b c' 3}}|{{wordWrap 'abc' 3}}|{{wordWrap 'abc d' -5}}", "a b\nc|abc|abc\nd"),
        Rendering(
            "{{replace 'aXaX' 'X' 'yy'}}|{{replace 'ab' 'abc' 'x'}}|{{cut 'aXbX' 'X'}}|{{replace 'aaa' 'aa' 'b'}}",
            "ayyayy|ab|ab|ba"
        ),
        Rendering(
            "{{abbreviate 'abcde' 5}}|{{abbreviate 'abcdef' 5}}|{{stripTags '<><a>b'}}|{{stripTags '>a<b'}}",
            "abcde|ab...|b|&gt;a&lt;b"
        ),
        Rendering(
            "{{join 'a' 'b' '-' prefix='<'}}|{{yesno true yes=null}}|{{capitalize 'a b' fully=false}}",
            "&lt;a-b|yes|A B"
        ),
    ])
    func boundsAreWithinTheText(_ rendering: Rendering) throws {
        #expect(try rendering.rendered() == rendering.output)
    }

    @Test(arguments: [
        "{{substring 'hello' 6}}", "{{substring 'hello' -1}}", "{{substring 'hello' 3 2}}", "{{substring 'hello' 0 6}}",
        "{{substring 'hello'}}", "{{center 'a' size='5'}}", "{{center 'a'}}", "{{abbreviate 'abcdef' 3}}",
        "{{replace 'a' 1 'b'}}",
        "{{yesno 'x'}}", "{{join (array 1) 2}}",
    ])
    func boundBeyondTheTextFails(_ template: String) {
        #expect(throws: TemplateFailure.self) { try Rendering.render(template) }
    }
}
