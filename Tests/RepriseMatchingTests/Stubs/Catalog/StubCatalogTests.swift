// SPDX-License-Identifier: Apache-2.0

import RepriseStubs
import RepriseTestSupport
import RepriseText
import Testing

@testable import RepriseMatching

@Suite struct StubCatalogTests {
    /// Takes an answer. Returns the number of the stub, and whether the request was decoded for it.
    private func take(_ catalog: StubCatalog, _ method: String, _ url: String) -> (stub: Int?, isDecoded: Bool) {
        let request = OwnedRequest(method: method, url: url)
        let (candidates, name) = (catalog.candidates(request.view), Array(method.utf8))
        var isDecoded = false
        let taken = catalog.take(candidates, .early, method: name.span, StubState()) {
            isDecoded = true
            return DecodedRequest(request)
        }
        return (taken?.stub, isDecoded)
    }

    private func catalog(_ requests: [StubRequest]) throws -> StubCatalog {
        StubCatalog(try requests.map { try StubRule(StubMapping($0), source: FixtureSource(file: "m.json")) })
    }

    @Test(arguments: [
        (StubRequest.URLCondition.any, "/x?y"), (.equalTo("/a?b=1"), "/a?b=1"), (.path("/a"), "/a?b=1"),
        (.path("/"), "http://h"), (.path("/"), "http://h?x=1"), (.equalTo("/?x=1"), "http://h?x=1"),
        (.pathTemplate("/u/{id}/x"), "/u/1/x?q"),
    ])
    func methodAndTargetNeedNoDecodedRequest(url: StubRequest.URLCondition, target: String) throws {
        let catalog = try catalog([StubRequest(method: .oneOf(["GET", "PUT"]), url: url)])
        #expect(take(catalog, "PUT", target) == (0, false))
        #expect(take(catalog, "POST", target) == (nil, false))
        #expect(take(catalog, "GET", "/other/path/that/is/longer").isDecoded == false)
    }

    @Test(arguments: [
        StubRequest.URLCondition.matching("/a.*"), .pathMatching("/[a-z]+"), .pathTemplate("/a/x{id}"),
        .pathTemplate("/a/**"),
    ])
    func patternsNeedDecodedRequest(url: StubRequest.URLCondition) throws {
        let catalog = try catalog([StubRequest(method: .noneOf(["PUT"]), url: url)])
        #expect(take(catalog, "GET", "/a/x1").isDecoded)
        #expect(take(catalog, "PUT", "/a/x1") == (nil, false))
    }

    @Test func olderStubWithConditionIsNotAskedBeforePlainOne() throws {
        var conditional = StubRequest(url: .path("/a"))
        conditional.headers = [NamedMatcher("X", .equalTo("1"))]
        #expect(take(try catalog([conditional, StubRequest(url: .path("/a"))]), "GET", "/a") == (1, false))
        #expect(take(try catalog([StubRequest(url: .path("/a")), conditional]), "GET", "/a") == (0, true))
    }

    /// What is found by its target alone is what the conditions accept.
    @Test(arguments: 0..<40) func targetsFoundAreThoseThatMatch(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let words = ["a", "b", "", "{id}", "a%2F"]
        func path(_ words: [String]) -> String {
            "/"
                + (0..<Int.random(in: 1...3, using: &random)).map { _ in words.randomElement(using: &random) ?? "" }
                .joined(separator: "/")
        }
        for _ in 0..<40 {
            let text = path(words)
            let urls: [StubRequest.URLCondition] = [
                .any, .equalTo(text), .equalTo(text + "?q=1"), .path(text), .pathTemplate(text),
            ]
            let request = StubRequest(url: try #require(urls.randomElement(using: &random)))
            let compiled = try CompiledStubRequest(request)
            let target = path(words.filter { $0 != "{id}" }) + (Bool.random(using: &random) ? "?q=1" : "")
            let facts = DecodedRequest(OwnedRequest(method: "GET", url: target))
            #expect((take(try catalog([request]), "GET", target).stub != nil) == compiled.matches(facts))
        }
    }
}
