// SPDX-License-Identifier: Apache-2.0

import Foundation
import RepriseTestSupport
import Testing

/// `mockserver run` as a user runs it, around shell scripts.
@Suite(.timeLimit(.minutes(3))) struct RunCommandTests {
    private func upstream() async throws -> ScriptedServer {
        try await ScriptedServer.start { connection in
            while true {
                _ = try await connection.read(until: "\r\n\r\n")
                try await connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
            }
        }
    }

    // MARK: Serving

    @Test func commandReachesServerThroughVariables() async throws {
        try await withRunFolder { folder in
            let script = """
                [ "$MOCKSERVER_URL" = "$API_URL" ] && [ "$V1" = "$API_URL/v1" ] && [ "$HP" = "127.0.0.1:${API_URL##*:}" ]
                curl -sf $API_URL/users
                """
            let options = ["--serve", "F", "--env", "API_URL", "--env", "V1=/v1", "--env", "HP={host}:{port}"]
            let result = try await folder.run("set -e; \(script)", options)
            #expect(result.status == 0)
            #expect(result.output == "[1]")
            #expect(result.errors == "mockserver: answered 1 request\n")
        }
    }

    @Test func exitsWithStatusOfCommand() async throws {
        try await withRunFolder { folder in
            for (end, status) in [("exit 3", 3), ("kill -KILL $$", 128 + SIGKILL)] {
                let result = try await folder.run("curl -s $API_URL/users; \(end)")
                #expect(result.status == status)
            }
        }
    }

    @Test func unansweredRequestFailsPassingCommandAndIsExplained() async throws {
        try await withRunFolder { folder in
            let result = try await folder.run("curl -s $API_URL/users; curl -s -o /dev/null $API_URL/user?page=2")
            #expect(result.status == 70)
            #expect(result.errors.contains("mockserver: nothing answered 1 of 2 requests:\n"))
            #expect(result.errors.contains("No fixture answers GET /user?page=2."))
            #expect(result.errors.contains("GET /users (F/users.get.json)\n    path: expected /users, found /user\n"))
            #expect(result.errors.hasSuffix("mockserver: exiting with 70, although the command passed\n"))
            let failed = try await folder.run("curl -s $API_URL/user; exit 5")
            #expect(failed.status == 5)
            #expect(failed.errors.contains("No fixture answers GET /user."))
        }
    }

    /// A test suite may clear the journal between its tests.
    @Test func requestsCountAfterReset() async throws {
        try await withRunFolder { folder in
            let result = try await folder.run("curl -s $API_URL/user; curl -s -X POST $API_URL/__admin/reset")
            #expect(result.status == 70)
            #expect(result.errors.contains("nothing answered 1 of 1 request:"))
        }
    }

    @Test func commandWithoutRequestsFails() async throws {
        try await withRunFolder { folder in
            let result = try await folder.run("true")
            #expect(result.status == 70)
            #expect(result.errors.contains("expected requests to the mock server, found none"))
            #expect(result.errors.contains("MOCKSERVER_URL or API_URL"))
        }
    }

    /// Programs ask these hosts of their own accord, unless a test is about them.
    @Test func recordedHostIsNotIgnored() async throws {
        try await withRunFolder { folder in
            let exchange = """
                {"request": {"method": "GET", "url": "http://169.254.169.254/id"}, "response": {"status": "200 OK", "body": {"text": "id"}}}
                """
            try folder.write("{\"reprise\": 1, \"exchanges\": [\(exchange)]}", to: "a.cassette.json")
            let result = try await folder.run("curl -s http://169.254.169.254/id", ["a.cassette.json"])
            #expect(result.output == "id")
            #expect(result.status == 0)
        }
    }

    @Test func failedHandshakeFailsPassingCommand() async throws {
        try await withRunFolder { folder in
            // Without these variables, curl does not trust the authority.
            let curl = "env -u SSL_CERT_FILE -u CURL_CA_BUNDLE curl -s"
            let script = "curl -s http://api.test/users; \(curl) https://api.test/users; true"
            let result = try await folder.run(script, ["--serve", "F", "--proxy"])
            #expect(result.output == "[1]")
            #expect(result.status == 70)
            #expect(result.errors.contains("nothing answered 1 of 2 requests:"))
            #expect(result.errors.contains("https://api.test"))
        }
    }

    /// Browsers abandon connections that they opened in advance.
    @Test func abandonedHandshakeIsNoUnansweredRequest() async throws {
        try await withRunFolder { folder in
            let abandoned = """
                exec 3<>/dev/tcp/127.0.0.1/${MOCKSERVER_URL##*:}
                printf 'CONNECT api.test:443 HTTP/1.1\\r\\nHost: api.test:443\\r\\n\\r\\n' >&3
                read -r line <&3; printf '\\x16\\x03\\x01' >&3; exec 3>&-
                """
            let result = try await folder.run(
                "bash -c '\(abandoned.replacing("'", with: "\""))'; curl -sf https://api.test/users",
                ["--serve", "F", "--proxy"]
            )
            #expect(result.output == "[1]")
            #expect(result.errors == "mockserver: answered 1 request\n")
        }
    }

    /// Whatever passes around the recordings was not tested.
    @Test func passedRequestsDoNotCount() async throws {
        try await withRunFolder { folder in
            let upstream = try await upstream()
            let result = try await folder.run(
                "curl -s http://127.0.0.1:\(upstream.port)/a",
                ["--serve", "F", "--proxy", "--pass", "127.0.0.1"]
            )
            #expect(result.output == "ok")
            #expect(result.status == 70)
            #expect(result.errors.contains("expected requests to the mock server, found none"))
        }
    }

    /// They are options of this server, and some are secret.
    @Test func commandDoesNotGetVariablesOfOptions() async throws {
        try await withRunFolder { folder in
            let result = try await folder.run(
                "curl -sf $API_URL/users; env | grep -c ^MOCKSERVER_",
                environment: ["MOCKSERVER_ADMIN_TOKEN": "secret"]
            )
            #expect(result.output == "[1]1\n")
        }
    }

    @Test func formerReportIsRemoved() async throws {
        try await withRunFolder { folder in
            try folder.write("former", to: "r.xml")
            let missing = ["--serve", "F", "--report", "r.xml"]
            #expect(try await folder.process(["no-such-command"], missing).result().status == 127)
            #expect(!folder.exists("r.xml"))
            let result = try await folder.run("curl -s $API_URL/users", ["--serve", "F", "--report", "F"])
            #expect(result.status == 1)
            #expect(result.errors.contains("cannot write the report F: expected a file, found a folder"))
        }
    }

    @Test func commandThatCannotStartHasStatusOfShell() async throws {
        try await withRunFolder { folder in
            let missing = try await folder.process(["no-such-command"]).result()
            #expect(missing.status == 127)
            #expect(missing.errors == "mockserver: no-such-command: no such file or directory\n")
            try folder.write("curl -s $API_URL/users; echo $1; exit 3", to: "script")
            #expect(try await folder.process(["./script"]).result().status == 126)
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: "\(folder.path)/script")
            // As in a shell, a script needs no "#!".
            let script = try await folder.process(["./script", "a b"]).result()
            #expect(script.output == "[1]a b\n")
            #expect(script.status == 3)
        }
    }

    @Test func fixturesWithProblemsPreventCommand() async throws {
        try await withRunFolder { folder in
            try folder.write("{", to: "F/bad.cassette.json")
            let result = try await folder.run("echo ran")
            #expect(result.status == 1)
            #expect(result.output.isEmpty)
        }
    }

    @Test func writesJUnitReport() async throws {
        try await withRunFolder { folder in
            let options = ["--serve", "F", "--report", "report.xml"]
            _ = try await folder.run("curl -s \"$MOCKSERVER_URL/a?b=%3C&c\"; exit 1", options)
            #expect(try folder.text("report.xml").contains("name=\"GET /a?b=%3C&amp;c\">"))
        }
    }

    @Test func reportThatCannotBeWrittenKeepsStatus() async throws {
        try await withRunFolder { folder in
            let missing = try await folder.run("echo ran", ["--serve", "F", "--report", "none/report.xml"])
            #expect(missing.status == 1)
            #expect(missing.output.isEmpty)
            for (end, status) in [(3, 3), (0, 70)] {
                // The folder disappears while the command runs.
                try folder.write("", to: "R/x")
                let result = try await folder.run(
                    "rm -r R; curl -s $MOCKSERVER_URL/users; exit \(end)",
                    ["--serve", "F", "--report", "R/report.xml"]
                )
                #expect(result.status == status)
                #expect(result.errors.contains("cannot write the report"))
            }
        }
    }

    @Test func commandWithoutTwoHyphensIsExplained() async throws {
        let result = try await MockServerProcess.run("run", "--serve", "F", "npm", "test")
        #expect(result.status == 64)
        #expect(result.errors.contains("expected -- before the command"))
    }

    /// The variables are those of a server that runs elsewhere.
    @Test func ignoresVariablesOfServer() async throws {
        try await withRunFolder { folder in
            let environment = ["MOCKSERVER_PORT": "1", "MOCKSERVER_SERVE": "none", "CI": ""]
            let result = try await folder.run("curl -s $API_URL/users", environment: environment)
            #expect(result.status == 0)
        }
    }

    // MARK: Processes

    #if os(Linux)
        @Test func commandInheritsStandardStreamsAlone() async throws {
            try await withRunFolder { folder in
                // This process may have other descriptors that its children inherit.
                let closing = "for fd in /proc/$$/fd/*; do n=${fd##*/}; [ $n -gt 2 ] && eval \"exec $n>&-\"; done"
                let command = """
                    exec bash -c '\(closing); exec "$0" run --serve F --env API_URL -- sh -c "$1"' \
                    swift run mockserver 'curl -s -o /dev/null $API_URL/users; ls /proc/$$/fd'
                    """
                let result = try await MockServerProcess.shell(command, in: URL(filePath: folder.path)).result()
                #expect(result.output == "0\n1\n2\n")
            }
        }
    #endif

    @Test func commandHasLimitsAndSignalsOfCaller() async throws {
        try await withRunFolder { folder in
            let script = "ulimit -n; trap - HUP; kill -HUP $$; echo on; yes | head -n 1; curl -s $API_URL/users"
            let process = try MockServerProcess.shell(
                "ulimit -S -n 200; trap '' HUP; "
                    + "exec swift run mockserver run --serve F --env API_URL -- sh -c '\(script)'",
                in: URL(filePath: folder.path)
            )
            let result = try await process.result()
            #expect(result.output == "200\non\ny\n[1]")
            #expect(!result.errors.contains("roken pipe"))
        }
    }

    /// Some programs start others so.
    @Test func statusIsKnownAlthoughEndsOfChildrenAreIgnored() async throws {
        try await withRunFolder { folder in
            let process = try MockServerProcess(
                ["run", "--serve", "F", "--", "sh", "-c", "exit 3"],
                in: URL(filePath: folder.path),
                ignoring: SIGCHLD
            )
            #expect(try await process.result().status == 3)
        }
    }

    @Test(arguments: [SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGWINCH])
    func passesSignalsToAllProcessesOfCommand(signal: Int32) async throws {
        try await withRunFolder { folder in
            let script =
                "curl -s $API_URL/users; sh -c 'trap \"echo child; exit\" \(signal); echo ready; "
                + "while :; do sleep 0.05; done'; exit 9"
            let process = try folder.process(["sh", "-c", "trap 'echo parent' \(signal); \(script)"])
            _ = try await process.output(containing: "ready")
            process.signal(signal)
            let result = try await process.result()
            #expect(result.output.contains("child"))
            #expect(result.status == 9)
        }
    }

    @Test func commandEndedBySignalIsReported() async throws {
        try await withRunFolder { folder in
            let process = try folder.process(["sh", "-c", "curl -s $API_URL/user; echo ready; exec sleep 100"])
            _ = try await process.output(containing: "ready")
            process.signal(SIGTERM)
            let result = try await process.result()
            #expect(result.status == 128 + SIGTERM)
            #expect(result.errors.contains("No fixture answers GET /user."))
        }
    }

    @Test func secondSignalEndsImmediately() async throws {
        try await withRunFolder { folder in
            let script = "trap '' TERM; echo $$; exec >/dev/null 2>&1; while [ -e F ]; do sleep 0.05; done"
            try folder.write("", to: "T/x")
            let process = try folder.process(
                ["sh", "-c", script],
                ["--serve", "F", "--proxy"],
                environment: ["CI": "", "TMPDIR": "\(folder.path)/T"]
            )
            let identifier = try #require(Int32(try await process.output(lines: 1).dropLast()))
            process.signalUntilExit(SIGTERM)
            #expect(try await process.result().status == 128 + SIGTERM)
            // The command got both signals, and decides by itself.
            #expect(kill(identifier, 0) == 0)
            #expect(try FileManager.default.contentsOfDirectory(atPath: "\(folder.path)/T") == ["x"])
        }
    }

    @Test func commandDecidesMeaningOfRepeatedSignals() async throws {
        try await withRunFolder { folder in
            let signals = "for i in 1 2 3 4 5 6 7 8; do kill -HUP $PPID; kill -INT $PPID; sleep 0.1; done"
            let result = try await folder.run("trap '' HUP INT; \(signals); curl -s $API_URL/users")
            #expect(result.output == "[1]")
            #expect(result.status == 0)
        }
    }

    @Test func namesProcessesThatRunOn() async throws {
        try await withRunFolder { folder in
            let script = "curl -s $API_URL/users; sleep 100 >/dev/null 2>&1 & echo $!; exit 0"
            let result = try await folder.run("{ \(script); }")
            let identifier = try #require(Int32(result.output.dropFirst(3).dropLast()))
            defer { kill(identifier, SIGKILL) }
            #expect(kill(identifier, 0) == 0)
            #if os(Linux)
                #expect(result.errors.contains("processes of the command still run: \(identifier) sleep\n"))
            #else
                #expect(result.errors.contains("processes of the command still run"))
            #endif
        }
    }

    // MARK: Recording

    @Test func recordsOnceAndReplays() async throws {
        try await withRunFolder { folder in
            let upstream = try await upstream()
            let options = [
                "a.cassette.json", "--upstream", "http://127.0.0.1:\(upstream.port)", "--env", "API_URL", "--once",
            ]
            let script = "curl -sf $API_URL/a"
            let recorded = try await folder.run(script, options)
            #expect(recorded.status == 0)
            #expect(recorded.output == "ok")
            #expect(recorded.errors == "mockserver: recorded 1 exchange into a.cassette.json\n")
            for mode in ["--once", "--replay"] {
                let replayed = try await folder.run(script, options.dropLast() + [mode], environment: ["CI": "1"])
                #expect(replayed.errors == "mockserver: answered 1 request\n")
                #expect(replayed.output == "ok")
            }
            #expect(upstream.acceptedConnections == 1)
        }
    }

    @Test func failingRunKeepsCassette() async throws {
        try await withRunFolder { folder in
            let upstream = try await upstream()
            let options = [
                "a.cassette.json", "--upstream", "http://127.0.0.1:\(upstream.port)", "--env", "API_URL", "--record",
            ]
            let first = try await folder.run("curl -sf $API_URL/a; exit 4", options)
            #expect(first.status == 4)
            #expect(first.errors.contains("a.cassette.json was not created"))
            #expect(!folder.exists("a.cassette.json"))
            #expect(try await folder.run("curl -sf $API_URL/a", options).status == 0)
            let before = try folder.text("a.cassette.json")
            let failed = try await folder.run("curl -sf $API_URL/b; exit 4", options)
            #expect(
                failed.errors.contains("nothing was recorded, because the run failed; a.cassette.json is unchanged")
            )
            let empty = try await folder.run("true", options)
            #expect(empty.status == 70)
            #expect(try folder.text("a.cassette.json") == before)
            #expect(try await folder.run("curl -sf $API_URL/b", options).status == 0)
            #expect(try !folder.text("a.cassette.json").contains("/a\""))
            #expect(
                try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["F", "a.cassette.json"]
            )
        }
    }

    @Test func recordingWithUnansweredRequestIsNotWritten() async throws {
        try await withRunFolder { folder in
            let upstream = try await upstream()
            try folder.write("{\"reprise\": 1, \"exchanges\": []}", to: "a.cassette.json")
            let before = try folder.text("a.cassette.json")
            let script = "curl -s http://127.0.0.1:\(upstream.port)/a; curl -s -o /dev/null http://127.0.0.1:1/b"
            let result = try await folder.run(script, ["a.cassette.json", "--record", "--report", "r.xml"])
            #expect(result.status == 70)
            #expect(result.errors.contains("the recording is not complete: the server did not answer 1 request"))
            #expect(result.errors.contains("/b: not recorded: "))
            #expect(result.errors.contains("the run failed; a.cassette.json is unchanged"))
            #expect(try folder.text("a.cassette.json") == before)
            #expect(try folder.text("r.xml").contains("failures=\"1\""))
        }
    }

    @Test func incompleteRecordingFailsPassingCommand() async throws {
        try await withRunFolder { folder in
            let upstream = try await ScriptedServer.start { connection in
                while true {
                    let request = try await connection.read(until: "\r\n\r\n")
                    let rest = request.text.contains("/slow") ? "" : "ok"
                    try await connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n\(rest)")
                }
            }
            let options = [
                "a.cassette.json", "--upstream", "http://127.0.0.1:\(upstream.port)", "--env", "API_URL", "--record",
                "--report", "report.xml",
            ]
            let script = """
                curl -sf $API_URL/ok
                curl -sN -o part -D head $API_URL/slow >/dev/null 2>&1 & until [ -s head ]; do sleep 0.05; done
                """
            let result = try await folder.run(script, options)
            #expect(result.status == 70)
            #expect(result.errors.contains("the recording is not complete: 1 response had not ended"))
            #expect(try folder.text("report.xml").contains("name=\"recording\""))
            #expect(!folder.exists("a.cassette.json"))
        }
    }

    @Test func recordsNothingOnCI() async throws {
        try await withRunFolder { folder in
            for mode in ["--record", "--once"] {
                let options = ["a.cassette.json", "--upstream", "http://127.0.0.1:1", mode]
                let result = try await folder.run("echo ran", options, environment: ["CI": "true"])
                #expect(result.status == 64)
                #expect(result.output.isEmpty)
                #expect(result.errors.contains("expected a mode without network access because CI is set, found"))
            }
        }
    }
}
