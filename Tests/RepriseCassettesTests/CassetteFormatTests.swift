// SPDX-License-Identifier: Apache-2.0

import RepriseText
import Testing

@testable import RepriseCassettes

@Suite struct CassetteFormatTests {
    private static let request = RecordedRequest(method: "GET", url: "/a?k=[redacted:b]&l=%5Bredacted%5D")

    private func text(_ cassette: Cassette) throws -> String {
        String(decoding: try CassetteWriter.write(cassette).bytes, as: UTF8.self)
    }

    private func read(_ text: String) throws -> Cassette {
        try CassetteReader.read(Array(text.utf8), file: "a", bodies: .inMemory([:])).cassette
    }

    private func problems(_ text: String) -> [String] {
        do {
            _ = try CassetteReader.read(Array(text.utf8), file: "a", bodies: .inMemory([:]))
            return []
        } catch {
            return error.problems.map(\.description)
        }
    }

    @Test func writesFormatOneIfNothingElseIsNeeded() throws {
        let exchange = Exchange(request: Self.request, outcome: .failure(.cancelled))
        let text = try text(Cassette(exchanges: [exchange]))
        #expect(text.hasPrefix("{\n  \"reprise\": 1,\n  \"exchanges\": ["))
        #expect(try read(text).standIns == nil)
    }

    @Test func writesTableInFormatTwo() throws {
        let standIns = [
            StandIn("[redacted~1]"), StandIn("eyJh.e30.", shape: .jwt),
            StandIn("[redacted~3]", literal: "[redacted]", note: "in a chat"), StandIn("[redacted]"),
        ]
        let text = try text(Cassette(standIns: standIns, note: "n"))
        #expect(
            text == """
                {
                  "reprise": 2,
                  "note": "n",
                  "standIns": [
                    {"text": "[redacted~1]"},
                    {"text": "eyJh.e30.", "shape": "jwt"},
                    {"note": "in a chat", "text": "[redacted~3]", "literal": "[redacted]"},
                    {"text": "[redacted]"}
                  ],
                  "exchanges": []
                }

                """
        )
        #expect(try read(text).standIns == standIns)
        #expect(standIns.map(\.hasIdentity) == [true, true, false, false])
    }

    @Test func writesInformationalResponsesAndTrailers() throws {
        var request = Self.request
        request.trailers = [try #require(HeaderLine("Expires: 0"))]
        let hints = RecordedResponse.Informational(
            status: 103,
            reason: "Early Hints",
            headers: [try #require(HeaderLine("Link: </a.css>"))],
            delay: .milliseconds(1)
        )
        let steps = [StreamStep(.bytes([0x41])), StreamStep(.end(.cancelled))]
        let response = RecordedResponse(status: 200, content: .stream(steps), informational: [hints])
        let text = try text(Cassette(exchanges: [Exchange(request: request, outcome: .response(response))]))
        #expect(
            text == """
                {
                  "reprise": 2,
                  "standIns": [
                    {"text": "[redacted:b]"},
                    {"text": "[redacted]"}
                  ],
                  "exchanges": [
                    {
                      "request": {
                        "method": "GET",
                        "url": "/a?k=[redacted:b]&l=%5Bredacted%5D",
                        "trailers": [
                          "Expires: 0"
                        ]
                      },
                      "response": {
                        "informational": [
                          {
                            "status": "103 Early Hints",
                            "after": 1.0,
                            "headers": [
                              "Link: </a.css>"
                            ]
                          }
                        ],
                        "status": "200",
                        "stream": [
                          {"after": 0.0, "text": "A"},
                          {"after": 0.0, "end": "cancelled"}
                        ]
                      }
                    }
                  ]
                }

                """
        )
        #expect(try self.text(read(text)) == text)
    }

    @Test func keepsMeaningOfMarkersInFormatTwo() throws {
        let file = FileSource(path: "/x", name: "x", offset: 0, size: 1)
        let exchanges = [
            Exchange(
                request: RecordedRequest(method: "POST", url: "/", body: RecordedBody(.file(file))),
                outcome: .failure(.tls)
            )
        ]
        let cassette = Cassette(exchanges: exchanges)
        #expect(cassette.listingMarkers().standIns == [StandIn("[redacted]")])
        let listed = cassette.listingMarkers { _ in Array("[redacted~1] [redacted:x]".utf8) }
        #expect(listed.standIns == [StandIn("[redacted:x]")])
        #expect(Cassette(exchanges: exchanges, standIns: []).listingMarkers().standIns == [])
    }

    @Test func readsFormatTwoWithoutTable() throws {
        #expect(try read(#"{"exchanges": [], "reprise": 2}"#).standIns == [])
    }

    @Test(arguments: [
        (
            #"{"reprise": 1, "standIns": [], "exchanges": []}"#,
            #"a:1:16: expected "reprise": 2 in a cassette with "standIns", found 1"#
        ),
        (
            #"{"reprise": 2, "standIns": {}, "exchanges": []}"#,
            #"a:1:28: expected an array of stand-ins for "standIns", found an object"#
        ),
        (
            #"{"reprise": 2, "standIns": [1], "exchanges": []}"#,
            #"a:1:29: expected an object for the stand-in, found the number 1"#
        ),
        (
            #"{"reprise": 2, "standIns": [{}], "exchanges": []}"#,
            #"a:1:29: expected "text" in the stand-in, found none"#
        ),
        (
            #"{"reprise": 2, "standIns": [{"text": "x"}], "exchanges": []}"#,
            #"a:1:29: expected a marker such as "[redacted~1]" for "text", or a "shape" beside it, found "x""#
        ),
        (
            #"{"reprise": 2, "standIns": [{"text": "x", "shape": "guid"}], "exchanges": []}"#,
            #"a:1:52: expected one of "jwt", "uuid", "base64", "hex", "digits" for "shape", found "guid"; "#
                + #"did you mean "uuid"?"#
        ),
        (
            #"{"reprise": 2, "standIns": [{"text": "", "shape": "hex"}], "exchanges": []}"#,
            #"a:1:29: expected the text of a stand-in for "text", found an empty string"#
        ),
        (
            #"{"reprise": 2, "standIns": [{"text": "[redacted]", "literal": "x"}], "exchanges": []}"#,
            #"a:1:29: expected a marker with a number beside "literal", such as "[redacted~1]", found "[redacted]""#
        ),
        (
            #"{"reprise": 2, "standIns": [{"text": "x", "shape": "hex", "literal": "x"}], "exchanges": []}"#,
            #"a:1:29: expected either "shape" or "literal", found both"#
        ),
        (
            #"{"reprise": 2, "standIns": [{"text": "[redacted~1]", "literal": "x"}], "exchanges": []}"#,
            #"a:1:29: expected a text that would otherwise be a marker for "literal", such as "[redacted]", "#
                + #"found "x""#
        ),
        (
            #"{"reprise": 2, "standIns": [{"text": "[redacted]"}, {"text": "[redacted]"}], "exchanges": []}"#,
            #"a:1:53: expected each text once in "standIns", found "[redacted]" again"#
        ),
    ])
    func reportsInvalidTable(text: String, problem: String) {
        #expect(problems(text) == [problem])
    }

    @Test(arguments: [
        (
            #""informational": [{"status": "200"}]"#,
            #"a:1:115: expected an informational status, from 100 to 199 except 101, found 200"#
        ),
        (#""informational": [{}]"#, #"a:1:104: expected "status" in the informational response, found none"#),
        (#""informational": 1"#, #"a:1:103: expected an array of responses for "informational", found the number 1"#),
    ])
    func reportsInvalidInformationalResponse(member: String, problem: String) {
        let text =
            #"{"reprise": 2, "exchanges": [{"request": {"method": "GET", "url": "/"}, "response": {\#(member), "#
            + #""status": "200"}}]}"#
        #expect(problems(text) == [problem])
    }

    @Test func reportsNewFeaturesInFormatOne() {
        let text =
            #"{"reprise": 1, "exchanges": [{"request": {"method": "GET", "url": "/", "trailers": []}, "#
            + #""response": {"status": "200", "informational": [], "stream": [{"end": "cancelled"}]}}]}"#
        #expect(
            problems(text) == [
                #"a:1:72: expected "reprise": 2 in a cassette with trailers of a request, found 1"#,
                #"a:1:119: expected "reprise": 2 in a cassette with "informational", found 1"#,
                #"a:1:159: expected "reprise": 2 in a cassette with the ending "cancelled", found 1"#,
            ]
        )
    }
}
