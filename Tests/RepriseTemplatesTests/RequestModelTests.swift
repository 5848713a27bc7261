// SPDX-License-Identifier: Apache-2.0

import RepriseTemplates
import RepriseText
import Testing

struct RequestModelTests {
    /// What WireMock 2.35.1 answers.
    @Test(arguments: [
        Rendering("[{{request.query.missing}}][{{unknown}}][{{request.nothing}}][{{a.b.c}}]", "[][][][]"),
        Rendering("{{^unknown}}inv{{/unknown}}", "inv"),
        Rendering(
            "{{request.headers.X-Two}}|{{request.headers.X-Two.[0]}}|{{request.headers.X-Two.[1]}}|{{request.headers.X-Two.1}}|{{request.headers.x-two}}|{{request.headers.[X-One]}}|[{{request.headers.Nope}}]|{{request.headers.X-Two.first}}",
            "one|one|two|two|one|solo|[]|one"
        ),
        Rendering(
            "{{request.method}}|{{request.url}}|{{request.path}}|{{request.pathSegments}}|{{request.pathSegments.[0]}}|{{request.pathSegments.0}}|[{{request.pathSegments.[5]}}]|{{request.path.[0]}}|{{request.path.0}}",
            "POST|/t?q&#x3D;1&amp;q&#x3D;2&amp;e&#x3D;&amp;s&#x3D;a%20b%2Bc|/t|/t|t|t|[]|t|t"
        ),
        Rendering("{{request.query.q.[-1]}}|[{{request.query.q.[-2]}}]|[{{request.pathSegments.[-1]}}]", "1|[]|[]"),
        Rendering(
            "{{request.query.q}}|{{request.query.q.[0]}}|{{request.query.q.[1]}}|{{request.query.q.1}}|[{{request.query.e}}]|{{request.query.s}}|{{request.query}}",
            "1|1|2|2|[]|a b+c|{q&#x3D;1, e&#x3D;, s&#x3D;a b+c}"
        ),
        Rendering(
            "{{request.cookies.sid}}|{{request.cookies.theme}}|[{{request.cookies.none}}]|{{request.cookies}}",
            "abc|dark|[]|{sid&#x3D;abc, theme&#x3D;dark}"
        ),
        Rendering(
            "{{request.scheme}}|{{request.host}}|{{request.baseUrl}}|{{request.requestLine.method}}|{{request.requestLine.path}}|{{request.requestLine.pathSegments.[0]}}|{{request.requestLine.query.q}}|{{request.requestLine.scheme}}|{{request.requestLine.host}}|{{request.requestLine.baseUrl}}",
            "http|127.0.0.1|http://127.0.0.1:39765|POST|/t|t|1|http|127.0.0.1|http://127.0.0.1:39765"
        ),
        Rendering(
            "{{request.body}}",
            "{&quot;a&quot;:1,&quot;b&quot;:&quot;x&quot;,&quot;o&quot;:{&quot;k&quot;:[1,2,{&quot;z&quot;:null}],&quot;n&quot;:null},&quot;arr&quot;:[&quot;p&quot;,&quot;q&quot;,&quot;r&quot;],&quot;f&quot;:1.50,&quot;t&quot;:true,&quot;nul&quot;:null,&quot;e&quot;:[],&quot;eo&quot;:{}}"
        ),
        Rendering(
            "{{{request.body}}}",
            "{\"a\":1,\"b\":\"x\",\"o\":{\"k\":[1,2,{\"z\":null}],\"n\":null},\"arr\":[\"p\",\"q\",\"r\"],\"f\":1.50,\"t\":true,\"nul\":null,\"e\":[],\"eo\":{}}"
        ),
        Rendering("{{parameters}}|{{parameters.x}}", "{}|"),
        Rendering(
            "\\{{request.method}}|\\\\{{request.method}}|{{{{raw}}}} {{x}} {{{{/raw}}}}",
            "\\POST|\\{{request.method}}|"
        ),
        Rendering("{{&request.url}}|{{{request.url}}}", "/t?q=1&q=2&e=&s=a%20b%2Bc|/t?q=1&q=2&e=&s=a%20b%2Bc"),
        Rendering("{{", "{{"),
        Rendering("{{request.method", "{{request.method"),
        Rendering("{{request..method}}", "POST"),
        Rendering("{{request.method}", "{{request.method}"),
        Rendering("}}", "}}"),
        Rendering(
            "{{request.query.[q]}}|{{request.query.['q']}}|{{request.query.q.first}}|{{request/method}}|{{this.request.method}}",
            "1||1|POST|POST"
        ),
        Rendering(
            "a {{request.method~}} \n \n b {{~request.method}}  c {{request.method}} ",
            "a POSTbPOST  c POST "
        ),
        Rendering(
            "{{request.method}}A\\{{x}}B\\\\{{y}}C\\\\\\{{z}}D{{request.method}}",
            "POSTA{{x}}B\\{{y}}C\\\\{{z}}DPOST"
        ),
        Rendering("{{request.method}}{{! a }}{{!-- b }} c --}}{{!--x--}}{{request.method}}", "POSTPOST"),
        Rendering("{{log 'hi'}}|{{log request.method level='info'}}", "|"),
        Rendering(
            "{{request.[method]}}|{{[request].method}}|{{request.query.[ q]}}|{{request.query.s}}|{{request.query.[s] }}|{{ request.method }}|{{\nrequest.method\n}}",
            "POST|POST||a b+c|a b+c|POST|POST"
        ),
        Rendering("{{parameters.f}}|{{parameters.l}}|{{parameters.m}}", "||"),
        Rendering("{{assign 'x' 'v'}}[{{x}}]", "[]"),
    ])
    func printsTheRequest(_ rendering: Rendering) throws {
        #expect(try rendering.rendered() == rendering.output)
    }

    @Test func webhookSeesOriginalRequest() throws {
        var context = Rendering.context
        context.originalRequest = context.request
        let template = "{{originalRequest.method}}|{{originalRequest.headers.X-One}}|[{{request.method}}]"
        #expect(try Rendering.render(template, context) == "POST|solo|[]")
        #expect(try Rendering.render("[{{originalRequest.method}}]") == "[]")
    }

    /// As in WireMock, and as conditions on cookies read them.
    @Test(arguments: [
        (#"a="b c""#, "b c"), (#"a="b\"c;d"; e=1"#, #"b"c;d"#), ("a = 1 ; e = 2", "1"), ("e=2; a=1; a=3", "1"),
    ])
    func readsCookiesWithoutQuotationMarks(field: String, value: String) throws {
        let request = TemplateRequest(
            method: "GET",
            url: "/",
            host: "h",
            port: 80,
            headers: [HeaderLine(name: "Cookie", value: field)],
            body: []
        )
        #expect(try Rendering.render("{{{request.cookies.a}}}", TemplateContext(request: request, now: 0)) == value)
    }
}
