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

    /// Each part is that of the original request, which differs from the one of the webhook.
    @Test(arguments: [
        Rendering("{{originalRequest.query.n}}|{{originalRequest.query.size}}", "original|1"),
        Rendering("{{originalRequest.headers.X}}|{{originalRequest.cookies.n}}", "original|original"),
        Rendering("{{originalRequest.requestLine.query.n}}|{{originalRequest.requestLine.host}}", "original|original"),
        Rendering("{{originalRequest.parts.p.body}}", "original"),
        Rendering("{{originalRequest.parts.p.bodyAsBase64}}", "b3JpZ2luYWw&#x3D;"),
        Rendering("{{originalRequest.parts.p.headers.X}}|{{originalRequest.parts.p.name}}", "original|p"),
        Rendering("{{#each originalRequest.query}}{{@key}}{{this}}{{/each}}", "noriginal"),
        Rendering("{{#each originalRequest.headers}}{{this}}|{{/each}}", "n&#x3D;original|original|"),
        Rendering("{{#each originalRequest.cookies}}{{this}}{{/each}}", "original"),
        Rendering("{{#each originalRequest.parts}}{{this.body}}{{/each}}", "original"),
        Rendering("{{#each this}}{{@key}}|{{/each}}", "parameters|originalRequest|"),
        Rendering("[{{request.query.n}}][{{request}}]", "[][]"),
    ])
    func webhookSeesPartsOfOriginalRequest(_ rendering: Rendering) throws {
        func request(_ text: String) -> TemplateRequest {
            TemplateRequest(
                method: "GET",
                url: "/a?n=\(text)",
                host: text,
                port: 80,
                headers: [HeaderLine(name: "X", value: text), HeaderLine(name: "Cookie", value: "n=\(text)")],
                parts: {
                    [
                        TemplateRequest.Part(
                            name: "p",
                            headers: [HeaderLine(name: "X", value: text)],
                            body: Array(text.utf8)
                        )
                    ]
                }
            )
        }
        let context = TemplateContext(request: request("own"), originalRequest: request("original"), now: 0)
        #expect(try rendering.rendered(context) == rendering.output)
    }

    /// The port of a scheme is not shown.
    @Test(arguments: [
        ("http", 80, "http://h/s"), ("http", 443, "http://h:443/s"), ("https", 443, "https://h/s"),
        ("https", 80, "https://h:80/s"), ("http", 81, "http://h:81/s"),
    ])
    func baseURLHasPortAndPrefix(scheme: String, port: Int, url: String) throws {
        var request = TemplateRequest(method: "GET", url: "/a#b?c=d", scheme: scheme, host: "h", port: port)
        request.basePath = "/s"
        let context = TemplateContext(request: request, now: 0)
        let template =
            "{{{request.baseUrl}}}|{{request.port}}|{{request.path}}|[{{request.query}}]|{{request.clientIp}}"
        #expect(try Rendering.render(template, context) == "\(url)|\(port)|/a|[{}]|127.0.0.1")
    }

    @Test(arguments: [
        Rendering("{{request.id}}|{{request.multipart}}|{{request.bodyAsBase64}}", "|false|YQ&#x3D;&#x3D;"),
        Rendering(
            "{{request.path.p}}|{{request.path.0}}|{{request.pathSegments.1}}|{{request.path.size}}",
            "v|a b|c|2"
        ),
        Rendering("{{request.query.e.size}}|[{{request.query.e.1}}]|{{request.query.e.last}}", "1|[]|"),
        Rendering("{{request.parts.size}}|{{request.headers.size}}|{{request.cookies.size}}", "0||0"),
    ])
    func propertiesOfRequest(_ rendering: Rendering) throws {
        let parameters = [(name: "p", value: "v")]
        let request = TemplateRequest(
            method: "GET",
            url: "/a%20b/c?e=",
            host: "h",
            port: 80,
            body: [0x61],
            pathParameters: parameters
        )
        #expect(try rendering.rendered(TemplateContext(request: request, now: 0)) == rendering.output)
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
