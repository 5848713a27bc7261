// SPDX-License-Identifier: Apache-2.0

import RepriseDocuments
import RepriseText
import Testing

@testable import RepriseStubs

@Suite struct StubMappingWriterTests {
    @Test func writtenMappingsAreReadBackEqual() throws {
        for seed in 0..<2000 as Range<UInt64> {
            var random = RandomMapping(seed: seed)
            let mapping = random.mapping()
            let bytes = StubMappingWriter.write(mapping)
            let again = try StubMappingReader.read(mapping: bytes)
            guard again == mapping else {
                Issue.record("seed \(seed): \(String(decoding: bytes, as: UTF8.self))\n\(mapping)\n\(again)")
                return
            }
            #expect(StubMappingWriter.write(again) == bytes)
        }
    }

    @Test(arguments: [
        #""postServeActions":{"webhook":{"url":"http://a.test"}}"#,
        #""postServeActions":[{"name":"webhook","parameters":{"url":"http://a.test"}}]"#,
        #""serveEventListeners":[{"name":"webhook","parameters":{"method":"GET","url":"http://a.test"}}]"#,
        #""request":{"basicAuthCredentials":{"username":"u","password":"p"}}"#,
        #""request":{"bodyPatterns":[{"equalToJson":"{ \"a\": 1.50 }","ignoreArrayOrder":false}]}"#,
        #""request":{"multipartPatterns":[{"matchingType":"ANY"}],"headers":{"A":{"absent":"(absent)"}}}"#,
        #""response":{"status":200,"body":"","delayDistribution":{"type":"fixed","milliseconds":5}}"#,
        #""response":{"transformerParameters":{},"transformers":[]}"#,
    ])
    func partsAreWrittenAsTheyWereSpelled(part: String) throws {
        // In a file with several mappings, comments, and single quotes, each part has its own spelling.
        let text = "// a\n{'mappings': [{\(part)}, {'request': {'url': '/b'}}]}"
        let mappings = try StubMappingReader.read(Array(text.utf8), file: "f").mappings
        let written = String(decoding: StubMappingWriter.tree(of: mappings[0]).bytes, as: UTF8.self)
        #expect(written.contains(part), "\(written)")
        #expect(StubMappingWriter.tree(of: mappings[1])["request"] == ["url": "/b"])
    }

    @Test func changedPartIsWrittenAnew() throws {
        let text =
            #"{"request": {"basicAuthCredentials": {"username": "u", "password": "p"}}, "response": {"status": "201"}}"#
        var mapping = try StubMappingReader.read(mapping: Array(text.utf8))
        let original = mapping
        mapping.request.url = .path("/a")
        #expect(mapping != original)
        let tree = StubMappingWriter.tree(of: mapping)
        #expect(tree["request"]?["urlPath"] == "/a")
        #expect(tree["request"]?["basicAuth"]?["username"] == "u")
        #expect(tree["response"] == ["status": "201"])
        mapping.response.status = 202
        #expect(StubMappingWriter.tree(of: mapping)["response"] == ["status": 202])
        mapping.webhooks = [Webhook(method: "GET", url: "http://a.test")]
        #expect(StubMappingWriter.tree(of: mapping)["serveEventListeners"] != nil)
    }

    @Test func spellingIsNoPartOfTheValue() throws {
        let sent = try StubMappingReader.read(mapping: Array(#"{"request": {"method": "ANY"}, "response": {}}"#.utf8))
        #expect(sent == StubMapping())
        #expect(Set([sent, StubMapping()]).count == 1)
    }

    @Test func severalMappingsAreReadBackInOrder() throws {
        let mappings = [StubMapping(.get("/a"), .status(204)), StubMapping(.get("/b"), .text("b"))]
        let bytes = StubMappingWriter.write(mappings)
        #expect(try StubMappingReader.read(bytes, file: "f").mappings == mappings)
        #expect(String(decoding: bytes, as: UTF8.self).hasPrefix("{\n  \"mappings\": [\n    {\n      \"request\": {\n"))
    }

    @Test func conditionsOnOneNameAreWrittenAsOne() throws {
        let request = StubRequest.get("/a").query("q", .contains("x")).query("q", .contains("y"))
        let again = try StubMappingReader.read(mapping: StubMappingWriter.write(StubMapping(request, .status(200))))
        #expect(again.request.query == [NamedMatcher("q", .and([.contains("x"), .contains("y")]))])
    }

    @Test(arguments: [
        (Duration.milliseconds(200), "200"), (.microseconds(41200), "41.2"), (.microseconds(1), "0.001"),
        (.zero, "0"), (.seconds(-1), "0"), (.nanoseconds(1500), "0.002"),
    ])
    func timesAreWrittenInMilliseconds(time: Duration, spelling: String) {
        #expect(StubMappingWriter.milliseconds(time).spelling == spelling)
    }

    @Test func templateIsWrittenAsTransformer() {
        var response = StubResponse()
        response.isTemplate = true
        #expect(StubMappingWriter.tree(of: response)["transformers"] == ["response-template"])
        response.isTemplate = false
        #expect(StubMappingWriter.tree(of: response)["template"] == false)
    }

    @Test func deepJSONIsWrittenAsString() throws {
        let text = String(repeating: "[", count: 500) + String(repeating: "]", count: 500)
        let request = StubRequest.get("/").body(.equalToJSON(try JSONTree(parsing: Array(text.utf8))))
        let mapping = StubMapping(request, .status(200))
        #expect(try StubMappingReader.read(mapping: StubMappingWriter.write(mapping)) == mapping)
    }
}
