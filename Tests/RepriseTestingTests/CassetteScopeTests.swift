// SPDX-License-Identifier: Apache-2.0

import Foundation
import Reprise
import Testing

@testable import RepriseTesting

/// How the trait handles a failing test.
@Suite struct CassetteScopeTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private struct Stop: Error {}

    /// Runs `body` like a test with the trait, with its files in the temporary folder.
    private func run(
        _ cassette: String? = nil,
        _ mode: String = "replay",
        _ body: @Sendable () async throws -> Void
    ) async throws {
        let test = try #require(Test.current)
        if let cassette { try folder.write(cassette, to: "\(TestIdentity(test).name).cassette.json") }
        let environment = [
            "REPRISE_FIXTURES": folder.url.path, "REPRISE_LOG_DIR": folder.url.appending(path: "logs").path,
            "REPRISE_MODE": mode,
        ]
        try await CassetteScope.$environment.withValue(environment) {
            try await CassetteScope.provide(for: test, performing: body)
        }
    }

    private static let two = cassetteText([("/users/1", "Atlas"), ("/users/2", "Tide")])

    private var log: String? { folder.names.first { $0.hasSuffix(".log") }.flatMap(folder.text) }

    @Test func recordsIssueForUnusedExchange() async throws {
        try await withKnownIssue {
            try await run(Self.two) { _ = try await text(at: "/users/1") }
        } matching: { issue in
            let text = issue.comments.map(\.rawValue).joined()
            return text.contains("Recorded, but not requested:\n  GET /users/2 (")
                && text.contains(
                    #"REPRISE_MODE=overwrite swift test --filter '^RepriseTestingTests\.CassetteScopeTests/rec"#
                )
        }
        let log = try #require(log)
        #expect(log.contains("1. GET https://api.example.com/users/1 -> 200"))
        #expect(log.contains("(1 of 1)"))
    }

    @Test func recordsIssueForSwallowedMiss() async throws {
        try await withKnownIssue {
            try await run(Self.two) {
                for id in 1...3 { _ = try? await text(at: "/users/\(id)") }
            }
        } matching: { issue in
            issue.comments.contains { $0.rawValue.contains("No fixture answers GET") }
        }
    }

    @Test func missEndsWithTraitThatIgnoresVolatileValues() async throws {
        let error = await #expect(throws: ClientError.self) {
            try await run(cassetteText([("/any?at=2026-11-22", "any")])) {
                _ = try await text(at: "/any?at=2026-11-23")
            }
        }
        let code = #"@Test(.cassette(matching: [.method, .path, .query(ignoring: ["at"]), .body]))"#
        #expect((error?.underlying as? TransportError)?.message.hasSuffix("ignore them:\n  \(code)") == true)
    }

    /// Written as the message above spells it.
    @Test(.cassette(matching: [.method, .path, .query(ignoring: ["at"]), .body]))
    func compilesSuggestedTrait() async throws {
        #expect(TestCassette.current != nil)
        try folder.write(Self.two, to: "two.cassette.json")
        try await withCassette("two", in: folder.url) { _ in
            _ = (try await text(at: "/users/1"), try await text(at: "/users/2"))
        }
    }

    @Test func recordsNoSecondIssueForThrownMiss() async throws {
        await #expect(throws: ClientError.self) {
            try await run(Self.two) { _ = try await text(at: "/users/3") }
        }
    }

    @Test func recordsNoSecondIssueForMissingCassette() async throws {
        await #expect(throws: ClientError.self) {
            try await run { _ = try await text(at: "/users/1") }
        }
    }

    @Test func recordsNoSecondIssueIfTestStopsEarly() async throws {
        await #expect(throws: Stop.self) {
            try await run(Self.two) {
                _ = try await text(at: "/users/1")
                throw Stop()
            }
        }
        #expect(log?.contains("Recorded, but not requested:") == true)
    }

    @Test func writesNoLogForPassingTest() async throws {
        try await run(Self.two) { _ = (try await text(at: "/users/1"), try await text(at: "/users/2")) }
        #expect(log == nil)
    }

    @Test func writesLogsOfAllCassettesOfFailingTest() async throws {
        try folder.write(cassetteText([("/any", "any")]), to: "inner.cassette.json")
        await #expect(throws: Stop.self) {
            try await run {
                try await withCassette("inner", in: folder.url) { _ in _ = try await text(at: "/any") }
                throw Stop()
            }
        }
        #expect(folder.text(of: "logs/inner.log")?.contains("/any -> 200") == true)
        #expect(folder.names.filter { $0.hasSuffix(".log") }.count == 2)
    }

    @Test(arguments: ["/users/1?api_key=5ecret", "/users/3?access_token=5ecret"])
    func redactsSecretsInLog(path: String) async throws {
        try folder.write(cassetteText([("/users/1?api_key=[redacted]", "Atlas")]), to: "secret.cassette.json")
        await #expect(throws: (any Error).self) {
            try await run {
                try await withCassette("secret", in: folder.url) { _ in
                    _ = try await text(at: path)
                    throw Stop()
                }
            }
        }
        let log = try #require(folder.text(of: "logs/secret.log"))
        #expect(log.contains("1. GET https://api.example.com\(path.prefix { $0 != "=" })="))
        #expect(!log.contains("5ecret"))
    }

    @Test func recordsIssueForUnreadableCassette() async throws {
        try await withKnownIssue {
            try await run("{") { _ = try? await text(at: "/users/1") }
        } matching: { issue in
            issue.comments.contains { $0.rawValue.contains(".cassette.json:1:") }
        }
    }
}
