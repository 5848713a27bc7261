// SPDX-License-Identifier: Apache-2.0

import Foundation
import RepriseFixtures
import RepriseServer
import RepriseStubAnswers
import RepriseStubs
import RepriseTestSupport
import Testing

@testable import RepriseCommand

/// Hosts that the proxy neither answers nor counts, from options and from a `reprise.yaml`.
@Suite(.timeLimit(.minutes(3))) struct IgnoredHostsTests {
    private static let cassette = """
        {"reprise": 1, "exchanges": [
          {"request": {"method": "GET", "url": "http://api.test/a"}, "response": {"status": "200 OK", "body": {"text": "a"}}}
        ]}
        """

    @Test func runIgnoresHostsOfFileAndOptions() async throws {
        try await withRunFolder { folder in
            try folder.write("ignore: [telemetry.test]", to: "reprise.yaml")
            try folder.write(Self.cassette, to: "C/a.cassette.json")
            let script = """
                curl -s http://api.test/a
                for host in telemetry.test eu.telemetry.test updates.test; do
                  curl -s -o /dev/null -w ' %{http_code}' http://$host/
                done
                """
            let result = try await folder.run(script, ["C/a.cassette.json", "--ignore", "updates.test"])
            #expect(result.output == "a 503 503 503")
            #expect(result.errors == "mockserver: answered 1 request\n")
            #expect(result.status == 0)
        }
    }

    @Test(arguments: [
        ["serve", "--proxy", "--port", "0", "F"], ["record", "--proxy", "--port", "0", "--out", "F/a.cassette.json"],
    ])
    func serverIgnoresHostsOfFile(arguments: [String]) async throws {
        try await withRunFolder { folder in
            try folder.write("ignore: telemetry.test", to: "F/reprise.yaml")
            let process = try MockServerProcess(arguments, in: URL(filePath: folder.path))
            let client = try await RawClient.connect(port: try await process.port())
            try await client.send(
                "GET http://telemetry.test/ HTTP/1.1\r\nHost: telemetry.test\r\nConnection: close\r\n\r\n"
            )
            #expect(try await client.readToEnd().text.hasPrefix("HTTP/1.1 503 "))
            process.signal(SIGTERM)
            _ = try await process.result()
        }
    }

    /// Unless the user names it.
    @Test(arguments: [([], "503"), (["--map", "metadata.goog=127.0.0.1:1"], "502")])
    func recordingIgnoresMetadataOfClouds(options: [String], status: String) async throws {
        try await withRunFolder { folder in
            let arguments = ["record", "--proxy", "--port", "0", "--out", "a.cassette.json"] + options
            let process = try MockServerProcess(arguments, in: URL(filePath: folder.path))
            let client = try await RawClient.connect(port: try await process.port())
            try await client.send(
                "GET http://metadata.goog/ HTTP/1.1\r\nHost: metadata.goog\r\nConnection: close\r\n\r\n"
            )
            #expect(try await client.readToEnd().text.hasPrefix("HTTP/1.1 \(status) "))
            process.signal(SIGTERM)
            _ = try await process.result()
        }
    }

    @Test(arguments: [
        ("googleapis.com", "update.googleapis.com"), ("googleapis.com:443", "update.googleapis.com"),
        ("169.254.0.0/16", "169.254.169.254"), ("metadata.goog", "metadata.goog"), ("eu.gvt1.com", "gvt1.com"),
    ])
    func settingThatIncludesHostNamesIt(setting: String, host: String) {
        #expect(IgnoredHosts.unrecorded(FixtureSet()).contains(host))
        for proxy in [MockServer.ForwardProxy(only: [setting]), MockServer.ForwardProxy(pass: [setting])] {
            let ignored = IgnoredHosts.unrecorded(FixtureSet(), proxy)
            #expect(!ignored.contains(host))
            #expect(ignored.contains("aus5.mozilla.org"))
        }
    }

    @Test func invalidHostIsNamedWithItsPlace() async throws {
        try await withRunFolder { folder in
            try folder.write("ignore:\n  - http://telemetry.test\n", to: "F/reprise.yaml")
            let result = try await folder.run("echo ran", ["--serve", "F", "--proxy"])
            #expect(result.status == 1)
            #expect(result.output.isEmpty)
            #expect(
                result.errors.contains("F/reprise.yaml:2:5: expected a host such as api.example.com, found \"http://")
            )
        }
    }

    @Test func optionNeedsProxy() async throws {
        let result = try await MockServerProcess.run("serve", "x", "--ignore", "a.test")
        #expect(result.errors.contains("--ignore: expected --proxy, found none; add --proxy"))
        #expect(result.status == 64)
    }

    @Test(arguments: [
        (ValueMatcher.equalTo("metadata.google.internal"), false), (.equalTo("other.test"), true),
        (.matches(".*"), true),
    ])
    func hostOfStubIsNotIgnored(host: ValueMatcher, isIgnored: Bool) throws {
        var request = StubRequest()
        request.host = host
        let stub = try StubFixture(StubMapping(request))
        let ignored = IgnoredHosts.unrecorded(FixtureSet(stubs: [stub]))
        #expect(ignored.contains("metadata.google.internal") == isIgnored)
        #expect(ignored.count > 5)
    }
}
