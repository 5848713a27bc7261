// SPDX-License-Identifier: Apache-2.0

import Foundation
import RepriseTestSupport
import Testing

/// The options for stubs, as a user gives them.
@Suite struct StubOptionTests {
    /// Runs `mockserver` with mappings, and returns the answer to a GET request.
    private static func answer(
        _ path: String,
        _ mapping: String,
        _ options: [String],
        environment: [String: String] = [:],
        headers: [String] = []
    ) async throws -> String {
        try await withMappings(["a.json": mapping]) { folder in
            let server = try MockServerProcess([folder, "--port", "0", "--quiet"] + options, environment: environment)
            let answer = try await get(path, port: try await server.port(), headers: headers)
            server.signal(SIGTERM)
            _ = try await server.result()
            return answer
        }
    }

    private static func get(_ path: String, port: Int, headers: [String] = []) async throws -> String {
        let client = try await RawClient.connect(port: port)
        let lines = ["GET \(path) HTTP/1.1", "Host: localhost", "Connection: close"] + headers
        try await client.send(lines.joined(separator: "\r\n") + "\r\n\r\n")
        return try await client.readToEnd().text
    }

    private static func withMappings<Result>(
        _ mappings: [String: String],
        _ body: (String) async throws -> Result
    ) async throws -> Result {
        let files = mappings.map { ("mappings/\($0)", $1) }
        let folder = try TemporaryFolder(Dictionary(uniqueKeysWithValues: files))
        return try await body(folder.path)
    }

    private static func mapping(_ body: String) -> String {
        #"{"request": {"url": "/a"}, "response": {"body": "\#(body)"}}"#
    }

    @Test(arguments: [
        (["--now", "2026-01-31T12:00:00Z"], [:]),
        ([], ["MOCKSERVER_NOW": "2026-01-31T12:00:00Z"]),
    ])
    func nowIsTheTimeOfTemplates(options: [String], environment: [String: String]) async throws {
        let answer = try await Self.answer(
            "/a",
            Self.mapping("{{now offset='1 days'}}"),
            ["--global-response-templating"] + options,
            environment: environment
        )
        #expect(answer.hasSuffix("\r\n\r\n2026-02-01T12:00:00Z"))
    }

    @Test func invalidTimeIsRejected() async throws {
        let result = try await MockServerProcess.run("serve", "x", "--now", "noon")
        #expect(result.status == 64)
        #expect(
            result.errors.contains("--now: expected a time in ISO 8601 such as 2026-01-31T12:00:00Z, found 'noon'\n")
        )
    }

    @Test(arguments: [
        (["--permitted-system-keys", "STUB_.*"], [:], "yes|[ERROR"),
        ([], ["MOCKSERVER_PERMITTED_SYSTEM_KEYS": "STUB_.*"], "yes|[ERROR"), ([], [:], "[ERROR"),
    ])
    func permittedVariablesAreReadable(options: [String], environment: [String: String], start: String) async throws {
        let answer = try await Self.answer(
            "/a",
            Self.mapping("{{systemValue key='STUB_A'}}|{{systemValue key='OTHER'}}"),
            ["--global-response-templating"] + options,
            environment: environment.merging(["STUB_A": "yes", "OTHER": "no"]) { $1 }
        )
        let content = answer.components(separatedBy: "\r\n\r\n").last ?? ""
        #expect(content.hasPrefix(start))
        #expect(!content.contains("no|") && !content.hasSuffix("no"))
    }

    @Test func rootFolderIsServed() async throws {
        try await Self.withMappings(["a.json": Self.mapping("from root")]) { folder in
            let server = try MockServerProcess(["--root-dir", folder, "--port", "0", "--quiet"])
            let answer = try await Self.get("/a", port: try await server.port())
            #expect(answer.hasSuffix("\r\n\r\nfrom root"))
            server.signal(SIGTERM)
            #expect(try await server.result().status == 0)
        }
    }

    @Test func stubCORSLetsPagesReadAnswers() async throws {
        let origin = ["Origin: http://page.test"]
        let open = try await Self.answer("/a", Self.mapping("a"), ["--enable-stub-cors"], headers: origin)
        #expect(open.contains("\r\nAccess-Control-Allow-Origin: http://page.test\r\n"))
        let closed = try await Self.answer("/a", Self.mapping("a"), [], headers: origin)
        #expect(!closed.contains("Access-Control-Allow-Origin"))
    }

    @Test func explainAndCheckKnowTemplates() async throws {
        try await Self.withMappings(["a.json": Self.mapping("{{#if}}")]) { folder in
            for command in [["explain", "GET", "/a"], ["check"]] {
                let plain = try await MockServerProcess(command + [folder]).result()
                #expect(!plain.errors.contains("answers every request with status 500"))
                let templates = try await MockServerProcess(command + [folder, "--global-response-templating"]).result()
                #expect(templates.status == (command == ["check"] ? 1 : 0))
                let text = templates.output + templates.errors
                #expect(text.contains("answers every request with status 500: the template of the body"))
            }
        }
    }

    @Test func optionsOfWireMockThatDoNoHarmAreAccepted() async throws {
        let options = [
            "--disable-gzip=true", "--no-request-journal", "--async-response-enabled", "true", "--container-threads=20",
            "--verbose=true", "--jetty-acceptor-threads", "4", "--max-request-journal-entries", "100",
            "--local-response-templating", "--global-response-templating=true", "--extensions",
            "org.wiremock.webhooks.Webhooks", "--proxy-timeout", "5000", "--proxy-pass-through=false",
            "--enable-stub-cors=false",
        ]
        let answer = try await Self.answer("/a", Self.mapping("{{request.path}}"), options)
        #expect(answer.hasSuffix("\r\n\r\n/a"))
    }

    @Test(arguments: [
        (["--bind-address", "0.0.0.0"], "--bind-address is a WireMock option; use --host instead"),
        (["--https-port=8443"], "--https-port is a WireMock option; use --tls and --port instead"),
        (["--proxy-all", "http://a.test"], "--proxy-all is a WireMock option; use --unmatched-to instead"),
        (
            ["--proxy-via", "proxy.test:8080"],
            "--proxy-via is a WireMock option without an equivalent: requests are forwarded without another proxy; remove"
        ),
        (
            ["--preserve-host-header"],
            "--preserve-host-header is a WireMock option; use \"Host\" in \"additionalProxyRequestHeaders\" of the"
        ),
        (
            ["--enable-browser-proxying"],
            "--enable-browser-proxying is a WireMock option; use --unmatched-to instead"
        ),
        (["--admin-api-require-https"], "--admin-api-require-https is a WireMock option; use --tls instead"),
        (
            ["--https-truststore=a"],
            "--https-truststore is a WireMock option without an equivalent: certificates of clients are not"
        ),
        (["--keystore-type", "JKS"], "--keystore-type is a WireMock option; use --cert and --key instead"),
        (["--record-mappings"], "--record-mappings is a WireMock option; use mockserver record instead"),
    ])
    func otherOptionsOfWireMockNameOurs(options: [String], message: String) async throws {
        let result = try await MockServerProcess(["x"] + options).result()
        #expect(result.status == 64)
        #expect(result.errors.contains(message), "\(result.errors)")
    }

    /// Every option of WireMock 3.13, by its help and its documentation.
    @Test(arguments: [
        "admin-api-basic-auth", "admin-api-require-https", "allow-proxy-targets", "async-response-enabled",
        "async-response-threads", "bind-address", "ca-keystore", "ca-keystore-password", "ca-keystore-type",
        "container-threads", "deny-proxy-targets", "disable-banner", "disable-connection-reuse",
        "disable-extensions-scanning", "disable-gzip", "disable-http", "disable-http2-plain", "disable-http2-tls",
        "disable-optimize-xml-factories-loading", "disable-request-logging", "disable-response-templating",
        "disable-strict-http-headers", "enable-browser-proxying", "enable-stub-cors", "extensions",
        "filename-template", "global-response-templating", "https-keystore", "https-port", "https-require-client-cert",
        "https-truststore", "jetty-accept-queue-size", "jetty-acceptor-threads", "jetty-header-buffer-size",
        "jetty-header-request-size", "jetty-header-response-size", "jetty-idle-timeout", "jetty-stop-timeout",
        "key-manager-password", "keystore-password", "keystore-type", "load-resources-from-classpath",
        "local-response-templating", "logged-response-body-size-limit", "match-headers",
        "max-http-client-connections", "max-request-journal-entries", "max-template-cache-entries",
        "no-request-journal", "permitted-system-keys", "port", "preserve-host-header", "print-all-network-traffic",
        "proxy-all", "proxy-pass-through", "proxy-timeout", "proxy-via", "record-mappings", "root-dir",
        "supported-proxy-encodings", "timeout", "trust-all-proxy-targets", "trust-proxy-target",
        "truststore-password", "truststore-type", "use-chunked-encoding", "verbose", "webhook-threadpool-size",
    ])
    func everyOptionOfWireMockIsKnown(name: String) async throws {
        let result = try await MockServerProcess(["no-such-folder", "--\(name)=1"]).result()
        #expect(result.status != 0)
        #expect(!result.errors.contains("Unknown option"), "\(result.errors)")
    }

    @Test func whatOnlyWireMockCanDoCostsItsStub() async throws {
        let mappings = [
            "a.json": Self.mapping("plain"),
            "b.json": #"{"request": {"url": "/a", "customMatcher": {"name": "mine"}}, "response": {"body": "custom"}}"#,
            "c.json": #"{"request": {"url": "/odd"}, "response": {"status": 99}}"#,
            "d.json": #"{"request": {"url": "/x"}, "response": {"headers": {"A B": "c"}}}"#,
            "e.json": #"{"request": {"bodyPatterns": [{"matchesJsonPath": "$[?(@.a =~ /(/)]"}]}}"#,
        ]
        try await Self.withMappings(mappings) { folder in
            let server = try MockServerProcess([folder, "--port", "0"])
            let port = try await server.port()
            #expect(try await Self.get("/a", port: port).hasSuffix("\r\n\r\nplain"))
            let odd = try await Self.get("/odd", port: port)
            #expect(odd.hasPrefix("HTTP/1.1 500 ") && odd.contains("expected a status from 200 to 999, found 99"))
            #expect(try await Self.get("/x", port: port).hasPrefix("HTTP/1.1 500 "))
            #expect(try await Self.get("/other", port: port).hasPrefix("HTTP/1.1 404 "))
            server.signal(SIGTERM)
            #expect(
                try await server.result().errors.contains("note: \(folder)/mappings/b.json:1:44: expected built-in")
            )
            let check = try await MockServerProcess.run("check", folder)
            #expect(check.status == 1)
            #expect(check.output.contains("\(folder)/mappings/b.json:1:44: expected built-in request conditions"))
            #expect(check.output.contains("\(folder)/mappings/c.json:1:53: expected a status from 200 to 999"))
            #expect(!check.errors.contains("note: \(folder)/mappings/b.json"))
        }
    }

    @Test func absentFalseIsNoted() async throws {
        let mapping = #"{"request": {"headers": {"A": {"absent": false}}}}"#
        try await Self.withMappings(["a.json": mapping]) { folder in
            let check = try await MockServerProcess.run("check", folder)
            #expect(check.status == 0)
            #expect(check.errors.contains("a.json:1:42: \"absent\": false means absent too, as in WireMock"))
        }
    }

    // MARK: Webhooks

    @Test func undeliveredWebhooksAreLogged() async throws {
        let mapping = """
            {"request": {"url": "/a"}, "serveEventListeners": [
              {"name": "webhook", "parameters": {"method": "POST", "url": "http://192.0.2.1/hook?api_key=5ecret"}}]}
            """
        try await Self.withMappings(["a.json": mapping]) { folder in
            let server = try MockServerProcess([folder, "--port", "0"])
            _ = try await Self.get("/a", port: try await server.port())
            // The warning and the line of the request log can be in either order.
            _ = try await server.errors(containing: "was not delivered")
            let errors = try await server.errors(containing: "  webhook of ")
            #expect(errors.contains("--- POST http://192.0.2.1/hook?api_key="))
            #expect(errors.contains("  webhook of \(folder)/mappings/a.json:1:1  "))
            #expect(
                errors.contains("expected 192.0.2.1 to have a loopback or private address, found 192.0.2.1; allow it")
            )
            #expect(errors.contains("--allow-webhooks 192.0.2.1"))
            #expect(!errors.contains("5ecret"))
            server.signal(SIGTERM)
            #expect(try await server.result().status == 0)
        }
    }

    @Test func pendingWebhooksAreCountedWhenServerStops() async throws {
        let mapping = """
            {"request": {"url": "/a"}, "serveEventListeners": [
              {"name": "webhook", "parameters": {"method": "POST", "url": "http://127.0.0.1:1/",
               "delay": {"type": "fixed", "milliseconds": 3600000}}}]}
            """
        try await Self.withMappings(["a.json": mapping]) { folder in
            let server = try MockServerProcess([folder, "--port", "0", "--quiet"])
            let port = try await server.port()
            for _ in 0..<2 { _ = try await Self.get("/a", port: port) }
            server.signal(SIGTERM)
            let result = try await server.result()
            #expect(result.status == 0)
            #expect(
                result.errors.contains("warning: dropped 2 webhooks that were still pending when the server stopped")
            )
        }
    }

    @Test(arguments: ["https://hooks.example.com", "hooks.example.com:443", "a/b"])
    func invalidWebhookHostIsRejected(host: String) async throws {
        let result = try await MockServerProcess.run("serve", "x", "--allow-webhooks", host)
        #expect(result.status == 64)
        #expect(result.errors.contains("--allow-webhooks: expected a host such as hooks.example.com, found '\(host)'"))
    }
}
