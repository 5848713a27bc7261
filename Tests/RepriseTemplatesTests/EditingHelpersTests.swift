// SPDX-License-Identifier: Apache-2.0

import RepriseTemplates
import Testing

struct EditingHelpersTests {
    @Test(arguments: [
        Rendering("{{val request.query.none or='d'}}|{{val 'x' assign='v'}}{{v}}", "d|x"),
        Rendering("{{arrayAdd (array 1 2) 3}}|{{arrayAdd (array 1 2) 0 position='start'}}", "[1, 2, 3]|[0, 1, 2]"),
        Rendering("{{arrayRemove (array 1 2)}}|{{arrayRemove (array 1 2) position=0}}", "[1]|[2]"),
        Rendering("{{arrayAdd 'x' 1}}", "[ERROR: Base value must be a list]"),
        Rendering(
            "{{arrayJoin ',' (array 1 2)}}|{{#arrayJoin ',' (array 1 2) as |n|}}<{{n}}>{{/arrayJoin}}",
            "1,2|<1>,<2>"
        ),
        Rendering("{{{formatJson '{\"a\": 1}' format='compact'}}}", "{\"a\":1}"),
        Rendering("{{{formatJson '{\"a\":null}'}}}", "{\n  \"a\" : null\n}"),
        Rendering(
            "{{{jsonMerge '{\"a\":{\"b\":1}}' '{\"a\":{\"c\":2}}'}}}",
            #"{"a":{"b":1,"c":2}}"#
        ),
        Rendering(
            #"{{{jsonMerge '{"a":1,"b":{"c":2,"d":3},"e":null}' '{"a":null,"b":{"c":null},"f":null}' removeNulls=true}}}"#,
            #"{"b":{"d":3},"e":null}"#
        ),
        Rendering(
            #"{{{jsonMerge '{"a":1}' '{"a":null,"f":null}' removeNulls=false}}}"#,
            #"{"a":null,"f":null}"#
        ),
        Rendering("{{{jsonRemove '{\"a\":1,\"b\":2}' '$.a'}}}", #"{"b":2}"#),
        Rendering("{{{jsonArrayAdd '[1,2]' '3' maxItems=2}}}", "[2,3]"),
        Rendering("{{{toJson (array 1 'x')}}}", "[ 1, \"x\" ]"),
    ])
    func editsListsAndJSON(_ rendering: Rendering) throws {
        #expect(try rendering.rendered() == rendering.output)
    }

    /// A position is at most the end: after the last element for a new one, and the last element otherwise.
    @Test(arguments: [
        Rendering(
            "{{arrayAdd (array 1 2) 9 position=2}}|{{arrayAdd (array 1 2) 9 position=1}}|{{arrayAdd (array) 9}}",
            "[1, 2, 9]|[1, 9, 2]|[9]"
        ),
        Rendering(
            "{{arrayAdd (array 1 2) 9 position=3}}",
            "[ERROR: position must be greater than or equal to 0 and less than or equal to 2]"
        ),
        Rendering(
            "{{arrayAdd (array 1 2) 9 position=-1}}",
            "[ERROR: position must be greater than or equal to 0 and less than or equal to 2]"
        ),
        Rendering("{{arrayAdd (array 1)}}", "[ERROR: Missing required parameter: additional value to add to list]"),
        Rendering("{{#arrayAdd (array 1)}}x{{/arrayAdd}}|{{arrayAdd (array 1) 2 position='end'}}", "[1, x]|[1, 2]"),
        Rendering(
            "{{arrayRemove (array 1 2 3) position='start'}}|{{arrayRemove (array 1 2 3) position=2}}|{{arrayRemove (array 1 2 3) position='end'}}",
            "[2, 3]|[1, 2]|[1, 2]"
        ),
        Rendering(
            "{{arrayRemove (array 1 2) position=2}}",
            "[ERROR: position must be greater than or equal to 0 and less than or equal to 1]"
        ),
        Rendering(
            "{{{jsonArrayAdd '[1,2]' '3' maxItems=0}}}|{{{jsonArrayAdd '[1,2]' '3' maxItems=3}}}|{{{jsonArrayAdd '[1,2]' '3' maxItems=1}}}",
            "[]|[1,2,3]|[3]"
        ),
        Rendering("{{{jsonArrayAdd '[]' '1' maxItems=-1}}}", "[ERROR: maxItems option integer must be positive]"),
        Rendering("{{{jsonArrayAdd '[]' '[1]'}}}|{{{jsonArrayAdd '[]' '1' flatten=true}}}", "[[1]]|[1]"),
        Rendering(
            "{{#arrayJoin ',' (array 1 2 3) as |n|}}{{n}}{{@index}}{{@last}}{{/arrayJoin}}|{{arrayJoin 1 2}}",
            "10,21,32last|[ERROR: Separator parameter must be a String]"
        ),
        Rendering(
            "{{arrayJoin ', ' (array 1 2) prefix='[' suffix=']'}}|{{val 'x' or='y'}}|{{#val}}b{{/val}}",
            "[1, 2]|x|b"
        ),
    ])
    func positionsAreBounded(_ rendering: Rendering) throws {
        #expect(try rendering.rendered() == rendering.output)
    }

    /// What WireMock 3.13 answers.
    @Test(arguments: [
        Rendering("{{val request.query.none default='d'}}|{{val request.query.none or='o' default='d'}}", "d|o"),
        Rendering("{{arrayJoin ',' 1 2 3}}|{{{arrayJoin '-' 'a' 'b' prefix='<'}}}", "1,2,3|<a-b"),
        Rendering("{{arrayJoin ',' 'a'}}", "[ERROR: The parameter must be list]"),
        Rendering(
            "{{{toJson request.query}}}",
            "{\n  \"q\" : [ \"1\", \"2\" ],\n  \"e\" : \"\",\n  \"s\" : \"a b+c\"\n}"
        ),
        Rendering("{{{toJson request.cookies}}}", "{\n  \"sid\" : \"abc\",\n  \"theme\" : \"dark\"\n}"),
        Rendering("[{{toJson request.none}}]{{{toJson (parseJson '{\"a\":null}')}}}", "[]{ }"),
        Rendering("{{{toJson request.method}}}{{{toJson request.path}}}", "\"POST\"[ \"t\" ]"),
        Rendering(#"{{{jsonRemove '{"a":[{"b":1},{"b":2}],"c":3}' '$.a[?(@.b > 1)]'}}}"#, #"{"a":[{"b":1}],"c":3}"#),
        Rendering(#"{{{jsonRemove '{"a":[{"b":1},{"b":2}],"b":3}' '$..b'}}}"#, #"{"a":[{},{}]}"#),
        Rendering(#"{{{jsonRemove '{"a":[1,2,3,4]}' '$.a[1:3]'}}}"#, #"{"a":[1,4]}"#),
        Rendering(#"{{{jsonRemove '{"a":[1,2,3],"b":1}' "$['b','c']"}}}"#, #"{"a":[1,2,3]}"#),
        Rendering(#"{{{jsonRemove '{"a":[1,2,3]}' '$.a[-1]'}}}{{{jsonRemove '{"a":1}' '$.*'}}}"#, #"{"a":[1,2]}{}"#),
        Rendering(#"{{{jsonRemove '{"a": 1}' '$.b'}}}{{jsonRemove 'null' '$.a'}}"#, #"{"a": 1}null"#),
        Rendering(
            "{{{jsonRemove 'x' '$.b'}}}{{jsonRemove '{}'}}",
            "[ERROR: Input JSON is not valid JSON ('x')][ERROR: A single JSONPath expression parameter must be supplied]"
        ),
        Rendering(
            "{{{jsonRemove '{}' '$.['}}}{{{jsonRemove '{}' '$'}}}",
            "[ERROR: JSONPath parameter is not a valid JSONPath expression ('$.[')]"
                + "[ERROR: Delete operation cannot be applied to JSONPath expression ('$')]"
        ),
        Rendering(
            "{{jsonMerge}}{{{jsonMerge '[]' '{}'}}}{{{jsonMerge '{}' 1}}}{{{jsonMerge '{}' 'x'}}}",
            "[ERROR: Base JSON must be a string][ERROR: Base JSON is not a JSON object ('[]')]"
                + "[ERROR: JSON to merge must be a string][ERROR: JSON to merge is not valid JSON ('x')]"
        ),
        Rendering(
            #"{{{jsonArrayAdd '{"a":[1]}' '2' jsonPath='$.a'}}}{{{jsonArrayAdd '{"a":1}' '2' jsonPath='$.a'}}}"#,
            #"{"a":[1,2]}[ERROR: Target JSON is not a JSON array (root: '{"a":1}', jsonPath: '$.a')]"#
        ),
        Rendering(
            "{{{jsonArrayAdd '{}' '2'}}}{{{jsonArrayAdd '[]' '[1,2]' flatten=true}}}{{{jsonArrayAdd '[]' '1' maxItems='x'}}}",
            "[ERROR: Target JSON is not a JSON array ('{}')][1,2][ERROR: maxItems option must be an integer]"
        ),
    ])
    func answersAsVersion3(_ rendering: Rendering) throws {
        #expect(try rendering.rendered() == rendering.output)
    }
}
