// SPDX-License-Identifier: Apache-2.0

import RepriseAdmin
import RepriseDocuments
import RepriseStubs
import RepriseText
import Testing

@Suite struct AdminModelTests {
    private static let mapping: StubMapping = {
        var mapping = StubMapping(.post("/orders"), response: StubResponse(status: 201))
        mapping.id = "0b6f0000-0000-4000-8000-000000000001"
        mapping.name = "an order"
        mapping.priority = 3
        mapping.isPersistent = true
        mapping.scenario = StubMapping.Scenario(name: "cart", requiredState: "full", newState: "paid")
        mapping.metadata = ["team": "shop"]
        return mapping
    }()

    private static let request: LoggedRequest = {
        var request = LoggedRequest(method: "POST", url: "/orders?x=1&x=2&y=")
        request.absoluteURL = "http://shop.test:8080/orders?x=1&x=2&y="
        request.clientIP = "127.0.0.1"
        request.headers = [NamedValues("Accept", ["a", "b"]), NamedValues("Host", ["shop.test:8080"])]
        request.cookies = [NamedValues("id", ["7"])]
        request.body = [0xFF, 0x00, 0x61]
        request.isBodyComplete = false
        request.loggedDate = 1_795_402_901_978
        request.httpVersion = "HTTP/1.1"
        request.scheme = "http"
        request.host = "shop.test"
        request.port = 8080
        request.query = [NamedValues("x", ["1", "2"]), NamedValues("y", [""])]
        request.form = [NamedValues("f", ["g"])]
        return request
    }()

    private static let event = ServeEvent(
        id: "0b6f0000-0000-4000-8000-000000000002",
        request: request,
        response: LoggedResponse(status: 201, headers: [NamedValues("X", ["1"])], body: Array("é".utf8), fault: "F"),
        wasMatched: true,
        timing: ServeTiming(addedDelay: 1, processTime: 2, responseSendTime: 3, serveTime: 4, totalTime: 5),
        stub: mapping,
        origin: ServeEvent.Origin(fixture: "a.json:3", ordinal: 2, session: "s")
    )

    private static let shapes: [any AdminModel] = [
        mapping, mapping.request, request, LoggedRequest(method: "GET", url: "/"), event,
        AdminList<ServeEvent>([event], total: 7, dropped: 2), AdminList<LoggedRequest>([request]),
        VerificationCount(3),
        AdminList<NearMiss>([
            NearMiss(
                request,
                stub: mapping,
                distance: 0.25,
                conditions: [
                    NearMiss.Condition(field: "url", expected: "/a", found: nil, isMatch: false),
                    NearMiss.Condition(field: "method", expected: "GET", found: "GET", isMatch: true),
                ]
            ),
            NearMiss(request, pattern: mapping.request, distance: 0),
        ]),
        AdminList<StubMapping>([mapping], total: 9),
        StubImport([mapping], duplicatePolicy: .ignore, deletesOthers: true),
        AdminList<ScenarioState>([
            ScenarioState(name: "cart", state: "full", possibleStates: ["Started", "full"], mappings: [mapping])
        ]),
        ServerSettings(
            delay: StubDelay(fixed: .milliseconds(20), distribution: .uniform(lower: 1, upper: 5)),
            extended: [JSONTree.Member("a", ["b": 1])],
            proxyPassThrough: true
        ),
        AdminErrors([
            AdminErrors.Reason(code: 10, pointer: "/request", title: "t", detail: "d"),
            AdminErrors.Reason(code: 404, title: "gone"),
        ]),
        ServerHealth(version: "1", uptime: 3, time: 1_795_402_901_978), ServerVersion("2.0"),
        ServerSession(
            id: "s",
            url: "http://127.0.0.1:9",
            prefixURL: "http://127.0.0.1:8/__session/s",
            header: NamedValues("Reprise-Session", ["s"])
        ),
    ]

    @Test(arguments: shapes.indices)
    func shapeSurvivesWritingAndReading(index: Int) throws {
        func check<Model: AdminModel>(_ model: Model) throws {
            #expect(try Model(json: model.json) == model)
            #expect(try Model(parsing: model.json.bytes) == model)
        }
        try check(Self.shapes[index])
    }

    @Test func mappingHasWireMocksMembersInOrder() throws {
        #expect(
            String(decoding: Self.mapping.json.bytes, as: UTF8.self) == """
                {"id":"0b6f0000-0000-4000-8000-000000000001","name":"an order","request":{"urlPath":"/orders","method":\
                "POST"},"response":{"status":201},"uuid":"0b6f0000-0000-4000-8000-000000000001","persistent":true,\
                "priority":3,"scenarioName":"cart","requiredScenarioState":"full","newScenarioState":"paid",\
                "metadata":{"team":"shop"}}
                """
        )
        #expect(names(StubMapping().json["request"]) == ["method"])
    }

    @Test(arguments: ["requestBodyPattern", "requestBodyPatternFactory"])
    func recordingHasEitherNameOfItsBodyPattern(name: String) throws {
        let json: JSONTree = .object([.init(name, ["matcher": "equalToXml"])])
        #expect(try RecordingSpec(json: json).body.kind == .equalToXML)
        let invalid: JSONTree = .object([.init(name, ["matcher": "x"])])
        #expect { try RecordingSpec(json: invalid) } throws: { "\($0)".hasPrefix("/\(name)/matcher: ") }
    }

    /// Where an option of a recording is, what it sets, and its default.
    private static let options: [(path: [String], value: @Sendable (RecordingSpec) -> Bool?, standard: Bool?)] = [
        (["persist"], { $0.isPersistent }, nil), (["repeatsAsScenarios"], { $0.repeatsAsScenarios }, true),
        (["filters", "allowNonProxied"], { $0.includesOwnAnswers }, false),
        (["captureHeaders", "X", "caseInsensitive"], { $0.headers.first?.ignoresCase }, false),
        (["requestBodyPattern", "caseInsensitive"], { $0.body.ignoresCase }, false),
        (["requestBodyPattern", "ignoreArrayOrder"], { $0.body.ignoresArrayOrder }, true),
        (["requestBodyPattern", "ignoreExtraElements"], { $0.body.ignoresExtraElements }, true),
    ]

    @Test(arguments: options.indices) func recordingReadsOption(index: Int) throws {
        let (path, value, standard) = Self.options[index]
        func spec(_ option: JSONTree?) throws -> RecordingSpec {
            var json = JSONTree.object(option.map { [JSONTree.Member(path[path.count - 1], $0)] } ?? [])
            for name in path.dropLast().reversed() { json = .object([JSONTree.Member(name, json)]) }
            return try RecordingSpec(json: json)
        }
        #expect(value(try spec(nil)) == standard)
        for option in [false, true] { #expect(value(try spec(.bool(option))) == option) }
        let error = #expect(throws: AdminModelError.self) { try spec("x") }
        #expect(error?.pointer == "/" + path.joined(separator: "/"))
    }

    @Test func mappingIsAnsweredAsItWasSent() throws {
        let sent: JSONTree = [
            "request": ["basicAuthCredentials": ["username": "u", "password": "p"]],
            "response": ["status": "201"], "postServeActions": ["webhook": ["url": "http://a.test"]],
        ]
        let json = try StubMapping(json: sent).json
        #expect(json["request"]?["basicAuthCredentials"]?["username"] == "u")
        #expect(json["request"]?["method"] == "ANY")
        #expect(json["response"] == ["status": 201])
        #expect(json["postServeActions"] == sent["postServeActions"])
        #expect(json["serveEventListeners"] == nil)
    }

    @Test func requestHasWireMocksMembersInOrder() {
        var request = Self.request
        request.isBodyComplete = true
        request.form = []
        #expect(
            names(request.json) == [
                "url", "absoluteUrl", "method", "clientIp", "headers", "cookies", "browserProxyRequest", "loggedDate",
                "bodyAsBase64", "body", "protocol", "scheme", "host", "port", "loggedDateString", "queryParams",
            ]
        )
        #expect(request.json["loggedDateString"] == "2026-11-23T03:01:41Z")
        #expect(request.json["queryParams"]?["x"] == ["key": "x", "values": ["1", "2"]])
        #expect(request.json["headers"] == ["Accept": ["a", "b"], "Host": "shop.test:8080"])
    }

    @Test func missNamesNoConfiguredStub() {
        var event = Self.event
        event.wasMatched = false
        #expect(event.json["responseDefinition"]?["fromConfiguredStub"] == false)
        #expect(event.json["stubMapping"]?["response"]?["fromConfiguredStub"] == false)
        #expect(Self.event.json["responseDefinition"]?["fromConfiguredStub"] == nil)
    }

    @Test func missThatIsReadAndWrittenAgainStaysTheSame() throws {
        var event = Self.event
        event.wasMatched = false
        let read = try ServeEvent(parsing: event.json.bytes)
        #expect(String(decoding: read.json.bytes, as: UTF8.self) == String(decoding: event.json.bytes, as: UTF8.self))
    }

    @Test func eventHasWireMocksMembersInOrder() {
        #expect(
            names(Self.event.json) == [
                "id", "request", "responseDefinition", "response", "wasMatched", "timing", "stubMapping", "reprise",
            ]
        )
        #expect(names(Self.event.json["response"]) == ["status", "headers", "bodyAsBase64", "fault", "body"])
    }

    @Test(arguments: [
        (#"{"requests": [{"id": 1}]}"#, "/requests/0/id"), (#"{"requests": {}}"#, "/requests"), ("[]", ""), ("{", ""),
        (#"{"requests": [{"id": "a", "request": {"url": "/", "headers": {"A": 1}}}]}"#, "/requests/0/request/headers"),
    ])
    func mistakeIsReportedWithItsPlace(text: String, pointer: String) {
        let error = #expect(throws: AdminModelError.self) { try AdminList<ServeEvent>(parsing: Array(text.utf8)) }
        #expect(error?.pointer == pointer)
    }

    @Test func mistakeInPartHasPlaceInWhole() {
        let wait = #expect(throws: AdminModelError.self) { try RequestWait(json: ["request": ["urll": "/"]]) }
        #expect(wait?.pointer == "/request/urll")
        let header: JSONTree = ["captureHeaders": ["a/b~": ["caseInsensitive": 1]]]
        let recording = #expect(throws: AdminModelError.self) { try RecordingSpec(json: header) }
        #expect(recording?.pointer == "/captureHeaders/a~1b~0/caseInsensitive")
        let filters: JSONTree = ["filters": ["ids": [], "headers": ["X": ["equalTo": 5]]]]
        let filter = #expect(throws: AdminModelError.self) { try RecordingSpec(json: filters) }
        #expect(filter?.pointer == "/filters/headers/X/equalTo")
    }

    @Test(arguments: [
        #"{"type": "uniform", "lower": 2, "upper": 1}"#, #"{"type": "uniform", "lower": "x", "upper": 1}"#,
        #"{"type": "lognormal", "median": -1, "sigma": 1}"#, #"{"type": "lognormal", "median": 1}"#,
        #"{"type": "fixed", "milliseconds": -1}"#, #"{"type": "fixed", "milliseconds": ""}"#, #"{"type": "fixed"}"#,
        #"{"type": "fixed", "milliseconds": null}"#, #"{"type": "uniform", "lower": "", "upper": ""}"#,
        #"{"type": "lognormal", "median": "", "sigma": ""}"#, "5", #""""#,
    ])
    func delayWithoutAMeaningIsRefused(json: String) throws {
        let settings = Array(#"{"delayDistribution": \#(json)}"#.utf8)
        let error = #expect(throws: AdminModelError.self) { try ServerSettings(parsing: settings) }
        #expect(error?.pointer.hasPrefix("/delayDistribution") == true)
    }

    @Test func receivedSettingsWithUnknownMemberAreRefused() throws {
        let error = #expect(throws: AdminModelError.self) { try ServerSettings(received: ["fixedDelai": 1]) }
        #expect(
            error?.description
                == "/fixedDelai: expected a field of settings, found \"fixedDelai\"; did you mean \"fixedDelay\"?"
        )
        #expect(try ServerSettings(json: ["fixedDelai": 1]) == ServerSettings())
        #expect(throws: AdminModelError.self) { try ServerSettings(received: ["fixedDelay": -1]) }
        let nested = try ServerSettings(received: ["settings": ["fixedDelay": 5]])
        #expect(nested.delay?.fixed == .milliseconds(5))
    }

    @Test func importRefusesUnknownPolicy() {
        let json: JSONTree = ["mappings": [], "importOptions": ["duplicatePolicy": "NOPE"]]
        let error = #expect(throws: AdminModelError.self) { try StubImport(json: json) }
        #expect(error?.pointer == "/importOptions/duplicatePolicy")
    }

    @Test func extendedSettingsAreMerged() {
        var settings = ServerSettings(extended: [JSONTree.Member("a", ["b": 1, "c": 2])])
        settings.merge(extended: [JSONTree.Member("a", ["b": 3]), JSONTree.Member("d", 4)])
        #expect(settings.json == ["settings": ["extended": ["a": ["b": 3, "c": 2], "d": 4]]])
    }

    private func names(_ json: JSONTree?) -> [String] {
        guard case .object(let members)? = json else { return [] }
        return members.map(\.name)
    }
}
