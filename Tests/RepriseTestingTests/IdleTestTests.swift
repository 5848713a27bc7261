// SPDX-License-Identifier: Apache-2.0

import Foundation
import Reprise
import Testing

@testable import RepriseTesting

/// A test with a cassette fails if it sends no request through a client of the package.
@Suite struct IdleTestTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.write(cassetteText([("/users/1", "Atlas")]), to: "users.cassette.json")
        try folder.write(cassetteText([("/users/1", "Atlas")]), to: "inner.cassette.json")
    }

    private struct Stop: Error {}

    private static let fact = "No request reached the cassette"
    private static let modes = ["replay", "once", "append", "overwrite", "passthrough", "live"]

    // MARK: withCassette

    @Test(arguments: modes, ["users", "absent"])
    func failsInEveryMode(mode: String, name: String) async throws {
        let error = await #expect(throws: CassetteFailure.self) {
            try await withCassette(name, in: folder.url, environment: ["REPRISE_MODE": mode]) { _ in }
        }
        let text = "\(try #require(error))"
        #expect(text.hasPrefix("\(Self.fact), so \(folder.url.path)/\(name).cassette.json was not used."))
        #expect(
            text.contains("URLSession.shared, and of URL sessions that are created with cassette.sessionConfiguration")
        )
        #expect(text.hasSuffix("\n  withCassette(\"\(name)\", expectsRequests: false)"))
        #expect(folder.names == ["inner.cassette.json", "users.cassette.json"])
    }

    @Test func failsWithStubs() async throws {
        await #expect(throws: CassetteFailure.self) {
            try await withCassette("users.cassette.json", mode: .stub, in: folder.url, environment: [:]) { _ in }
        }
    }

    @Test(arguments: modes, ["users", "absent"])
    func passesIfNoRequestIsExpected(mode: String, name: String) async throws {
        try await withCassette(name, expectsRequests: false, in: folder.url, environment: ["REPRISE_MODE": mode]) { _ in
        }
    }

    @Test func passesInModeLiveOfCode() async throws {
        try await withCassette("absent", mode: .live, in: folder.url, environment: [:]) { _ in }
    }

    @Test func failsOnlyOnce() async throws {
        await #expect(throws: Stop.self) {
            try await withCassette("absent", in: folder.url, environment: [:]) { _ in throw Stop() }
        }
        try await withKnownIssue {
            try await withCassette("absent", in: folder.url, environment: [:]) { _ in #expect(Bool(false)) }
        } matching: {
            $0.error == nil
        }
        try await Task {
            try await withCassette("absent", in: folder.url, environment: [:]) { _ in
                unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            }
        }.value
    }

    // MARK: The trait

    /// What a test does.
    enum Conduct: Sendable {
        case request, miss, detachedRequest, nestedRequest, everyChunking
        case nothing, nothingAsExpected, ownClient, throwsError, failsExpectation, canceled
    }

    private func perform(_ conduct: Conduct) async throws {
        switch conduct {
        case .request: _ = try await text(at: "/users/1")
        case .miss: _ = try? await text(at: "/users/2")
        case .detachedRequest:
            let api = Client("https://api.example.com", transport: try #require(TestCassette.current).transport)
            _ = try await Task.detached { try await api.get("/users/1").send() }.value
        case .nestedRequest:
            try await withCassette("inner", in: folder.url) { _ in _ = try await text(at: "/users/1") }
        case .everyChunking:
            try await withEveryChunking(of: "\(folder.url.path)/inner.cassette.json") { _ in
                _ = try await text(at: "/users/1")
            }
        case .nothing, .nothingAsExpected: break
        case .ownClient:
            let stub = StubTransport { $0.get("/users/1", .text("Atlas")) }
            _ = try await Client("https://api.example.com", transport: stub).get("/users/1").send()
        case .throwsError: throw Stop()
        case .failsExpectation: #expect(Bool(false))
        case .canceled: unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
        }
    }

    /// Runs a test with the trait.
    private func run(_ name: String, _ conduct: Conduct) async throws {
        let test = try #require(Test.current)
        let expectsRequests = conduct == .nothingAsExpected ? false : nil
        let trait: NamedCassetteTrait = .cassette(name, expectsRequests: expectsRequests, in: folder.url)
        // A task of its own can be canceled without the test.
        try await Task { [self] in
            try await CassetteScope.$environment.withValue([:]) {
                try await CassetteScope.run(test, [trait]) { try await perform(conduct) }
            }
        }.value
    }

    @Test(arguments: [Conduct.nothing, .ownClient])
    func traitFailsAtTestsLine(conduct: Conduct) async throws {
        let location = try #require(Test.current).sourceLocation
        try await withKnownIssue {
            try await run("users", conduct)
        } matching: { issue in
            let text = issue.comments.map(\.rawValue).joined()
            return text.hasPrefix(Self.fact) && issue.sourceLocation == location
                && text.hasSuffix("\n  @Test(.cassette(\"users\", expectsRequests: false))")
        }
    }

    @Test(arguments: [Conduct.request, .detachedRequest, .nothingAsExpected])
    func traitPasses(conduct: Conduct) async throws {
        try await run("users", conduct)
    }

    @Test(arguments: [Conduct.nestedRequest, .everyChunking, .canceled])
    func traitPassesWithoutItsOwnCassette(conduct: Conduct) async throws {
        try await run("absent", conduct)
    }

    /// These tests fail, but not because they send no request through a client.
    @Test(arguments: [Conduct.miss, .throwsError, .failsExpectation])
    func traitAddsNoFailure(conduct: Conduct) async throws {
        try await withKnownIssue {
            try await run("users", conduct)
        } matching: { issue in
            !issue.comments.contains { $0.rawValue.contains(Self.fact) }
        }
    }

    // MARK: Suites

    /// Runs tests of a suite with the trait.
    private func runSuite(_ tests: [Conduct]) async throws {
        let test = try #require(Test.current)
        let trait: CassetteTrait = .cassette(in: folder.url)
        try await CassetteScope.$environment.withValue([:]) {
            try await CassetteScope.runSuite(test, [trait]) {
                for conduct in tests {
                    let own: CassetteTrait = .cassette(expectsRequests: conduct == .nothingAsExpected ? false : nil)
                    try? await Task {
                        // A test with an argument of its own has two traits.
                        let traits = conduct == .nothingAsExpected ? [trait, own] : [trait]
                        try await CassetteScope.run(test, traits) { try await perform(conduct) }
                    }.value
                }
            }
        }
    }

    @Test(arguments: [[Conduct.nothing], [.nothing, .nothing], [.nothingAsExpected, .nothing]])
    func suiteFailsIfNoneOfItsTestsSendsRequest(tests: [Conduct]) async throws {
        let location = try #require(Test.current).sourceLocation
        try await withKnownIssue {
            try await runSuite(tests)
        } matching: { issue in
            let text = issue.comments.map(\.rawValue).joined()
            return text.hasPrefix("No request of this suite's tests reached a cassette.")
                && text.hasSuffix("\n  @Suite(.cassette(expectsRequests: false))") && issue.sourceLocation == location
        }
    }

    @Test(
        arguments: [
            [], [Conduct.nothingAsExpected], [.nothing, .nestedRequest], [.nothing, .canceled],
            [.nothing, .throwsError],
        ]
    )
    func suitePasses(tests: [Conduct]) async throws {
        try await runSuite(tests)
    }

    /// One test of a suite may be run alone.
    @Test func suiteWithRecordingsPasses() async throws {
        let name = TestIdentity(try #require(Test.current)).name
        try folder.write(cassetteText([("/users/1", "Atlas")]), to: "\(name)/other.cassette.json")
        try await runSuite([.nothing])
    }

    @Test func nestedSuiteWithTraitOfItsOwnFailsOnce() async throws {
        let test = try #require(Test.current)
        let traits: [CassetteTrait] = [.cassette(in: folder.url), .cassette(pace: .recorded)]
        try await confirmation { confirm in
            try await withKnownIssue {
                try await CassetteScope.runSuite(test, [traits[0]]) {
                    try await CassetteScope.runSuite(test, traits) {
                        // A suite without a trait of its own has those of the enclosing suites.
                        try await CassetteScope.runSuite(test, traits) {
                            try await CassetteScope.run(test, traits) {}
                        }
                    }
                }
            } matching: { _ in
                confirm()
                return true
            }
        }
    }
}
