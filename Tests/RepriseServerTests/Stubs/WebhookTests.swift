// SPDX-License-Identifier: Apache-2.0

import Foundation
import Logging
import RepriseIO
import RepriseServer
import RepriseTestSupport
import Testing

/// Webhooks of stubs, sent to a second server through real sockets.
@Suite struct WebhookTests {
    /// A server for mappings, and the receiver of their webhooks.
    private struct Pair {
        let near: MockServer
        let receiver: MockServer
        private let folders: [TemporaryFolder]

        /// - Parameters:
        ///   - mappings: The mappings, in which `RECEIVER` stands for the URL of the receiver.
        ///   - answer: The response of the receiver.
        init(_ mappings: String..., answer: String = "{}", hosts: [String] = [], logger: Logger? = nil) async throws {
            let receiving = try TemporaryFolder(["a.stub.json": #"{"response": \#(answer)}"#])
            receiver = try await MockServer.start(fixtures: URL(fileURLWithPath: receiving.path))
            let url = receiver.url.absoluteString
            let files = mappings.enumerated().map { number, mapping in
                ("mappings/\(number).json", mapping.replacing("RECEIVER", with: url))
            }
            let serving = try TemporaryFolder(Dictionary(uniqueKeysWithValues: files))
            var configuration = MockServer.Configuration()
            configuration.webhookHosts = hosts
            if let logger { configuration.logger = logger }
            near = try await MockServer.start(
                fixtures: URL(fileURLWithPath: serving.path),
                configuration: configuration
            )
            folders = [receiving, serving]
        }

        /// The requests that the receiver has received.
        var received: [JournalEntry] { get async { await receiver.journal.entries } }

        /// Sends a request.
        @discardableResult
        func answer(_ request: String = "POST /orders", content: String = "") async throws -> String {
            let client = try await RawClient.connect(port: near.port)
            let lines = ["Host: near", "Connection: close", "Content-Length: \(content.utf8.count)"]
            try await client.send("\(request) HTTP/1.1\r\n\(lines.joined(separator: "\r\n"))\r\n\r\n\(content)")
            return try await client.readToEnd().text
        }
    }

    /// A mapping with one webhook.
    private static func mapping(_ parameters: String, response: String = "{}") -> String {
        """
        {"response": \(response), "serveEventListeners": [{"name": "webhook", "parameters": {\(parameters)}}]}
        """
    }

    @Test func partsAreTemplatesWithOriginalRequest() async throws {
        let parameters = """
            "method": "{{jsonPath originalRequest.body '$.method'}}", "url": "{{jsonPath originalRequest.body '$.url'}}/done?x=1#y",
            "headers": {"X-A": "{{originalRequest.query.q}}", "X-B": ["1", "2"], "Content-Length": "99"},
            "body": "{{originalRequest.method}} {{parameters.size}} {{parameters.deep.x}} [{{request.url}}]",
            "size": 3, "deep": {"x": "y"}
            """
        let pair = try await Pair(Self.mapping(parameters))
        let url = pair.receiver.url.absoluteString
        let answer = try await pair.answer("POST /orders?q=v", content: #"{"method": "PUT", "url": "\#(url)"}"#)
        #expect(answer.hasPrefix("HTTP/1.1 200 "))
        let webhook = try #require(await pair.near.webhooks.first)
        #expect(webhook.status == 200)
        #expect(webhook.failure == nil)
        #expect(webhook.text == "POST 3 y []")
        #expect(webhook.stub.file.hasSuffix("mappings/0.json"))
        let received = try #require(await pair.received.first)
        #expect(received.requestLine == "PUT /done?x=1 HTTP/1.1")
        #expect(received.text == "POST 3 y []")
        let fields = received.headers.map { String(decoding: $0.bytes, as: UTF8.self) }
        #expect(
            fields == [
                "Host: 127.0.0.1:\(pair.receiver.port)", "X-A: v", "X-B: 1", "X-B: 2", "Reprise-Hops: 1",
                "Content-Length: 11",
            ]
        )
    }

    @Test func olderFormAndBinaryBodyAreSent() async throws {
        let mapping = """
            {"postServeActions": {"webhook": {"method": "POST", "url": "RECEIVER", "base64Body": "e3t4fX3/"}}}
            """
        let pair = try await Pair(mapping)
        try await pair.answer()
        _ = await pair.near.webhooks
        #expect(await pair.received.map(\.content) == [Array("{{x}}".utf8) + [0xFF]])
        #expect(await pair.received.map(\.requestLine) == ["POST / HTTP/1.1"])
    }

    @Test(arguments: [
        #"{"type": "fixed", "milliseconds": 40}"#, #"{"type": "uniform", "lower": 40, "upper": 50}"#,
        #"{"type": "lognormal", "median": 1000000, "sigma": 0.1, "maxValue": 40}"#,
    ])
    func delayPassesBeforeWebhook(delay: String) async throws {
        let pair = try await Pair(Self.mapping(#""method": "GET", "url": "RECEIVER/a", "delay": \#(delay)"#))
        try await pair.answer()
        let webhook = try #require(await pair.near.webhooks.first)
        let answered = try #require(await pair.near.journal.entries.first?.received)
        #expect(webhook.sent.timeIntervalSince(answered) >= 0.039)
    }

    @Test(arguments: [
        #"{"fault": "EMPTY_RESPONSE"}"#, #"{"proxyBaseUrl": "RECEIVER"}"#, #"{"bodyFileName": "none"}"#,
        #"{"body": "{{now}}", "transformers": ["response-template"]}"#,
    ])
    func everyKindOfAnswerSendsWebhooks(response: String) async throws {
        let pair = try await Pair(Self.mapping(#""method": "POST", "url": "RECEIVER/hook""#, response: response))
        try await pair.answer()
        #expect(await pair.near.webhooks.map(\.status) == [200])
        #expect(await pair.received.map(\.target).contains("/hook"))
    }

    @Test(arguments: [(399, 0), (400, 1), (500, 1)])
    func errorOfReceiverIsLoggedAsWarning(status: Int, count: Int) async throws {
        let log = WarningLog()
        let mapping = Self.mapping(#""method": "GET", "url": "RECEIVER/a""#)
        let pair = try await Pair(mapping, answer: #"{"status": \#(status)}"#, logger: log.logger)
        try await pair.answer()
        _ = await pair.near.webhooks
        #expect(log.messages.count { $0.contains("got the status \(status)") } == count)
        await pair.near.stop()
        // Nothing was pending when the server stopped.
        #expect(!log.messages.contains { $0.contains("dropped") })
    }

    /// What could not be sent was not dropped because the server stopped.
    @Test func failedWebhookIsNotReportedAsDropped() async throws {
        let log = WarningLog()
        let pair = try await Pair(Self.mapping(#""method": "GET", "url": "nonsense""#), logger: log.logger)
        try await pair.answer()
        _ = await pair.near.webhooks
        await pair.near.stop()
        #expect(log.messages.count { $0.contains("was not delivered") } == 1)
        #expect(!log.messages.contains { $0.contains("dropped") })
    }

    /// Each answer sends a webhook to the server that gave it.
    @Test(.timeLimit(.minutes(1))) func webhookThatLeadsBackIsReportedAndNotAsDropped() async throws {
        let log = WarningLog()
        let url = "{{originalRequest.baseUrl}}/again"
        let pair = try await Pair(Self.mapping(#""method": "GET", "url": "\#(url)""#), logger: log.logger)
        let client = try await RawClient.connect(port: pair.near.port)
        try await client.send("GET / HTTP/1.1\r\nHost: 127.0.0.1:\(pair.near.port)\r\nConnection: close\r\n\r\n")
        _ = try await client.readToEnd()
        while !log.messages.contains(where: { $0.contains("it led back to this server") }), !Task.isCancelled {
            await Task.yield()
        }
        await pair.near.stop()
        #expect(log.messages.count { $0.contains("was not delivered") } == 1)
        #expect(!log.messages.contains { $0.contains("dropped") })
    }

    @Test func redirectIsNotFollowed() async throws {
        let pair = try await Pair(
            Self.mapping(#""method": "GET", "url": "RECEIVER/a""#),
            answer: #"{"status": 302, "headers": {"Location": "/b"}}"#
        )
        try await pair.answer()
        #expect(await pair.near.webhooks.map(\.status) == [302])
        #expect(await pair.received.map(\.target) == ["/a"])
    }

    @Test(arguments: [
        (
            "http://192.0.2.1/",
            "expected 192.0.2.1 to have a loopback or private address, found 192.0.2.1; allow it with"
        ),
        ("http://169.254.169.254/", "to have a loopback or private address, found 169.254.169.254"),
        ("http://[::ffff:169.254.1.1]:80/", "found"), ("http://127.0.0.1:1/", "check that a server listens there"),
        ("nonsense", "expected the URL of a webhook's receiver"), ("ftp://127.0.0.1/", "found 'ftp://127.0.0.1/'"),
        ("http://127.0.0.1/a b", "space"), ("{{substring 'a' 'x'}}", "correct it in the mapping"),
    ])
    func undeliveredWebhookReportsReason(url: String, reason: String) async throws {
        // A host that is allowed by name is refused if its address is link-local.
        let pair = try await Pair(Self.mapping(#""method": "GET", "url": "\#(url)""#), hosts: ["169.254.169.254"])
        try await pair.answer()
        let webhook = try #require(await pair.near.webhooks.first)
        #expect(webhook.status == nil)
        #expect(webhook.failure?.contains(reason) == true, "\(webhook.failure ?? "")")
    }

    @Test func stopWaitsForPendingWebhooks() async throws {
        let pair = try await Pair(
            Self.mapping(#""method": "GET", "url": "RECEIVER/a", "delay": {"type": "fixed", "milliseconds": 30}"#)
        )
        try await pair.answer()
        await pair.near.stop()
        #expect(await pair.received.map(\.target) == ["/a"])
    }

    @Test(arguments: [(1, "dropped 1 webhook that"), (2, "dropped 2 webhooks that")])
    func stopDropsWebhooksDueAfterItsGrace(count: Int, message: String) async throws {
        let log = WarningLog()
        let pair = try await Pair(
            Self.mapping(#""method": "GET", "url": "RECEIVER/a", "delay": {"type": "fixed", "milliseconds": 3600000}"#),
            logger: log.logger
        )
        for _ in 0..<count { try await pair.answer() }
        let start = ContinuousClock.now
        await pair.near.stop(grace: .seconds(60))
        #expect(ContinuousClock.now - start < .seconds(30))
        #expect(await pair.near.webhooks.isEmpty)
        #expect(await pair.received.isEmpty)
        #expect(log.messages.map { $0.hasPrefix("\(message) were still pending when the server stopped") } == [true])
    }

    @Test func requestsBeyondTheLimitSendNoWebhooks() async throws {
        let pair = try await Pair(
            Self.mapping(#""method": "GET", "url": "RECEIVER/a", "delay": {"type": "fixed", "milliseconds": 300}"#)
        )
        for _ in 0..<20 {
            let client = try await RawClient.connect(port: pair.near.port)
            let request = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"
            try await client.send(
                String(repeating: request, count: 19) + "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
            )
            _ = try await client.readToEnd()
        }
        let sent = await pair.near.webhooks.count
        #expect(sent >= 256)
        #expect(await pair.received.count == sent)
    }
}

/// Collects the messages of warnings and errors.
private final class WarningLog: Sendable {
    private let state = Locked<[String]>([])

    var messages: [String] { state.withLock { $0 } }
    var logger: Logger { Logger(label: "test") { _ in Handler(log: self) } }

    private struct Handler: LogHandler {
        let log: WarningLog
        var metadata = Logger.Metadata()
        var logLevel = Logger.Level.warning

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            log.state.withLock { $0.append(event.message.description) }
        }
    }
}
