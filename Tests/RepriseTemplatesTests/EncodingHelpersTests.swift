// SPDX-License-Identifier: Apache-2.0

import RepriseTemplates
import Testing

struct EncodingHelpersTests {
    /// What WireMock 2.35.1 answers.
    @Test(arguments: [
        Rendering("[{{trim '  a b '}}][{{#trim}}  in {{request.method}} side  {{/trim}}]", "[a b][in POST side]"),
        Rendering("[{{trim 5}}]", "[5]"),
        Rendering("{{base64 5}}", "NQ&#x3D;&#x3D;"),
        Rendering("{{formData 'a=1&b=x+y&a=2' 'f' }}{{f.a}}|{{f.b}}|{{f.a.1}}|{{f.a.[1]}}|{{f.zz}}", "1|x+y|2|2|"),
        Rendering("{{formData 'a=1&b=x+y%20z' 'f' urlDecode=true}}{{f.b}}", "x y z"),
        Rendering("{{formData 'a=1'}}", "{a&#x3D;1}"),
        Rendering("{{formData 'a&b=' 'f'}}[{{f.a}}][{{f.b}}]", "[][]"),
        Rendering(
            "{{base64 'hello'}}|{{base64 'hello' padding=false}}|{{base64 'aGVsbG8=' decode=true}}|{{#base64}}block{{/base64}}|{{base64 'a?>' }}|{{{base64 'hello'}}}|{{base64 'aGVsbG8' decode=true}}",
            "aGVsbG8&#x3D;|aGVsbG8|hello|YmxvY2s=|YT8+|aGVsbG8=|hello"
        ),
        Rendering(
            "{{systemValue key='wiremock.suite' type='PROPERTY'}}|{{systemValue key='PATH'}}|{{systemValue key='user.home' type='PROPERTY'}}|{{systemValue}}|{{systemValue key='wiremock.none'}}|{{systemValue key='wiremock.x' type='Q'}}",
            "|[ERROR: Access to PATH is denied]|[ERROR: Access to user.home is denied]|[ERROR: The key cannot be empty]||"
        ),
        Rendering("{{formData request.body 'f'}}{{f}}", "{}"),
        Rendering(
            "{{formData 'a=1&b=%20x&a=3&=5&c' 'f' urlDecode=true}}{{#each f}}{{@key}}:{{this}};{{/each}}{{f}}",
            "a:1;b: x;:5;{a&#x3D;1, b&#x3D; x, &#x3D;5}"
        ),
        Rendering("{{formData '' 'f'}}{{f.x}}", ""),
        Rendering(
            "{{systemValue key='wiremock.x'}}|{{systemValue key='WIREMOCK_X' type='ENVIRONMENT'}}|{{systemValue key='wiremock.x' type='NOPE'}}|{{systemValue type='PROPERTY'}}",
            "|||[ERROR: The key cannot be empty]"
        ),
        Rendering("{{formData 'a=1&b=2' 'f' encoding='x'}}{{f.b}}", "2"),
        Rendering(
            "{{urlEncode 'é' encoding='ISO-8859-1'}}|{{urlEncode '%E9' decode=true encoding='ISO-8859-1'}}",
            "%E9|é"
        ),
        Rendering(
            "{{urlEncode \"~*-._!'()@:;/?&=+$,#[] %\" }}",
            "%7E*-._%21%27%28%29%40%3A%3B%2F%3F%26%3D%2B%24%2C%23%5B%5D+%25"
        ),
        Rendering("{{base64 'a?>>>?' urlSafe=true}}", "YT8+Pj4/"),
        Rendering(
            "{{base64 request.query.q}}|{{base64 request.body padding=false}}|{{base64 true}}",
            "MQ&#x3D;&#x3D;|eyJhIjoxLCJiIjoieCIsIm8iOnsiayI6WzEsMix7InoiOm51bGx9XSwibiI6bnVsbH0sImFyciI6WyJwIiwicSIsInIiXSwiZiI6MS41MCwidCI6dHJ1ZSwibnVsIjpudWxsLCJlIjpbXSwiZW8iOnt9fQ|dHJ1ZQ&#x3D;&#x3D;"
        ),
        Rendering("{{trim '  x  '}}|{{trim request.query.q}}|{{#trim}}\n a\n{{/trim}}|", "x|1|a|"),
        Rendering(
            "{{trim \"it's\"}}|{{trim 'a\"b'}}|{{trim 'a\\'b'}}|{{trim \"a\\\"b\"}}|{{trim 'é ü 漢 😀'}}|{{trim \"<&>'=`\"}}|{{{trim \"<&>'=`\"}}}|{{trim 'a\\nb'}}|{{trim '/'}}",
            "it&#x27;s|a&quot;b|a&#x27;b|a&quot;b|é ü 漢 😀|&lt;&amp;&gt;&#x27;&#x3D;&#x60;|<&>'=`|a\\nb|/"
        ),
    ])
    func encodesStrings(_ rendering: Rendering) throws {
        #expect(try rendering.rendered() == rendering.output)
    }

    @Test(arguments: [
        "{{base64 'aGVsb' decode=true}}", "{{base64 'a*b=' decode=true}}", "{{urlEncode '%zz' decode=true}}",
        "{{urlEncode 'a%2' decode=true}}", "{{urlEncode 'a' encoding='utf-16'}}", "{{trim request.none}}",
    ])
    func textInNoEncodingFails(_ template: String) {
        #expect(throws: TemplateFailure.self) { try Rendering.render(template) }
    }

    @Test(arguments: [
        Rendering(
            "{{base64 'YQ' decode=true}}|{{base64 'YWI=' decode=true}}|{{base64 'YQ==' decode=true}}",
            "a|ab|a"
        ),
        Rendering("{{base64 'hello' padding=true decode=false}}", "aGVsbG8&#x3D;"),
        Rendering("{{urlEncode 'a b+c%20d' decode=true}}|{{urlEncode 'é'}}", "a b c d|%C3%A9"),
        Rendering("{{base64 '' decode=true}}", ""),
    ])
    func encodingsAreReversed(_ rendering: Rendering) throws {
        #expect(try rendering.rendered() == rendering.output)
    }

    /// Keys are compared in any case. The default is for a key that has no value.
    @Test(arguments: [
        ("{{systemValue key='Mock_A'}}", "value of Mock_A"), ("{{systemValue key='mock_none' default='d'}}", "d"),
        ("{{systemValue key='mock_none'}}", ""),
        ("{{systemValue key='other' default='d'}}", "[ERROR: Access to other is denied]"),
        ("{{systemValue key='xmock_a'}}", "[ERROR: Access to xmock_a is denied]"),
    ])
    func systemValueIsPermittedByItsKey(template: String, output: String) throws {
        var context = Rendering.context
        context.permittedSystemKeys = ["nothing", "mock_.*"]
        context.environment = { $0 == "mock_none" ? nil : "value of \($0)" }
        #expect(try Rendering.render(template, context) == output)
    }

    /// A page that a template renders must not give access to the admin API.
    @Test func tokenOfAdminAPIIsNeverReadable() throws {
        var context = Rendering.context
        context.permittedSystemKeys = [".*"]
        context.environment = { "value of \($0)" }
        let template = "{{systemValue key='MOCKSERVER_ADMIN_TOKEN'}}|{{systemValue key='A'}}"
        let text = try Rendering.render(template, context)
        #expect(text == "[ERROR: Access to MOCKSERVER_ADMIN_TOKEN is denied]|value of A")
    }
}
