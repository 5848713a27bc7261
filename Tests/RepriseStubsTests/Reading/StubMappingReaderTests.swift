// SPDX-License-Identifier: Apache-2.0

import RepriseDocuments
import RepriseText
import Testing

@testable import RepriseStubs

@Suite struct StubMappingReaderTests {
    private func read(_ text: String) throws -> StubMapping {
        try StubMappingReader.read(mapping: Array(text.utf8))
    }

    @Test func everyFieldOfMappingIsRead() throws {
        let mapping = try read(
            #"""
            {
              "$schema": "x", "meta": {"total": 1}, "insertionIndex": 4,
              "uuid": "11111111-2222-3333-4444-55555555555A", "name": "n", "priority": "3", "persistent": "true",
              "scenarioName": "cart", "requiredScenarioState": "Started", "newScenarioState": "full",
              "metadata": {"a": [1.50, null]},
              "request": {}, "response": null,
              "serveEventListeners": [
                {"name": "webhook", "requestPhases": ["AFTER_COMPLETE"], "parameters": {
                  "method": "POST", "url": "http://h/{{x}}", "headers": {"A": "b"}, "body": "c", "x": 5,
                  "delay": {"type": "fixed", "milliseconds": 10}}}
              ],
              "postServeActions": {"webhook": {"url": "http://i", "base64Body": "AP8"}}
            }
            """#
        )
        var expected = StubMapping()
        expected.id = "11111111-2222-3333-4444-55555555555a"
        expected.name = "n"
        expected.priority = 3
        expected.isPersistent = true
        expected.scenario = .init(name: "cart", requiredState: "Started", newState: "full")
        expected.metadata = ["a": [1.5, nil]]
        var old = Webhook(method: "GET", url: "http://i")
        old.body = .bytes([0, 0xFF])
        var webhook = Webhook(method: "POST", url: "http://h/{{x}}")
        webhook.headers = [StubHeader("A", "b")]
        webhook.body = .text("c")
        webhook.delay = StubDelay(fixed: .milliseconds(10))
        webhook.parameters = [.init("x", 5)]
        webhook.phases = [.afterComplete]
        expected.webhooks = [old, webhook]
        #expect(mapping.metadata?["a"] == .array([.number(try #require(JSONNumber("1.50"))), .null]))
        expected.metadata = mapping.metadata
        #expect(mapping == expected)
    }

    @Test(
        arguments: [
            (#"{/*c*/"name":"a"}"#, "a"), ("{//c\n\"name\":\"a\"}", "a"), ("// c\n{\"name\":\"a\"// d", nil),
            (#"{'name':'a\'"b'}"#, "a'\"b"), (#"{"name":"a\'b"}"#, "a'b"), (#"{"name":"a"} trailing 'x"#, "a"),
            (#"{"name":"a"} /* open"#, "a"), (#"{"name":"a"/**/}"#, "a"), ("\u{FEFF}{\"name\":\"a\"}", "a"),
            (#"{"name":5}"#, "5"), (#"{"name":true}"#, "true"), (#"{"name":1.50}"#, "1.50"),
            (#"{"name":"//a"}"#, "//a"), (#"{"name":"\ud800"}"#, "\u{FFFD}"), (#"{"name":"a","name":"b"}"#, "b"),
            (#"{name:"a"}"#, nil), (#"{"name":"a",}"#, nil), (#"{#c\n"name":"a"}"#, nil), (#"{"name":"a\qb"}"#, nil),
            (#"{"name":007}"#, nil), (#"{"name":NaN}"#, nil), (#"["name"]"#, nil), ("", nil), ("null", nil),
            (#"{"name":"a" /* open}"#, nil), (#"{"name":'a}"#, nil), (#"{"name":"a\"#, nil),
        ] as [(String, String?)]
    )
    func syntaxIsAsLenientAsWireMock(text: String, name: String?) {
        #expect((try? read(text))?.name == name)
    }

    @Test(arguments: [
        ("ANY", StubRequest.Method.any), ("GET_OR_HEAD", .oneOf(["GET", "HEAD"])), ("get", .oneOf(["get"])),
    ])
    func methodIsRead(name: String, method: StubRequest.Method) throws {
        #expect(try read(#"{"request": {"method": "\#(name)"}}"#).request.method == method)
    }

    @Test func methodListsAreRead() throws {
        #expect(try read(#"{"request": {"method": {"oneOf": ["A", "B"]}}}"#).request.method == .oneOf(["A", "B"]))
        #expect(try read(#"{"request": {"method": {"noneOf": ["A"]}}}"#).request.method == .noneOf(["A"]))
    }

    @Test(arguments: [
        ("url", StubRequest.URLCondition.equalTo("/x")), ("urlPattern", .matching("/x")), ("urlPath", .path("/x")),
        ("urlPathPattern", .pathMatching("/x")), ("urlPathTemplate", .pathTemplate("/x")),
    ])
    func urlIsRead(field: String, url: StubRequest.URLCondition) throws {
        #expect(try read(#"{"request": {"\#(field)": "/x"}}"#).request.url == url)
    }

    @Test func partsOfRequestAreRead() throws {
        let request = try read(
            #"""
            {"request": {
              "urlPathTemplate": "/users/{id}", "pathParameters": {"id": {"matches": "[0-9]+"}},
              "scheme": "HTTPS", "host": {"equalTo": "h"}, "port": "80", "clientIp": "127.0.0.1",
              "queryParameters": {"q": {"contains": "x"}, "r": null}, "headers": {"A": {"absent": false}},
              "cookies": {"c": {"equalTo": "d", "caseInsensitive": true}}, "formParameters": {"f": {"anything": "x"}},
              "basicAuthCredentials": {"username": "u", "password": "p"},
              "bodyPatterns": [{"equalTo": "b"}, null],
              "multipartPatterns": [{"matchingType": "ALL", "name": "p", "fileName": {"contains": "a"},
                "headers": {"A": {"equalTo": "b"}}, "bodyPatterns": [{"contains": "c"}]}]
            }}
            """#
        ).request
        var expected = StubRequest(url: .pathTemplate("/users/{id}"))
        expected.pathParameters = [NamedMatcher("id", .matches("[0-9]+"))]
        expected.scheme = "https"
        expected.host = .equalTo("h")
        expected.port = 80
        expected.clientIP = .equalTo("127.0.0.1")
        expected.query = [NamedMatcher("q", .contains("x"))]
        expected.headers = [NamedMatcher("A", .absent)]
        expected.cookies = [NamedMatcher("c", .equalTo("d", ignoringCase: true))]
        expected.form = [NamedMatcher("f", .anything)]
        expected.basicAuth = .init(username: "u", password: "p")
        expected.body = [.equalTo("b")]
        var part = MultipartCondition(appliesToAll: true)
        part.name = "p"
        part.fileName = .contains("a")
        part.headers = [NamedMatcher("A", .equalTo("b"))]
        part.body = [.contains("c")]
        expected.multipart = [part]
        #expect(request == expected)
    }

    @Test func partsOfResponseAreRead() throws {
        let response = try read(
            #"""
            {"response": {
              "status": "201", "statusMessage": "Made", "headers": {"A": ["1", "2"], "B": "3"}, "body": "x",
              "fixedDelayMilliseconds": 100, "delayDistribution": {"type": "fixed", "milliseconds": 20},
              "chunkedDribbleDelay": {"numberOfChunks": 5, "totalDuration": 1000}, "fault": "EMPTY_RESPONSE",
              "proxyBaseUrl": "http://h", "additionalProxyRequestHeaders": {"C": "d"},
              "removeProxyRequestHeaders": ["E"], "proxyUrlPrefixToRemove": "/p",
              "transformers": ["response-template"], "transformerParameters": {"p": [1]},
              "stream": ["a", {"after": 41.2, "text": "b"}, {"base64": "AP8="}, {"after": 5}], "then": "reset", "times": 2
            }}
            """#
        ).response
        var expected = StubResponse(status: 201)
        expected.reason = "Made"
        expected.headers = [StubHeader("A", "1"), StubHeader("A", "2"), StubHeader("B", "3")]
        expected.body = .text("x")
        expected.delay = StubDelay(fixed: .milliseconds(120))
        expected.dribble = .init(chunks: 5, duration: .seconds(1))
        expected.fault = .emptyResponse
        expected.proxy = .init(baseURL: "http://h")
        expected.proxy?.addedHeaders = [StubHeader("C", "d")]
        expected.proxy?.removedHeaders = ["E"]
        expected.proxy?.pathPrefixToRemove = "/p"
        expected.transformers = ["response-template"]
        expected.isTemplate = true
        expected.parameters = [.init("p", [1])]
        expected.stream = [
            .bytes([0x61]), .pause(.microseconds(41200)), .bytes([0x62]), .bytes([0, 0xFF]), .pause(.milliseconds(5)),
        ]
        expected.then = .reset
        expected.times = 2
        #expect(response == expected)
    }

    @Test(arguments: [
        (#""body": "b", "jsonBody": 1, "base64Body": "eA==", "bodyFileName": "f""#, StubContent.text("b")),
        (#""jsonBody": {"b": 1, "a": 2}, "base64Body": "eA==""#, .json(["b": 1, "a": 2])),
        (#""base64Body": "eA==", "bodyFileName": "f""#, .bytes([0x78])), (#""bodyFileName": "f""#, .file("f")),
        (#""jsonBody": null, "bodyFileName": "f""#, .file("f")), (#""body": true"#, .text("true")),
        (#""body": """#, .text("")), (#""body": null"#, .none), (#""jsonBody": "s""#, .json("s")),
    ])
    func contentIsFirstKind(fields: String, content: StubContent) throws {
        #expect(try read(#"{"response": {\#(fields)}}"#).response.body == content)
    }

    @Test(arguments: [
        (
            #"{"type": "lognormal", "median": 80, "sigma": 0.1}"#,
            StubDelay.Distribution.lognormal(median: 80, sigma: 0.1)
        ),
        (
            #"{"type": "lognormal", "median": 80, "sigma": 0.1, "maxValue": 90}"#,
            .lognormal(median: 80, sigma: 0.1, maximum: 90)
        ), (#"{"type": "uniform", "lower": "5", "upper": 9.5}"#, .uniform(lower: 5, upper: 9)),
    ])
    func distributionIsRead(json: String, distribution: StubDelay.Distribution) throws {
        let delay = try read(#"{"response": {"delayDistribution": \#(json)}}"#).response.delay
        #expect(delay == StubDelay(distribution: distribution))
    }

    @Test func outcomeWithRateIsRead() throws {
        #expect(try read(#"{"response": {"then": {"bytesPerSecond": 10}}}"#).response.then == .bytesPerSecond(10))
    }

    @Test(arguments: [(0, 200), (-3, 200), (999, 999)])
    func statusIsRead(written: Int, status: Int) throws {
        #expect(try read(#"{"response": {"status": \#(written)}}"#).response.status == status)
    }

    @Test func filesHaveOneMappingOrSeveral() throws {
        let text = "/* ' */\n{\"mappings\": [\n  {\"name\": \"a\"},\r\n  {'name': \"b\"}\n], \"meta\": {\"total\": 2}}"
        let read = try StubMappingReader.read(Array(text.utf8), file: "f")
        #expect(read.mappings.map(\.name) == ["a", "b"])
        #expect(read.locations == [FilePosition(line: 3, column: 3), FilePosition(line: 4, column: 3)])
        let one = try StubMappingReader.read(Array("\n {}".utf8), file: "f")
        #expect(one.mappings == [StubMapping()])
        #expect(one.locations == [FilePosition(line: 2, column: 2)])
    }
}
