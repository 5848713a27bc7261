// SPDX-License-Identifier: Apache-2.0

import RepriseMatching
import RepriseStubs
import RepriseText
import Testing

@Suite struct CompiledStubRequestTests {
    private func matches(_ request: StubRequest, _ facts: StubRequestFacts) throws -> Bool {
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
        request.form = [NamedMatcher("f", .includes([.equalTo("5")]))]
        #expect(
            try CompiledStubRequest(request).equalities == [
                .init(.query("q"), "1"), .init(.header("x-y"), "2"),
                .init(.form("f"), "5"),
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
}
