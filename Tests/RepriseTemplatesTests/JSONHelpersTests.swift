// SPDX-License-Identifier: Apache-2.0

import RepriseTemplates
import Testing

struct JSONHelpersTests {
    /// What WireMock 2.35.1 answers.
    @Test(arguments: [
        Rendering("{{jsonPath request.body '$.o'}}", "{\n  &quot;k&quot; : [ 1, 2, { } ]\n}"),
        Rendering("{{{jsonPath request.body '$.o'}}}", "{\n  \"k\" : [ 1, 2, { } ]\n}"),
        Rendering("{{{jsonPath request.body '$.arr'}}}", "[\"p\",\"q\",\"r\"]"),
        Rendering("{{jsonPath request.body '$.arr'}}", "[&quot;p&quot;,&quot;q&quot;,&quot;r&quot;]"),
        Rendering(
            "{{jsonPath request.body '$.a'}}|{{jsonPath request.body '$.b'}}|{{jsonPath request.body '$.f'}}|{{jsonPath request.body '$.t'}}|[{{jsonPath request.body '$.nul'}}]",
            "1|x|1.5|true|[]"
        ),
        Rendering("[{{jsonPath request.body '$.missing'}}]", "[]"),
        Rendering("[{{jsonPath request.body '$.missing' default='dflt'}}]", "[dflt]"),
        Rendering("{{{jsonPath request.body '$..k'}}}", #"[null,[1,2,{"z":null}],null,null]"#),
        Rendering("{{{jsonPath request.body '$..none'}}}", "[null,null,null,null]"),
        Rendering("{{jsonPath request.body '$.o.k[*].z'}}|{{jsonPath request.body '$.arr[*].z'}}", "[null]|[]"),
        Rendering("{{{jsonPath request.body \"$.o.k[*]['y','z']\"}}}", #"[{"y":null,"z":null}]"#),
        Rendering("{{jsonPath request.body '$.o..none.x'}}|{{jsonPath request.body '$.o.k[?(@.y)]'}}", "[]|[]"),
        Rendering("{{#each (jsonPath request.body '$..k') as |x|}}{{{x}}};{{/each}}", #";[1,2,{"z":null}];;;"#),
        Rendering(
            "{{eq (jsonPath request.body '$.none') ''}}|{{size (jsonPath request.body '$.nul')}}|[{{trim (jsonPath null '$.a')}}]|{{math (jsonPath 'no json' '$.a') '+' 1}}",
            "true|0|[]|1"
        ),
        Rendering(
            "{{regexExtract (jsonPath request.body '$.none') 'a'}}|{{truncateDate (jsonPath request.body '$.none') 'x'}}",
            "[ERROR: Nothing matched a]|[ERROR: A date object must be passed to the truncateDate helper]"
        ),
        Rendering(
            "{{array (jsonPath null '$.a')}}|{{array 1 (jsonPath request.body '$.none') 2}}|{{join (array 1 (jsonPath request.body '$.none') 2) ','}}",
            "[]|[1, , 2]|1,,2"
        ),
        Rendering("[{{jsonPath request.body '$.e'}}][{{jsonPath request.body '$.eo'}}]", "[[]][{ }]"),
        Rendering("[{{jsonPath request.body '$.[' }}]", "[[ERROR: $.[ is not a valid JSONPath expression]]"),
        Rendering("[{{jsonPath request.body}}]", "[[ERROR: The JSONPath cannot be empty]]"),
        Rendering("[{{jsonPath}}]", "[[ERROR: The JSONPath cannot be empty]]"),
        Rendering("[{{jsonPath 'notjson' '$.a'}}]", "[]"),
        Rendering("{{#each (jsonPath request.body '$.arr') as |x|}}{{x}},{{/each}}", "p,q,r,"),
        Rendering(
            "{{#each (jsonPath request.body '$.arr')}}{{@index}}:{{this}}:{{@first}}:{{@last}}:{{@odd}}:{{@even}};{{/each}}",
            "0:p:first:::even;1:q:::odd:;2:r::last::even;"
        ),
        Rendering(
            "{{#each (jsonPath request.body '$.o')}}{{@key}}={{this}};{{/each}}",
            "k=[1,2,{&quot;z&quot;:null}];n=;"
        ),
        Rendering(
            "{{#each (jsonPath request.body '$')}}{{@key}}={{{this}}};{{/each}}",
            "a=1;b=x;o={k=[1,2,{\"z\":null}], n=null};arr=[\"p\",\"q\",\"r\"];f=1.5;t=true;nul=;e=[];eo={};"
        ),
        Rendering("{{#with (jsonPath request.body '$.o')}}{{k.[0]}}-{{k.[2].z}}-{{n}}{{/with}}", "1--"),
        Rendering("{{lookup (jsonPath request.body '$.arr') 1}}", "q"),
        Rendering("{{lookup (jsonPath request.body '$.o') 'k'}}", "[1,2,{&quot;z&quot;:null}]"),
        Rendering("{{jsonPath request.body '$.arr.length()'}}", "3"),
        Rendering("{{jsonPath request.body '$.o.k[?(@.z)]'}}", "[{&quot;z&quot;:null}]"),
        Rendering("{{jsonPath request.body '$.o.k[*]'}}", "[1,2,{&quot;z&quot;:null}]"),
        Rendering(
            "{{{jsonPath request.body '$'}}}",
            "{\n  \"a\" : 1,\n  \"b\" : \"x\",\n  \"o\" : {\n    \"k\" : [ 1, 2, { } ]\n  },\n  \"arr\" : [ \"p\", \"q\", \"r\" ],\n  \"f\" : 1.5,\n  \"t\" : true,\n  \"e\" : [ ],\n  \"eo\" : { }\n}"
        ),
        Rendering("{{{jsonPath (jsonPath request.body '$.o') '$.k[1]'}}}", "2"),
        Rendering("{{math (jsonPath request.body '$.a') '+' 1}}", "2"),
        Rendering("{{math (jsonPath request.body '$.f') '+' 1}}", "2.5"),
        Rendering(
            "{{size 'abc'}}|{{size request.query.q}}|{{size (jsonPath request.body '$.arr')}}|{{size (jsonPath request.body '$.o')}}|{{size 5}}|{{size}}",
            "3|2|3|2||2"
        ),
        Rendering("{{parseJson '{\"a\":1,\"b\":[1,2]}' 'j'}}{{j.a}},{{j.b.1}},{{j.b}}", "1,2,[1, 2]"),
        Rendering("{{#parseJson 'j'}}{\"x\":{\"y\":5}}{{/parseJson}}{{j.x.y}}|{{j.x}}", "5|{y&#x3D;5}"),
        Rendering("{{#with (parseJson '{\"k\":\"v\"}')}}{{k}}{{/with}}", "v"),
        Rendering(
            "{{parseJson '{\"a\":1.50,\"n\":null,\"l\":[1,{\"z\":true}]}'}}",
            "{a&#x3D;1.50, n&#x3D;null, l&#x3D;[1, {z&#x3D;true}]}"
        ),
        Rendering("{{parseJson '[1,2]' 'j'}}{{j.0}}{{size j}}", "12"),
        Rendering(
            "{{parseJson request.body 'b'}}{{b.o.k.[0]}}|{{b.arr.length}}|{{b.arr}}|{{b.o}}|{{b.t}}|{{b.nul}}|{{b.f}}",
            "1|3|[p, q, r]|{k&#x3D;[1, 2, {z&#x3D;null}], n&#x3D;null}|true||1.50"
        ),
        Rendering("{{gt (jsonPath request.body '$.f') 1}}", "true"),
        Rendering(
            "{{eq (jsonPath request.body '$.a') 1}}|{{eq (jsonPath request.body '$.b') 'x'}}|{{eq (jsonPath request.body '$.t') true}}|{{#if (jsonPath request.body '$.t')}}T{{/if}}|{{#if (jsonPath request.body '$.nul')}}T{{else}}F{{/if}}|{{#if (jsonPath request.body '$.e')}}T{{else}}F{{/if}}|{{#if 0}}T{{else}}F{{/if}}|{{#if ''}}T{{else}}F{{/if}}|{{#if '0'}}T{{else}}F{{/if}}|{{#if 'false'}}T{{else}}F{{/if}}|{{#if request.query.e}}T{{else}}F{{/if}}|{{#if request.query.none}}T{{else}}F{{/if}}|{{#unless request.query.none}}U{{/unless}}",
            "true|true|true|T|F|F|F|F|T|T|T|F|U"
        ),
        Rendering(
            "{{#each (jsonPath request.body '$.o')}}{{@key}},{{@index}},{{@first}},{{@last}},{{@odd}};{{/each}}",
            "k,0,first,,;n,1,,last,;"
        ),
        Rendering(
            "{{#each request.query as |v k|}}{{k}}:{{v}};{{/each}}|{{#each (jsonPath request.body '$.o') as |v k|}}{{k}}:{{v}};{{/each}}",
            "q:1;e:;s:a b+c;|k:[1,2,{&quot;z&quot;:null}];n:;"
        ),
        Rendering(
            "{{{jsonPath '[\"a/b\", \"é\", \"<\", 1.50, 1e3, \"\\u0001\\t\", 12345678901234567890, 0.12345678901234567890123]' '$'}}}",
            "[\"a\\/b\",\"é\",\"<\",1.5,1000.0,\"\\u0001\\t\",12345678901234567890,0.12345678901234567890123]"
        ),
        Rendering(
            "{{{jsonPath '{\"o\":[{\"a\":{\"b\":1}},{\"c\":[]}],\"x/y\":\"é/\\u2028\", \"n\":1.50, \"e\":1e3}' '$'}}}",
            "{\n  \"o\" : [ {\n    \"a\" : {\n      \"b\" : 1\n    }\n  }, {\n    \"c\" : [ ]\n  } ],\n  \"x/y\" : \"é/\u{2028}\",\n  \"n\" : 1.5,\n  \"e\" : 1000.0\n}"
        ),
        Rendering(
            "{{{jsonPath '{\"a\":{\"b\":1.50}}' '$.a.b'}}}|{{{jsonPath '{\"a\":{\"b\":1e3}}' '$.a.b'}}}|{{{jsonPath '{\"a\":12345678901234567890}' '$.a'}}}|{{{jsonPath '{\"a\":0.12345678901234567890123}' '$.a'}}}",
            "1.5|1000.0|12345678901234567890|0.12345678901234567890123"
        ),
        Rendering(
            "{{#parseJson 'j'}}{\"a\":1e3,\"b\":1.50,\"c\":12345678901234567890,\"d\":0.12345678901234567890123,\"e\":1E-10}{{/parseJson}}{{j.a}}|{{j.b}}|{{j.c}}|{{j.d}}|{{j.e}}|{{j}}",
            "1E+3|1.50|12345678901234567890|0.12345678901234567890123|1E-10|{a&#x3D;1E+3, b&#x3D;1.50, c&#x3D;12345678901234567890, d&#x3D;0.12345678901234567890123, e&#x3D;1E-10}"
        ),
        Rendering(
            "{{eq (jsonPath '{\"a\":\"x\"}' '$.a') 'x'}}|{{eq (array 1 2) (array 1 2)}}|{{eq request.query.q request.query.q}}|{{eq 1 1.0}}|{{eq null null}}|{{eq 'a' null}}|{{eq request.method request.method}}|{{neq 'a' 'b' yes='y'}}|{{eq 'a'}}",
            "true|true|true|true|true|false|true|y|false"
        ),
        Rendering("{{parseJson request.query.none}}", "{}"),
        Rendering("{{parseJson ''}}", "{}"),
        Rendering("{{#parseJson 'j'}}{{/parseJson}}{{j}}", "{}"),
        Rendering(
            "{{parseJson '{\"a\":1}' 'j'}}{{#with j}}{{a}}{{/with}}{{#each j}}{{@key}}{{/each}}{{size j}}",
            "1a1"
        ),
        Rendering("{{contains (jsonPath request.body '$.o') 'k'}}", "true"),
        Rendering(
            "{{size (array)}}|{{size ''}}|{{size 'é😀'}}|{{size true}}|{{size request.url}}|{{size (jsonPath request.body '$.e')}}|{{size request.cookies}}",
            "0|0|3||25|0|2"
        ),
    ])
    func selectsAndParsesJSON(_ rendering: Rendering) throws {
        #expect(try rendering.rendered() == rendering.output)
    }

    /// What WireMock 3.13 answers, and 2.35.1 to `parseJson`.
    @Test(arguments: [
        Rendering("[{{jsonPath '' '$.x'}}][{{jsonPath request.none '$.x'}}]", "[][]"),
        Rendering("[{{parseJson ''}}][{{parseJson '' 'q'}}][{{q}}]", "[{}][{}][]"),
        Rendering("[{{parseJson ' { } ' 'q'}}][{{q}}][{{#parseJson 'q'}}{{/parseJson}}]", "[{}][][{}]"),
        Rendering("{{parseJson}}", "[ERROR: Missing required JSON string parameter]"),
        Rendering("{{parseJson '[1]' 'q'}}{{q}}", "[1]"),
    ])
    func emptyTextIsNoFailure(_ rendering: Rendering) throws {
        #expect(try rendering.rendered() == rendering.output)
    }

    /// `\u{E4}` and `a` with U+0308 have the same look, but are two names.
    @Test(arguments: [
        ("{{#each (parseJson request.body)}}{{@key}}={{this}};{{/each}}", "\u{E4}=1;a\u{308}=2;"),
        ("{{lookup (parseJson request.body) 'a\u{308}'}}", "2"),
        ("{{jsonPath request.body '$.a\u{308}'}}", "2"), ("{{eq '\u{E4}' 'a\u{308}'}}", "false"),
        ("{{contains 'a\u{308}' 'a'}}", "true"), ("{{size request.query}}", "2"),
        ("{{{jsonMerge request.body '{\"a\u{308}\":3}' format='compact'}}}", "{\"\u{E4}\":1,\"a\u{308}\":3}"),
    ])
    func lookalikeNamesAreDifferent(template: String, output: String) throws {
        let request = TemplateRequest(
            method: "POST",
            url: "/?%C3%A4=1&a%CC%88=2",
            host: "127.0.0.1",
            port: 80,
            body: Array("{\"\u{E4}\":1,\"a\u{308}\":2}".utf8)
        )
        let rendered = try Rendering.render(template, TemplateContext(request: request, now: 0))
        #expect(rendered.split(whereSeparator: \.isWhitespace).joined() == output)
    }
}
