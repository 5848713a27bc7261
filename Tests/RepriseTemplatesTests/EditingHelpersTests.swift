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
            "{\n  \"a\" : {\n    \"b\" : 1,\n    \"c\" : 2\n  }\n}"
        ),
        Rendering("{{{jsonRemove '{\"a\":1,\"b\":2}' '$.a'}}}", "{\n  \"b\" : 2\n}"),
        Rendering("{{{jsonArrayAdd '[1,2]' '3' maxItems=2}}}", "[ 2, 3 ]"),
        Rendering("{{{toJson (array 1 'x')}}}", "[ 1, \"x\" ]"),
    ])
    func editsListsAndJSON(_ rendering: Rendering) throws {
        #expect(try rendering.rendered() == rendering.output)
    }
}
