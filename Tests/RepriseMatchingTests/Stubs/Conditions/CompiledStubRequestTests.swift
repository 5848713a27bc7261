// SPDX-License-Identifier: Apache-2.0

import RepriseDocuments
import RepriseMatching
import RepriseStubs
import RepriseText
import Testing

@Suite struct CompiledStubRequestTests {
    private func matches(_ request: StubRequest, _ facts: DecodedRequest) throws -> Bool {
        let compiled = try CompiledStubRequest(request)
        let matches = compiled.matches(facts)
        #expect(matches == (compiled.distance(from: facts) == 0))
        #expect(matches == compiled.verdicts(on: facts).allSatisfy(\.isMatch))
        return matches
    }

    @Test(arguments: [
        (StubRequest.URLCondition.any, "/x?y", true), (.equalTo("/a?b=1&c=2"), "/a?b=1&c=2", true),
        (.equalTo("/a?b=1&c=2"), "/a?c=2&b=1", false), (.equalTo("/a"), "/a?", true), (.equalTo("/a?"), "/a?", false),
        (.equalTo("/é"), "/%C3%A9", false), (.equalTo("/%C3%A9"), "/%c3%a9", false), (.equalTo(""), "/", false),
        (.path("/a"), "/a?b", true), (.path("/a/b"), "/a%2Fb", false), (.path("/a"), "/a/", false),
        (.path("/a"), "//a", false),
        (.matching("/a.*"), "/a?b", true), (.matching("/a"), "/a?b", false), (.pathMatching("/a"), "/a?b", true),
        (.pathMatching("/[a-z]+/\\d{2}"), "/abc/12", true), (.pathMatching("/[a-z]+/\\d{2}"), "/abc/123", false),
        (.pathTemplate("/u/{id}/x"), "/u/1/x?q", true), (.pathTemplate("/u/{id}/x"), "/u//x", false),
        (.pathTemplate("/u/{id}/x"), "/u/1/y", false), (.pathTemplate("/u/**"), "/u/1/y/z", true),
    ])
    func urlConditionComparesRawText(condition: StubRequest.URLCondition, url: String, expected: Bool) throws {
        #expect(try matches(StubRequest(url: condition), facts("GET", url)) == expected)
    }

    @Test(arguments: [
        (StubRequest.Method.any, "FOO", true), (.oneOf(["GET"]), "GET", true), (.oneOf(["GET"]), "HEAD", false),
        (.oneOf(["GET"]), "get", false), (.oneOf(["GET", "HEAD"]), "HEAD", true), (.noneOf(["GET"]), "GET", false),
        (.noneOf(["GET"]), "PUT", true),
    ])
    func methodIsCaseSensitive(method: StubRequest.Method, found: String, expected: Bool) throws {
        #expect(try matches(StubRequest(method: method), facts(found)) == expected)
    }

    @Test func pathParametersAreCompared() throws {
        var request = StubRequest(url: .pathTemplate("/u/{id}/o/{order}"))
        request.pathParameters = [NamedMatcher("order", .equalTo("7"))]
        #expect(try matches(request, facts("GET", "/u/1/o/7")))
        #expect(try !matches(request, facts("GET", "/u/7/o/1")))
        #expect(try CompiledStubRequest(request).isPlain == false)
    }

    /// The characters that other frameworks write in a name have no meaning.
    @Test func nameOfPathParameterHasNoMarks() throws {
        var request = StubRequest(url: .pathTemplate("/u/{.id}/o/{;order*}"))
        request.pathParameters = [NamedMatcher("id", .equalTo("1")), NamedMatcher("order", .equalTo("7"))]
        #expect(try matches(request, facts("GET", "/u/1/o/7")))
        #expect(try !matches(request, facts("GET", "/u/1/o/8")))
    }

    @Test func schemeHostPortAndClientAreCompared() throws {
        var request = StubRequest()
        request.scheme = "https"
        request.host = .equalTo("Example.com")
        request.port = 443
        request.clientIP = .equalTo("10.0.0.7")
        #expect(try matches(request, facts("GET", "/", headers: ["Host: example.COM"], bytes: [], scheme: "https")))
        #expect(try !matches(request, facts("GET", "/", headers: ["Host: example.com"], bytes: [], scheme: "http")))
        #expect(try !matches(request, facts("GET", "/", headers: ["Host: example.com:1"], bytes: [], scheme: "https")))
        request.clientIP = .equalTo("10.0.0.8")
        #expect(try !matches(request, facts("GET", "/", headers: ["Host: example.com"], bytes: [], scheme: "https")))
    }

    @Test func credentialsAreComparedExceptForCaseOfScheme() throws {
        var request = StubRequest()
        request.basicAuth = .init(username: "u", password: "p:w")
        #expect(try matches(request, facts("GET", "/", headers: ["Authorization: Basic dTpwOnc="])))
        #expect(try matches(request, facts("GET", "/", headers: ["authorization: BASIC dTpwOnc="])))
        #expect(try !matches(request, facts("GET", "/", headers: ["Authorization: Basic DTpwOnc="])))
        #expect(try !matches(request, facts("GET", "/")))
    }

    @Test(arguments: [
        (ValueMatcher.absent, true), (.anything, false), (.doesNotContain("1"), false), (.doesNotMatch("1"), false),
        (.not(.equalTo("1")), false), (.or([.equalTo("2"), .absent]), false),
    ])
    func onlyAbsentAcceptsMissingCookie(matcher: ValueMatcher, expected: Bool) throws {
        var request = StubRequest()
        request.cookies = [NamedMatcher("c", matcher)]
        #expect(try matches(request, facts()) == expected)
        #expect(try matches(request, facts("GET", "/", headers: ["Cookie: C=1"])) == expected)
        #expect(try matches(request, facts("GET", "/", headers: ["Cookie: c=2"])) != (matcher == .absent))
    }

    @Test func partsOfMultipartContentAreCompared() throws {
        let body =
            "--b\r\nContent-Type: text/plain\r\n\r\none\r\n--b\r\nContent-Type: text/plain\r\n\r\ntwo\r\n--b--\r\n"
        let facts = facts("POST", "/", headers: ["Content-Type: multipart/mixed; boundary=b"], body: body)
        var condition = MultipartCondition()
        condition.headers = [NamedMatcher("content-type", .contains("text"))]
        condition.body = [.equalTo("two")]
        var request = StubRequest()
        request.multipart = [condition]
        #expect(try matches(request, facts))
        request.multipart[0].appliesToAll = true
        #expect(try !matches(request, facts))
        request.multipart[0].body = [.matches("one|two")]
        #expect(try matches(request, facts))
        #expect(try !matches(request, RepriseMatchingTests.facts("POST", "/", body: body)))
    }

    private static let upload =
        "--b\r\nContent-Disposition: form-data; name=a; filename=f.txt\r\n\r\none\r\n"
        + "--b\r\nContent-Type: text/plain\r\n\r\ntwo\r\n--b--\r\n"

    private static func part(_ change: (inout MultipartCondition) -> Void) -> MultipartCondition {
        var condition = MultipartCondition()
        change(&condition)
        return condition
    }

    /// The distance is that of the nearest part, or the mean if all parts must satisfy the condition.
    @Test(
        arguments: [
            (part { $0.fileName = .equalTo("f.txt") }, 0, "[any parts] file name f.txt"),
            (part { $0.fileName = .contains("g") }, 1, "[any parts] file name [contains] g"),
            (part { $0.fileName = .absent }, 0, "[any parts] file name [absent]"),
            (
                part {
                    $0.appliesToAll = true; $0.fileName = .absent
                }, 0.5, "[all parts] file name [absent]"
            ),
            (
                part {
                    $0.fileName = .contains("f"); $0.body = [.contains("tw")]
                }, 0.5, "[any parts] file name [contains] f, body [contains] tw"
            ),
            (
                part { $0.headers = [NamedMatcher("Content-TYPE", .contains("text"))] }, 0,
                "[any parts] header content-type [contains] text"
            ),
            (
                part {
                    $0.headers = [NamedMatcher("X", .absent)]; $0.appliesToAll = true
                }, 0, "[all parts] header x [absent]"
            ),
            (
                part {
                    $0.appliesToAll = true; $0.body = [.contains("o"), .contains("tw")]
                }, 0.25, "[all parts] body [contains] o, body [contains] tw"
            ),
        ] as [(MultipartCondition, Double, String)]
    )
    func partsAreComparedWithAllConditions(condition: MultipartCondition, distance: Double, expected: String) throws {
        let facts = facts("POST", "/", headers: ["Content-Type: multipart/form-data; boundary=b"], body: Self.upload)
        var request = StubRequest()
        request.multipart = [condition]
        #expect(try matches(request, facts) == (distance == 0))
        let verdict = try #require(try CompiledStubRequest(request).verdicts(on: facts).first)
        #expect(verdict.distance == distance)
        #expect(verdict.expected == expected)
        #expect(verdict.found == "2 parts")
    }

    private static func request(_ change: (inout StubRequest) -> Void) -> StubRequest {
        var request = StubRequest()
        change(&request)
        return request
    }

    private static let words = String(repeating: "a", count: 60)

    /// Wherever they are in the mapping, so that most requests need few steps. The first condition takes more than there
    /// are.
    @Test(
        arguments: [
            (request { $0.body = [.matches("[a-z]+")] }, request { $0.host = .equalTo("x") }),
            (request { $0.body = [.matches("[a-z]+")] }, request { $0.clientIP = .equalTo("x") }),
            (request { $0.body = [.matches("[a-z]+")] }, request { $0.headers = [NamedMatcher("x", .equalTo("x"))] }),
            (request { $0.body = [.matches("[a-z]+")] }, request { $0.query = [NamedMatcher("x", .equalTo("x"))] }),
            (request { $0.body = [.matches("[a-z]+")] }, request { $0.form = [NamedMatcher("x", .equalTo("x"))] }),
            (request { $0.body = [.matches("[a-z]+")] }, request { $0.body = [.equalTo("x")] }),
            (request { $0.body = [.matches("[a-z]+")] }, request { $0.body = [.contains("x")] }),
            (request { $0.body = [.matches("[a-z]+")] }, request { $0.body = [.number(.equal, JSONNumber(1))] }),
            (request { $0.body = [.matches("[a-z]+")] }, request { $0.body = [.matchesPathTemplate("/{a}")] }),
            (request { $0.body = [.matches("[a-z]+")] }, request { $0.body = [.not(.contains("a"))] }),
            (request { $0.body = [.matches("[a-z]+")] }, request { $0.body = [.or([.equalTo("x"), .contains("x")])] }),
            (request { $0.body = [.matchesJSONSchema(["pattern": "[a-z]+"])] }, request { $0.body = [.matches("x")] }),
            (request { $0.body = [.matchesXPath("//b")] }, request { $0.body = [.equalToJSON(["a": 1])] }),
            (
                request { $0.query = [NamedMatcher("q", .matches("[a-z]+"))] },
                request { $0.cookies = [NamedMatcher("c", .absent)] }
            ),
        ] as [(StubRequest, StubRequest)]
    )
    func cheapConditionIsComparedFirst(costly: StubRequest, cheap: StubRequest) throws {
        func refusals(_ request: StubRequest) throws -> Int {
            let facts = facts("POST", "/?q=\(Self.words)", headers: ["Cookie: c=1"], body: Self.words, steps: 10)
            #expect(try !CompiledStubRequest(request).matches(facts))
            return facts.budget.refusals
        }
        #expect(try refusals(costly) > 0)
        var both = costly
        both.host = cheap.host
        both.clientIP = cheap.clientIP
        both.headers = cheap.headers
        both.cookies = cheap.cookies
        both.form = cheap.form
        both.query += cheap.query
        both.body += cheap.body
        #expect(try refusals(both) == 0)
    }

    /// The parts that every stub has weigh 41 together: method 3, URL 10, scheme 3, port 10, host 10, and five that weigh
    /// 1. The others count only if the stub has a condition on them.
    @Test(
        arguments: [
            (request { $0.method = .oneOf(["GET"]) }, 3.0 / 41), (request { $0.url = .matching("/b") }, 10.0 / 41),
            (request { $0.scheme = "https" }, 3.0 / 41), (request { $0.port = 80 }, 10.0 / 41),
            (request { $0.host = .contains("x") }, 10.0 / 41), (request { $0.clientIP = .contains("x") }, 3.0 / 44),
            (
                request {
                    $0.url = .pathTemplate("/a/{id}"); $0.pathParameters = [NamedMatcher("id", .contains("x"))]
                }, 1.0 / 42
            ),
            (request { $0.headers = [NamedMatcher("x", .contains("x"))] }, 1.0 / 41),
            (
                request { $0.headers = [NamedMatcher("x", .contains("x")), NamedMatcher("x-a", .contains("1"))] },
                0.5 / 41
            ),
            (request { $0.query = [NamedMatcher("x", .contains("x"))] }, 1.0 / 41),
            (request { $0.cookies = [NamedMatcher("x", .contains("x"))] }, 1.0 / 41),
            (request { $0.form = [NamedMatcher("x", .contains("x"))] }, 1.0 / 42),
            (request { $0.body = [.contains("x")] }, 1.0 / 41),
            (request { $0.multipart = [MultipartCondition()] }, 1.0 / 41),
            (request { $0.customMatcher = "m" }, 1.0 / 42),
            (
                request {
                    $0.method = .oneOf(["GET"]); $0.url = .matching("/b")
                }, 13.0 / 41
            ),
            (request { $0.headers = [NamedMatcher("x", .absent)] }, 0),
        ] as [(StubRequest, Double)]
    )
    func eachPartOfRequestHasWeight(request: StubRequest, expected: Double) throws {
        let compiled = try CompiledStubRequest(request)
        #expect(abs(compiled.distance(from: Self.sample) - expected) < 1e-15)
        #expect(compiled.matches(Self.sample) == (expected == 0))
    }

    private static var sample: DecodedRequest {
        let type = "Content-Type: application/x-www-form-urlencoded"
        let headers = ["Host: h.test:81", "X-A: 1", "x-a: 2", "Cookie: c=3", type]
        return facts("POST", "/a/7?q=1&q=2", headers: headers, body: "f=4&g")
    }

    @Test(
        arguments: [
            (request { $0.method = .oneOf(["GET", "PUT"]) }, "method: expected GET or PUT, found POST"),
            (request { $0.method = .noneOf(["POST", "PUT"]) }, "method: expected [none of] POST, PUT, found POST"),
            (request { $0.url = .equalTo("/a") }, "url: expected /a, found /a/7?q=1&q=2"),
            (request { $0.url = .path("/b") }, "url: expected [path] /b, found /a/7"),
            (request { $0.url = .matching("/b") }, "url: expected [regex] /b, found /a/7?q=1&q=2"),
            (request { $0.url = .pathMatching("/b") }, "url: expected [path regex] /b, found /a/7"),
            (request { $0.url = .pathTemplate("/b/{x}") }, "url: expected [path template] /b/{x}, found /a/7"),
            (request { $0.scheme = "https" }, "scheme: expected https, found http"),
            (request { $0.port = 80 }, "port: expected 80, found 81"),
            (request { $0.host = .equalTo("x") }, "host: expected [equalTo, ignoring case] x, found h.test"),
            (request { $0.host = .contains("x") }, "host: expected [contains] x, found h.test"),
            (request { $0.clientIP = .equalTo("x") }, "clientIp: expected x, found 10.0.0.7"),
            (
                request {
                    $0.url = .pathTemplate("/a/{id}"); $0.pathParameters = [NamedMatcher("id", .equalTo("8"))]
                },
                "path parameter id: expected 8, found 7"
            ),
            (
                request { $0.headers = [NamedMatcher("X-A", .contains("3"))] },
                "header X-A: expected [contains] 3, found 1, 2"
            ),
            (request { $0.headers = [NamedMatcher("X-B", .equalTo("3"))] }, "header X-B: expected 3, found nothing"),
            (
                request { $0.headers = [NamedMatcher("X-A", .hasExactly([.equalTo("1"), .contains("3")]))] },
                "header X-A: expected [hasExactly] [equalTo] 1, [contains] 3, found 1, 2"
            ),
            (
                request { $0.headers = [NamedMatcher("X-A", .includes([.equalTo("3")]))] },
                "header X-A: expected [includes] [equalTo] 3, found 1, 2"
            ),
            (
                request { $0.basicAuth = .init(username: "u", password: "p") },
                "header Authorization: expected Basic dTpw, found nothing"
            ),
            (request { $0.query = [NamedMatcher("q", .equalTo("3"))] }, "query q: expected 3, found 1, 2"),
            (request { $0.cookies = [NamedMatcher("c", .equalTo("4"))] }, "cookie c: expected 4, found 3"),
            (request { $0.cookies = [NamedMatcher("c", .absent)] }, "cookie c: expected [absent], found 3"),
            (request { $0.cookies = [NamedMatcher("d", .anything)] }, "cookie d: expected [anything], found nothing"),
            (
                request { $0.cookies = [NamedMatcher("c", .not(.equalTo("3")))] },
                "cookie c: expected [not] [equalTo] 3, found 3"
            ),
            (
                request { $0.cookies = [NamedMatcher("c", .or([.equalTo("1"), .contains("2")]))] },
                "cookie c: expected [equalTo] 1 or [contains] 2, found 3"
            ),
            (
                request { $0.cookies = [NamedMatcher("c", .and([.contains("3"), .doesNotContain("3")]))] },
                "cookie c: expected [contains] 3 and [doesNotContain] 3, found 3"
            ),
            (
                request { $0.cookies = [NamedMatcher("c", .number(.greater, JSONNumber(4)))] },
                "cookie c: expected [greaterThanNumber] 4, found 3"
            ),
            (
                request { $0.cookies = [NamedMatcher("c", .date(.init(.before, "2020-01-01")))] },
                "cookie c: expected [before] 2020-01-01, found 3"
            ),
            (request { $0.form = [NamedMatcher("f", .equalTo("5"))] }, "form f: expected 5, found 4"),
            (request { $0.body = [.equalTo("x")] }, "body: expected x, found f=4&g"),
            (request { $0.body = [.binaryEqualTo([0x78])] }, "body: expected [binaryEqualTo] eA==, found f=4&g"),
            (request { $0.body = [.equalToJSON(["a": 1])] }, #"body: expected [equalToJson] {"a":1}, found f=4&g"#),
            (
                request { $0.body = [.matchesJSONPath("$.a", .equalTo("1"))] },
                "body: expected [matchesJsonPath] $.a [equalTo] 1, found f=4&g"
            ),
            (request { $0.body = [.matchesXPath("//a")] }, "body: expected [matchesXPath] //a, found f=4&g"),
            (request { $0.multipart = [MultipartCondition()] }, "multipart: expected [any parts] , found nothing"),
            (request { $0.customMatcher = "m" }, "customMatcher: expected m, found nothing"),
        ] as [(StubRequest, String)]
    )
    func verdictSaysWhatWasExpectedAndFound(request: StubRequest, expected: String) throws {
        let verdicts = try CompiledStubRequest(request).verdicts(on: Self.sample)
        #expect(verdicts.filter { !$0.isMatch }.map(\.description) == [expected])
    }

    @Test func distanceHasWeightsOfParts() throws {
        let compiled = try CompiledStubRequest(StubRequest(method: .oneOf(["GET"]), url: .equalTo("/aaa")))
        // The values are WireMock's.
        #expect(abs(compiled.distance(from: facts("GET", "/aab")) - 0.06097560975609756) < 1e-15)
        #expect(abs(compiled.distance(from: facts("PUT", "/aaa")) - 0.07317073170731707) < 1e-15)
    }

    @Test(arguments: [
        (StubRequest(url: .matching("(")), "/request/urlPattern"),
        (StubRequest(url: .pathMatching("[")), "/request/urlPathPattern"),
    ])
    func problemPointsToURLPattern(request: StubRequest, pointer: String) {
        #expect { try CompiledStubRequest(request) } throws: { ($0 as? StubMatcherProblem)?.pointer == pointer }
    }

    private static let invalid = ValueMatcher.matches("*")

    @Test(
        arguments: [
            (request { $0.host = invalid }, "/host/matches"), (request { $0.clientIP = invalid }, "/clientIp/matches"),
            (request { $0.pathParameters = [NamedMatcher("id", invalid)] }, "/pathParameters/id/matches"),
            (request { $0.query = [NamedMatcher("q", invalid)] }, "/queryParameters/q/matches"),
            (request { $0.cookies = [NamedMatcher("c", invalid)] }, "/cookies/c/matches"),
            (request { $0.form = [NamedMatcher("f", invalid)] }, "/formParameters/f/matches"),
            (request { $0.body = [.anything, invalid] }, "/bodyPatterns/1/matches"),
            (request { $0.body = [.doesNotMatch("*")] }, "/bodyPatterns/0/doesNotMatch"),
            (request { $0.body = [.not(invalid)] }, "/bodyPatterns/0/not/matches"),
            (request { $0.body = [.and([.absent, invalid])] }, "/bodyPatterns/0/and/1/matches"),
            (request { $0.body = [.includes([invalid])] }, "/bodyPatterns/0/includes/0/matches"),
            (request { $0.body = [.hasExactly([invalid])] }, "/bodyPatterns/0/hasExactly/0/matches"),
            (request { $0.body = [.matchesJSONPath("$.a", invalid)] }, "/bodyPatterns/0/matchesJsonPath/matches"),
            (request { $0.body = [.matchesXPath("//a", invalid)] }, "/bodyPatterns/0/matchesXPath/matches"),
            (request { $0.body = [.date(.init(.before, "now +1 weeks"))] }, "/bodyPatterns/0/before"),
            (request { $0.multipart = [part { $0.fileName = invalid }] }, "/multipartPatterns/0/fileName/matches"),
            (
                request { $0.multipart = [MultipartCondition(), part { $0.headers = [NamedMatcher("H", invalid)] }] },
                "/multipartPatterns/1/headers/H/matches"
            ),
            (
                request { $0.multipart = [part { $0.body = [.anything, invalid] }] },
                "/multipartPatterns/0/bodyPatterns/1/matches"
            ),
        ] as [(StubRequest, String)]
    )
    func problemPointsToItsCondition(request: StubRequest, pointer: String) {
        let problem = #expect(throws: StubMatcherProblem.self) { try CompiledStubRequest(request) }
        #expect(problem?.pointer == "/request\(pointer)")
    }

    /// A matcher within others is at most 64 deep.
    @Test(arguments: [(64, true), (65, false)]) func deeplyNestedMatcherIsRefused(depth: Int, isAccepted: Bool) {
        let matcher = (0..<depth).reduce(ValueMatcher.absent) { matcher, _ in .not(matcher) }
        let compiled = try? CompiledStubRequest(Self.request { $0.body = [matcher] })
        #expect((compiled != nil) == isAccepted)
    }

    @Test func problemPointsToNestedMatcher() {
        var request = StubRequest()
        request.headers = [NamedMatcher("A/b~", .or([.absent, .matches("*")]))]
        #expect { try CompiledStubRequest(request) } throws: { error in
            (error as? StubMatcherProblem)?.pointer == "/request/headers/A~1b~0/or/1/matches"
        }
    }

    @Test func equalitiesHoldForMatchingRequests() throws {
        var request = StubRequest()
        request.query = [NamedMatcher("q", .equalTo("1")), NamedMatcher("r", .contains("1"))]
        request.headers = [NamedMatcher("X-Y", .and([.equalTo("2"), .not(.equalTo("3"))]))]
        request.cookies = [NamedMatcher("c", .or([.equalTo("4"), .absent]))]
        request.form = [
            NamedMatcher("f", .includes([.equalTo("5")])), NamedMatcher("g", .equalTo("6", ignoringCase: true)),
        ]
        request.body = [.equalTo("7"), .matchesJSONPath("$.a", .equalTo("8")), .matchesJSONPath("$.b", .contains("9"))]
        #expect(
            try CompiledStubRequest(request).equalities == [
                .init(.query("q"), "1"), .init(.header("x-y"), "2"),
                .init(.form("f"), "5"), .init(.body, "7"), .init(.jsonPath("$.a"), "8"),
            ]
        )
    }

    @Test func onlyMethodAndURLArePlain() throws {
        var request = StubRequest(method: .oneOf(["GET"]), url: .path("/a"))
        #expect(try CompiledStubRequest(request).isPlain)
        request.headers = [NamedMatcher("a", .absent)]
        #expect(try !CompiledStubRequest(request).isPlain)
        #expect(try !CompiledStubRequest(request).needsBody)
        request.body = [.absent]
        #expect(try CompiledStubRequest(request).needsBody)
    }

    @Test(
        arguments: [
            (request { $0.scheme = "http" }, false), (request { $0.port = 81 }, false),
            (request { $0.host = .anything }, false),
            (request { $0.clientIP = .anything }, false),
            (request { $0.cookies = [NamedMatcher("c", .anything)] }, false),
            (request { $0.query = [NamedMatcher("q", .anything)] }, false),
            (request { $0.form = [NamedMatcher("f", .anything)] }, true), (request { $0.body = [.anything] }, true),
            (request { $0.multipart = [MultipartCondition()] }, true), (request { $0.customMatcher = "m" }, false),
        ] as [(StubRequest, Bool)]
    )
    func otherConditionsAreNotPlain(request: StubRequest, needsBody: Bool) throws {
        let compiled = try CompiledStubRequest(request)
        #expect(!compiled.isPlain)
        #expect(compiled.needsBody == needsBody)
    }
}
