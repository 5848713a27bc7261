// SPDX-License-Identifier: Apache-2.0

import Foundation
import RepriseTestSupport
import Testing

/// Error messages for invalid options, from the command line and from the environment.
@Suite struct OptionTests {
    @Test(arguments: [
        ("--match-header", "a:b", "the name of a header such as Accept-Language"),
        ("--port", "abc", "a port from 0 to 65535"),
        ("--port", "65536", "a port from 0 to 65535"),
        ("--threads", "0", "a number of threads from 1 to 256"),
        ("--pace", "fast", "recorded, instant, or a factor such as 0.1"),
        ("--latency", "high", "none, recorded, milliseconds such as 200, or a range of them such as 200..800"),
        ("--latency", "200ms", "none, recorded, milliseconds such as 200, or a range of them such as 200..800"),
        ("--latency", "8..2", "none, recorded, milliseconds such as 200, or a range of them such as 200..800"),
        ("--latency", "1..", "none, recorded, milliseconds such as 200, or a range of them such as 200..800"),
        ("--seed", "x", "a whole number such as 42"),
        ("--journal-entries", "0", "a number of requests from 1 to 10000000"),
        ("--journal-bytes", "4MB", "a size from 1KiB to 64GiB, such as 65536, 64KiB, or 16MiB"),
        ("--journal-bytes", "99999999999GiB", "a size from 1KiB to 64GiB, such as 65536, 64KiB, or 16MiB"),
        ("--body-bytes", "1B", "a size from 1KiB to 64GiB, such as 65536, 64KiB, or 16MiB"),
        ("--ignore-json", "id", "a JSON pointer such as /requestId"),
        ("--after-last", "stop", "repeat, miss, or restart"),
        ("--map", "api.example.com", "a host and an address such as api.example.com=127.0.0.1:9000"),
        ("--admin-host", "http://mock", "a name or an address without a port, such as mock or 10.0.2.2"),
        ("--admin-host", "mock:8080", "a name or an address without a port, such as mock or 10.0.2.2"),
        ("--permitted-system-keys", "APP_(", "a regular expression such as APP_.*"),
    ])
    func reportsExpectedValue(option: String, value: String, expected: String) async throws {
        let flag = try await MockServerProcess.run("serve", "x", option, value)
        #expect(flag.status == 64)
        #expect(flag.errors.contains("\(option): expected \(expected), found '\(value)'\n"))
        let name = "MOCKSERVER_" + option.dropFirst(2).uppercased().replacing("-", with: "_")
        let variable = try await MockServerProcess.run("serve", "x", environment: [name: value])
        #expect(variable.status == 64)
        #expect(variable.errors.contains("\(name): expected \(expected), found '\(value)'\n"))
    }

    @Test(arguments: [
        (["serve", "x", "--no-admin", "--admin-token", "t"], "expected --no-admin or --admin-token, found both"),
        (["serve", "x", "--no-admin", "--admin-host", "mock"], "expected --no-admin or --admin-host, found both"),
        (["serve", "x", "--no-admin", "--admin-strict"], "expected --no-admin or --admin-strict, found both"),
        (["serve", "x", "--cert", "c", "--key", "k", "--tls"], "expected --cert or --tls, found both; remove one"),
        (["serve", "x", "--cert", "c", "--key", "k", "--tls-folder", "f"], "expected --cert or --tls-folder, found"),
        (["serve", "x", "--cert", "c", "--key", "k", "--tls-name", "n"], "expected --cert or --tls-name, found both"),
        (["serve", "x", "--tls-name", "n"], "--tls-name: expected --tls, found none; add --tls"),
        (["serve", ".", "--insecure"], "--insecure: expected --unmatched-to, found none"),
        (["serve", ".", "--upstream-ca", "a.pem"], "--upstream-ca: expected --unmatched-to, found none"),
        (["serve", ".", "--keep-encoding"], "--keep-encoding: expected --unmatched-to, found none"),
        (["serve", ".", "--unmatched-to", "http://x", "--allow-unscanned"], "--allow-unscanned: expected --record"),
        (["serve", "x", "--pass", "a.test"], "--pass: expected --proxy, found none; add --proxy"),
        (["serve", "x", "--proxy", "--tls"], "expected --proxy or --tls, found both; remove one of them"),
        (["record", "http://x", "--proxy", "--out", "a.cassette.json"], "expected http://x or --proxy, found both"),
        (["serve", "--watch"], "--watch: expected a folder or file with fixtures, found none; add one"),
        (
            ["record", "http://x", "--out", "a.cassette.json", "--insecure", "--upstream-ca", "a.pem"],
            "expected --insecure or --upstream-ca, found both"
        ),
        (
            ["record", "http://x", "--out", "a.cassette.json", "--mode", "once", "--only", "GET /a"],
            "expected --mode once or --only, found both"
        ),
        (
            ["stop", "--server", "https://127.0.0.1:1", "--insecure", "--tls-ca", "a.pem"],
            "expected --insecure or --tls-ca, found both"
        ),
    ])
    func reportsContradiction(arguments: [String], reason: String) async throws {
        let result = try await MockServerProcess(arguments).result()
        #expect(result.status == 64)
        #expect(result.errors.contains(reason), "\(result.errors)")
    }

    /// A variable may be set for other commands and other runs.
    @Test func variableBesideOptionIsNoContradiction() async throws {
        let environment = ["MOCKSERVER_ADMIN_TOKEN": "t", "MOCKSERVER_INSECURE": "1", "MOCKSERVER_PORT": "0"]
        let server = try MockServerProcess(["--static", ".", "--no-admin"], environment: environment)
        _ = try await server.port()
        server.signal(SIGTERM)
        #expect(try await server.result().status == 0)
    }

    /// Errors end up in logs.
    @Test func invalidTokenIsNotRepeated() async throws {
        let flag = try await MockServerProcess.run("serve", "x", "--admin-token", "se cret")
        let variable = try await MockServerProcess.run(
            "serve",
            "x",
            environment: ["MOCKSERVER_ADMIN_TOKEN": "se cret"]
        )
        for (result, place) in [(flag, "--admin-token"), (variable, "MOCKSERVER_ADMIN_TOKEN")] {
            #expect(result.status == 64)
            #expect(result.errors.contains("\(place): expected visible ASCII characters without spaces"))
            #expect(!result.errors.contains("cret"))
        }
    }

    @Test(arguments: ["", "bad name"])
    func rejectsInvalidHeaderName(name: String) async throws {
        let result = try await MockServerProcess.run("serve", "x", "--match-header", name)
        #expect(result.status == 64)
        #expect(
            result.errors.contains(
                "--match-header: expected the name of a header such as Accept-Language, found '\(name)'"
            )
        )
    }
}
