// SPDX-License-Identifier: Apache-2.0

import RepriseText
import Testing

@testable import RepriseStubs

@Suite struct StubProblemTests {
    /// A mapping, the JSON pointer of its only problem, and the message.
    static let problems: [(String, String, String)] = [
        (
            #"{"response": {"boddy": "x"}}"#, "/response/boddy",
            #"expected a field of a response, found "boddy"; did you mean "body"?"#
        ),
        (
            #"{"status": 200}"#, "/status",
            #"expected a field of a stub mapping, found "status"; put it in "response""#
        ),
        (
            #"{"request": {"headers": {"X": {"equalsTo": "a"}}}}"#, "/request/headers/X/equalsTo",
            #"expected a matcher, found "equalsTo"; did you mean "equalTo"?"#
        ),
        (
            #"{"request": {"headers": {"a/b~": {"equalTo": 5}}}}"#, "/request/headers/a~1b~0/equalTo",
            #"expected a string for "equalTo", found the number 5; write it in quotation marks"#
        ),
        (
            #"{"request": {"headers": {"X": "a"}}}"#, "/request/headers/X",
            #"expected a matcher for "X", found the string "a"; write {"equalTo": "a"}"#
        ),
        (
            #"{"request": {"headers": {"X": {}}}}"#, "/request/headers/X",
            #"expected a matcher, such as {"equalTo": "a"}, found none of the known ones"#
        ),
        (
            #"{"request": {"headers": {"X": {"customMatcher": "x"}}}}"#, "/request/headers/X/customMatcher",
            #"expected a matcher, found "customMatcher"; extensions of WireMock do not run here, so use the known matchers instead"#
        ),
        (
            #"{"serveEventListeners": [{"name": "webhook", "parametres": {}}]}"#, "/serveEventListeners/0/parametres",
            #"expected a field of a listener, found "parametres"; did you mean "parameters"?"#
        ),
        (
            #"{"response": {"recorded": "a#1", "bend": [{"afterEvent": 1, "answers": 0, "then": "reset"}]}}"#,
            "/response/bend/0/answers",
            #"expected a number of answers from 1 to 999 for "answers", found the number 0"#
        ),
        (
            #"{"response": {"recorded": "a#1", "bend": [{"answers": 2}]}}"#, "/response/bend/0",
            #"expected one of "insert", "replace", "drop", "repeat", "then", "delay", "bytesPerSecond", "rechunk", "status", "header", "body" in an edit, found none"#
        ),
        (
            #"{"response": {"recorded": "a#1", "bend": [{"body": {"base46": "WA=="}}]}}"#,
            "/response/bend/0/body/base46", #"expected a field of bytes, found "base46"; did you mean "base64"?"#
        ),
        (
            #"{"response": {"bend": [{"event": 1, "drop": true}]}}"#, "/response/bend",
            #"expected "recorded" beside "bend", found none; name the exchange that is edited"#
        ),
        (
            #"{"response": {"recorded": "a#1", "bend": [{"afterEvent": 1, "then": "rest"}]}}"#,
            "/response/bend/0/then",
            #"expected one of "reset", "truncate", "stall" for "then", found the string "rest"; did you mean "reset"?"#
        ),
        (
            #"{"request": {"urlPathTemplate": "/{id}", "pathParameters": {"ids": {"equalTo": "1"}}}}"#,
            "/request/pathParameters/ids",
            #"expected a parameter of "urlPathTemplate", found "ids"; did you mean "id"?"#
        ),
        (
            #"{"request": {"pathParameters": {"id": {"equalTo": "1"}}}}"#, "/request/pathParameters",
            #"expected "urlPathTemplate" beside "pathParameters", found none"#
        ),
        (
            #"{"request": {"bodyPatterns": {"equalTo": "x"}}}"#, "/request/bodyPatterns",
            #"expected an array of matchers for "bodyPatterns", found an object"#
        ),
        (
            #"{"request": {"bodyPatterns": [{"contains": "a"}, {"equalToJson": "{bad"}]}}"#,
            "/request/bodyPatterns/1/equalToJson",
            #"the string for "equalToJson" is not JSON: at byte 1 expected a key or '}', found 'bad'"#
        ),
        (
            #"{"request": {"bodyPatterns": [{"matchesJsonPath": {"contains": "a"}}]}}"#,
            "/request/bodyPatterns/0/matchesJsonPath",
            #"expected "expression" in "matchesJsonPath", found none"#
        ),
        (
            #"{"request": {"method": {}}}"#, "/request/method",
            #"expected "oneOf" or "noneOf" in "method", found neither"#
        ),
        (
            #"{"response": {"base64Body": "!!"}}"#, "/response/base64Body",
            #"expected Base64 for "base64Body", found the string "!!""#
        ),
        (
            #"{"response": {"fault": "EMPTY_RESPONSES"}}"#, "/response/fault",
            #"expected one of "CONNECTION_RESET_BY_PEER", "EMPTY_RESPONSE", "MALFORMED_RESPONSE_CHUNK", "RANDOM_DATA_THEN_CLOSE" for "fault", found the string "EMPTY_RESPONSES"; did you mean "EMPTY_RESPONSE"?"#
        ),
        (
            #"{"response": {"status": "abc"}}"#, "/response/status",
            #"expected a status from 200 to 999 for "status", found the string "abc""#
        ),
        (
            #"{"response": {"headers": {"A": 5}}}"#, "/response/headers/A",
            #"expected a string for "A", found the number 5; write it in quotation marks"#
        ),
        (
            #"{"response": {"delayDistribution": {"median": 5}}}"#, "/response/delayDistribution",
            #"expected "type" in "delayDistribution", found none; use "lognormal", "uniform", or "fixed""#
        ),
        (
            #"{"response": {"stream": [{"end": "reset"}]}}"#, "/response/stream/0/end",
            #"expected a field of a step of a stream, found "end"; use "then" of the response instead"#
        ),
        (
            #"{"response": {"times": 0}}"#, "/response/times",
            #"expected a number of requests, 1 or more, for "times", found the number 0"#
        ),
        (
            #"{"id": "abc"}"#, "/id",
            #"expected a UUID for "id", found the string "abc"; use "name" for a name, or leave it out"#
        ),
        (#"{"metadata": "x"}"#, "/metadata", #"expected an object for "metadata", found the string "x""#),
        (
            #"{"mappings": []}"#, "/mappings",
            #"expected a field of a stub mapping, found "mappings"; send one stub mapping, or import the mappings"#
        ),
        (#"[]"#, "", "expected an object for a stub mapping, found an array"),
        (#"{"a" 1}"#, "", "expected ':' after the key, found '1'"),
    ]

    @Test(arguments: problems)
    func problemHasPointerAndMessage(text: String, pointer: String, message: String) {
        #expect {
            try StubMappingReader.read(mapping: Array(text.utf8))
        } throws: { error in
            let problems = (error as? StubProblems)?.problems
            #expect(problems?.map(\.pointer) == [pointer])
            return problems?.map(\.message) == [message]
        }
    }

    /// A mapping that WireMock reads, and how it is read.
    private static let tolerated: [(String, String)] = [
        (
            #"{"request": {"customMatcher": {"name": "mine"}}}"#,
            #"m:1:31: expected built-in request conditions, found the WireMock extension "mine", which isn't supported; the stub matches no request"#
        ),
        (
            #"{"request": {"port": 0}}"#,
            #"m:1:22: expected a port from 1 to 65535 for "port", found the number 0; the stub matches no request"#
        ),
        (
            #"{"request": {"scheme": "ftp"}}"#,
            #"m:1:24: expected "http" or "https" for "scheme", found the string "ftp"; the stub matches no request"#
        ),
        (
            #"{"request": {"method": ""}}"#,
            #"m:1:24: expected a method, such as "GET", for "method", found the string ""; the stub matches no request"#
        ),
        (
            #"{"request": {"headers": {"X": {"equalTo": "a", "equalsTo": "b"}}}}"#,
            #"m:1:48: expected a matcher, found "equalsTo"; did you mean "equalTo"?; it has no effect beside "equalTo""#
        ),
        (
            #"{"request": {"headers": {"X": {"equalTo": "a", "caseInsensitive": "yes"}}}}"#,
            #"m:1:67: expected true or false for "caseInsensitive", found the string "yes"; it counts as false"#
        ),
        (
            #"{"serveEventListeners": [{"name": "log", "parameters": {}}]}"#,
            #"m:1:35: expected the listener "webhook", found "log"; extensions of WireMock do not run here, so remove it; nothing is sent"#
        ),
        (
            #"{"postServeActions": [{"name": "webhook", "parameters": {}}]}"#,
            #"m:1:57: expected "url" in a webhook, found none; nothing is sent"#
        ),
        (
            #"{"response": {"status": "201"}}"#,
            #"m:1:25: expected a status from 200 to 999 for "status", found the string "201"; it counts as 201"#
        ),
        (
            #"{"response": {"status": 99}}"#,
            #"m:1:25: expected a status from 200 to 999 for "status", found the number 99; the stub answers 500"#
        ),
        (
            #"{"id": " AAECAwQFBgcICQoLDA0ODw== "}"#,
            #"m:1:8: expected a UUID for "id", found the string " AAECAwQFBgcICQoLDA0ODw== "; it counts as 00010203-0405-0607-0809-0a0b0c0d0e0f"#
        ),
        (
            #"{"request": {"basicAuth": {"username": "u"}}}"#,
            #"m:1:27: expected "password" in basicAuth, found none; as in WireMock, "null" counts as one"#
        ),
        (
            #"{"request": {"multipartPatterns": [{"matchingType": 1}]}}"#,
            #"m:1:53: expected one of "ALL", "ANY" for "matchingType", found the number 1; it counts as "ANY""#
        ),
        (
            #"{"response": {"fault": " EMPTY_RESPONSE"}}"#,
            #"m:1:24: expected one of "CONNECTION_RESET_BY_PEER", "EMPTY_RESPONSE", "MALFORMED_RESPONSE_CHUNK", "RANDOM_DATA_THEN_CLOSE" for "fault", found the string " EMPTY_RESPONSE"; it counts as "EMPTY_RESPONSE""#
        ),
        (
            #"{"response": {"headers": "X"}}"#,
            #"m:1:26: expected an object for "headers", found the string "X"; no header field is sent"#
        ),
        (
            #"{"response": {"fixedDelayMilliseconds": -5}}"#,
            #"m:1:41: expected milliseconds from 0 to 31 days for "fixedDelayMilliseconds", found the number -5; it counts as none"#
        ),
        (
            #"{"response": {"delayDistribution": {"type": "fixed", "milliseconds": ""}}}"#,
            #"m:1:70: expected milliseconds for "milliseconds", found the string ""; there is no delay"#
        ),
        (
            #"{"response": {"delayDistribution": {"type": "uniform", "lower": 5, "upper": 2}}}"#,
            #"m:1:36: expected "upper" to be at least "lower" (5), found 2; there is no delay"#
        ),
        (
            #"{"response": {"chunkedDribbleDelay": {"numberOfChunks": 0, "totalDuration": 5}}}"#,
            #"m:1:57: expected a number of chunks, 1 or more, for "numberOfChunks", found the number 0; the content is sent as a whole"#
        ),
        ("{}\n{}", "m:2:1: expected one value, found more after it, which is ignored"),
        (#"{"request": {}} /* a */ ]"#, "m:1:25: expected one value, found more after it, which is ignored"),
        ("{} trailing", "m:1:4: expected one value, found more after it, which is ignored"),
    ]

    @Test(arguments: tolerated)
    func whatWireMockReadsIsReadAndReported(text: String, message: String) throws {
        let read = try StubMappingReader.read(Array(text.utf8), file: "m")
        #expect(read.tolerated.map(\.description) == [message])
        #expect(read.mappings.count == 1)
        // Over the admin API too.
        #expect(try StubMappingReader.read(mapping: Array(text.utf8)) == read.mappings[0])
    }

    @Test(arguments: [
        ("200.5", 200), ("-1", 200), ("0", 200), ("\" 200 \"", 200), ("201", 201), ("99", 99), ("1e3", 1000),
    ])
    func statusIsReadAsInWireMock(text: String, status: Int) throws {
        let text = #"{"response": {"status": \#(text)}}"#
        let read = try StubMappingReader.read(Array(text.utf8), file: "m")
        #expect(read.mappings[0].response.status == status)
        #expect(read.tolerated.isEmpty == (status == 201))
    }

    @Test(arguments: [
        ("0", StubResponse.Fault.connectionReset), ("1", .emptyResponse), ("2", .malformedResponseChunk),
        ("\"3\"", .randomDataThenClose), ("\"01\"", .emptyResponse),
    ])
    func faultIsReadByItsNumber(text: String, fault: StubResponse.Fault) throws {
        #expect(
            try StubMappingReader.read(mapping: Array(#"{"response": {"fault": \#(text)}}"#.utf8)).response.fault
                == fault
        )
    }

    @Test(arguments: [
        #"{"response": {"fault": 4}}"#, #"{"response": {"fault": 1.0}}"#, #"{"response": {"fault": -1}}"#,
        #"{"response": {"fault": true}}"#, #"{"response": {"fault": ""}}"#, #"{"id": "AAECAwQFBgcICQoLDA0ODw"}"#,
        #"{"id": "AAECAwQFBgcICQoL_A0ODw=="}"#, #"{"id": "AAECAwQFBgcICQoLDA0ODwAA"}"#,
        #"{"request": {"basicAuth": {"username": "u", "pasword": "p"}}}"#, #"{"request": {"basicAuth": "u"}}"#,
    ])
    func whatWireMockRefusesIsRefused(text: String) {
        #expect(throws: StubProblems.self) { try StubMappingReader.read(mapping: Array(text.utf8)) }
    }

    @Test(arguments: [
        ("\"2d22f1a4-0000-4000-8000-00000000000A \"", "2d22f1a4-0000-4000-8000-00000000000a"), ("\"\"", nil),
        ("\"  \"", nil), ("null", nil),
    ])
    func identifierIsTrimmed(text: String, id: String?) throws {
        #expect(try StubMappingReader.read(mapping: Array(#"{"id": \#(text)}"#.utf8)).id == id)
    }

    @Test func allProblemsOfFileAreReportedInOrderWithPlaces() {
        let text = """
            // é
            {'mappings': [
              {"request": {"urll": "/"}, 'prioriti': 1},
              {"response": {"statuss": 2}}
            ]}
            """
        #expect {
            try StubMappingReader.read(Array(text.utf8), file: "m.json")
        } throws: { error in
            (error as? FixtureProblems)?.description == """
                m.json:3:16: expected a field of a request, found "urll"; did you mean "url"?
                m.json:3:30: expected a field of a stub mapping, found "prioriti"; did you mean "priority"?
                m.json:4:17: expected a field of a response, found "statuss"; did you mean "status"?
                """
        }
    }

    @Test(arguments: [#"'a"b'"#, #"'a\'b'"#, #""a\'b""#, #"/* c */ 'a"\'"' "#])
    func placeAfterLenientTextIsExact(value: String) {
        let start = "{\"name\": \(value), "
        #expect {
            try StubMappingReader.read(mapping: Array("\(start)'prioriti': 1}".utf8))
        } throws: { error in
            (error as? StubProblems)?.problems.map(\.location) == [FilePosition(line: 1, column: start.count + 1)]
        }
    }

    @Test func numberOfProblemsIsBounded() {
        let text = #"{"mappings": ["# + Array(repeating: #"{"x": 1}"#, count: 1000).joined(separator: ",") + "]}"
        #expect {
            try StubMappingReader.read(Array(text.utf8), file: "m.json")
        } throws: { error in
            let problems = (error as? FixtureProblems)?.problems
            return problems?.count == 101 && problems?.last?.message == "and more; the first 100 are shown"
        }
    }

    @Test(arguments: [
        (#"{"request": {"method": "get"}}"#, #"m:1:24: methods are case-sensitive, and clients send "GET", not "get""#),
        (#"{"requiredScenarioState": "a"}"#, #"m:1:27: a state has no effect without "scenarioName""#),
        (#"{"response": {"body": "a", "jsonBody": 1}}"#, #"m:1:40: "jsonBody" has no effect beside "body""#),
        (
            #"{"response": {"transformers": ["mine"]}}"#,
            #"m:1:32: the transformer "mine" has no effect, because extensions of WireMock do not run here"#
        ),
        (
            #"{"response": {"proxyUrlPrefixToRemove": "/a"}}"#,
            #"m:1:41: "proxyUrlPrefixToRemove" has no effect without "proxyBaseUrl""#
        ),
        (
            #"{"request": {"urlPath": "/b", "url": "/a"}}"#,
            #"m:1:25: "urlPath" has no effect beside "url""#
        ),
        (
            #"{"request": {"host": {"equalTo": "a", "contains": "b"}}}"#,
            #"m:1:39: "contains" has no effect beside "equalTo"; use "and" for both"#
        ),
        (
            #"{"request": {"host": {"contains": "a", "caseInsensitive": true}}}"#,
            #"m:1:40: "caseInsensitive" has no effect on "contains""#
        ),
        (
            #"{"request": {"headers": {"A": {"absent": false}}}}"#,
            #"m:1:42: "absent": false means absent too, as in WireMock; write {"matches": ".*"} for any value"#
        ),
        (#"{"name": "a", "name": "b"}"#, #"m:1:15: "name" is given twice; the last one counts"#),
    ])
    func partWithoutEffectIsNoted(text: String, note: String) throws {
        #expect(try StubMappingReader.read(Array(text.utf8), file: "m").notes.map(\.description) == [note])
    }
}
