// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import RepriseIO
import RepriseServer
import Testing

@testable import RepriseCommand
@testable import RepriseRecording

@Suite struct RunPlanTests {
    private func plan(
        cassette: String? = "a.cassette.json",
        upstream: String? = "http://x",
        _ mode: RunMode? = nil,
        exists: Bool = true,
        fixtures: [String] = [],
        environment: [String: String] = [:]
    ) throws -> RunPlan {
        let arguments = RunPlan.Arguments(
            fixtures: fixtures,
            cassette: cassette,
            upstream: upstream,
            mode: mode,
            command: ["npm", "test"]
        )
        return try RunPlan(arguments, cassetteExists: exists, environment: environment)
    }

    @Test(
        arguments: [
            (nil, true, false), (.replay, true, false), (.once, true, false), (.once, false, true),
            (.record, true, true),
            (.record, false, true),
        ] as [(RunMode?, Bool, Bool)]
    )
    func modeDecidesWhetherToRecord(mode: RunMode?, exists: Bool, records: Bool) throws {
        let source = try plan(mode, exists: exists).source
        #expect(
            source
                == (records
                    ? .recording(url: "http://x", cassette: "a.cassette.json") : .fixtures(["a.cassette.json"]))
        )
        if records {
            #expect(throws: ValidationError.self) { try plan(mode, exists: exists, environment: ["CI": "1"]) }
            let environment = ["CI": "1", "REPRISE_ALLOW_NETWORK": "1"]
            #expect(try plan(mode, exists: exists, environment: environment).source == source)
        }
    }

    @Test func missingArgumentsAreNamed() {
        func expect(_ text: String, _ body: () throws -> RunPlan) {
            #expect(performing: body, throws: { ($0 as? ValidationError)?.message.contains(text) == true })
        }
        expect("does not exist; to record it") { try plan(exists: false) }
        expect("expected --serve or a cassette, found neither") { try plan(cassette: nil) }
        expect("write the command after --") { try plan(cassette: "npm") }
        expect("expected --serve or a cassette, found both") { try plan(fixtures: ["F"]) }
    }

    @Test func cassetteWithoutUpstreamIsForTheProxy() throws {
        #expect(try plan().usesProxy == false)
        #expect(try plan(upstream: nil).usesProxy)
        let recording = try plan(upstream: nil, .record)
        #expect(recording.source == .recording(url: nil, cassette: "a.cassette.json"))
        #expect(recording.usesProxy)
        #expect(recording.hint.contains("https_proxy"))
    }

    @Test(arguments: [
        ("API_URL", "http://h:1"), ("API_URL=/v1", "http://h:1/v1"), ("API_URL={url}/", "http://h:1/"),
        ("P={port}", "1"), ("A={host}:{port}", "h:1"), ("A=b", nil), ("A=", nil), ("1A", nil), ("", nil), ("a-b", nil),
    ])
    func variableHasAddressOfServer(text: String, value: String?) {
        #expect(RunVariable(text)?.value("http://h:1", host: "h", port: 1) == value)
    }

    @Test func readsGroupOfProcess() {
        let line = "4711 (my (odd) name) S 1 4700 4600 0 -1"
        #expect(LeftoverProcesses.name(line, inGroup: 4700) == "my (odd) name")
        #expect(LeftoverProcesses.name(line, inGroup: 4600) == nil)
        #expect(LeftoverProcesses.name("4711 (sh) Z 1 4700 4600", inGroup: 4700) == nil)
        for line in ["", "1", "1 )(", "1 (a)", "1 (a) S"] {
            #expect(LeftoverProcesses.name(line, inGroup: 4700) == nil)
        }
    }
}

@Suite struct RunVerdictTests {
    private static let answered = TrafficSummary(requestCount: 2)
    private static let miss = TrafficSummary(
        requestCount: 2,
        unanswered: [.init(request: "GET /a", explanation: "No fixture answers GET /a.")]
    )
    @Test(
        arguments: [
            (.exited(0), answered, nil, 0), (.exited(3), answered, nil, 3), (.exited(0), miss, nil, 70),
            (.exited(3), miss, nil, 3), (.exited(0), TrafficSummary(requestCount: 0), nil, 70),
            (.exited(70), answered, nil, 70), (.killed(signal: 9), miss, nil, 137),
            (.exited(0), answered, .finished(exchanges: 2, refused: 0, notes: [], path: "a"), 0),
            (.exited(0), answered, .failed("full"), 70),
            (.exited(0), answered, .finished(exchanges: 2, refused: 1, notes: [], path: "a"), 70),
            (.exited(1), answered, .abandoned(path: "a", exists: true), 1),
            (.exited(0), answered, .abandoned(path: "a", exists: true, shortcomings: "it is not complete"), 70),
        ] as [(CommandProcess.End, TrafficSummary, RunVerdict.Recording?, Int32)]
    )
    func statusIsThatOfCommandUnlessNothingWasTested(
        end: CommandProcess.End,
        traffic: TrafficSummary,
        recording: RunVerdict.Recording?,
        status: Int32
    ) {
        let verdict = RunVerdict(end, traffic, "", recording)
        #expect(verdict.status == status)
        #expect(verdict.messages.contains { $0.contains("exiting with 70") } == (status == 70 && end == .exited(0)))
    }

    @Test func recordingIsKeptOnlyIfEverythingPassed() {
        let whole = CassetteRecorder.Summary()
        #expect(RunVerdict.keepsRecording(.exited(0), Self.answered, whole))
        #expect(!RunVerdict.keepsRecording(.exited(1), Self.answered, whole))
        #expect(!RunVerdict.keepsRecording(.exited(0), Self.miss, whole))
        var incomplete = whole
        incomplete.refused = 1
        #expect(!RunVerdict.keepsRecording(.exited(0), Self.answered, incomplete))
    }

    @Test func countsRequestsThatAreNotListed() {
        let many = TrafficSummary(
            requestCount: 40,
            unanswered: (0..<11).map { .init(request: "GET /\($0)", explanation: "no answer to \($0)") },
            unansweredCount: 30
        )
        let messages = RunVerdict(.exited(0), many, "").messages
        #expect(messages[0] == "nothing answered 30 of 40 requests:")
        #expect(messages[11] == "… and 20 more")
        #expect(JUnitReport(many).xml.contains("<testsuite name=\"mockserver\" tests=\"12\" failures=\"12\""))
    }

    @Test func reportEscapesText() {
        let traffic = TrafficSummary(
            requestCount: 1,
            unanswered: [.init(request: "GET /\"<&>\u{0}\u{FFFF}", explanation: "a < b\n\u{1B}[1m & c")]
        )
        #expect(
            JUnitReport(traffic).xml == #"""
                <?xml version="1.0" encoding="UTF-8"?>
                <testsuites>
                  <testsuite name="mockserver" tests="1" failures="1" errors="0" skipped="0">
                    <testcase classname="mockserver" name="GET /&quot;&lt;&amp;&gt;\x00">
                      <failure message="a &lt; b">a &lt; b
                \x1B[1m &amp; c</failure>
                    </testcase>
                  </testsuite>
                </testsuites>

                """#
        )
        #expect(JUnitReport(Self.answered).xml.contains("name=\"answers to 2 requests\"/>"))
        #expect(JUnitReport(TrafficSummary(requestCount: 0)).xml.contains("failures=\"1\""))
    }
}
