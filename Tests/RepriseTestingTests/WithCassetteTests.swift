// SPDX-License-Identifier: Apache-2.0

import Foundation
import Reprise
import RepriseReplay
import Testing

@testable import RepriseTesting

@Suite struct WithCassetteTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private static let upstream = StubTransport {
        $0.get("/users/1", .text("Atlas"))
        $0.get("/users/2", .text("Tide"))
    }

    private struct Stop: Error {}

    @Test func replaysCassetteNextToSourceFile() async throws {
        let names = try await withCassette("users") { _ in
            [try await text(at: "/users/1"), try await text(at: "/users/2")]
        }
        #expect(names == ["Atlas", "Tide"])
    }

    @Test func recordsOnceThenReplays() async throws {
        for base in [Self.upstream, StubTransport { _ in }] {
            try await withCassette("new/users", mode: .record(.once), in: folder.url, over: base, environment: [:]) {
                let name = try await text(at: "/users/1")
                #expect(name == "Atlas")
                #expect($0.path.hasSuffix("/new/users.cassette.json"))
            }
        }
        #expect(folder.names.contains("new/users.cassette.json"))
    }

    /// Without the exchange, the replay would fail.
    @Test(arguments: ["/slow", "/stream"])
    func recordingFailsIfExchangeOutlivesTest(path: String) async throws {
        let (begun, begins) = AsyncStream<Void>.makeStream()
        let upstream = StubTransport {
            $0.get("/users/1", .text("Atlas"))
            $0.get("/slow") { _ in
                begins.yield()
                try await Task.sleep(for: .seconds(3600))
                return .text("")
            }
            $0.get("/stream", .stream("a\n", .pause(.seconds(3600))))
        }
        let lines = Client("https://api.example.com").get(RequestPath(raw: path))
        var reading: Task<Void, any Error>?
        do {
            try await withCassette("new", mode: .record(.overwrite), in: folder.url, over: upstream, environment: [:]) {
                _ in
                _ = try await text(at: "/users/1")
                reading = Task { for try await _ in try await lines.lines() { begins.yield() } }
                for await _ in begun { break }
            }
            Issue.record("The recording did not fail.")
        } catch let error as RecordingError {
            #expect(error.description.hasSuffix("even if you cancel them:\n  GET https://api.example.com\(path)"))
        }
        #expect(folder.names == [])
        reading?.cancel()
    }

    /// Between the call of the client and the first step of the recorder, another thread may end the test.
    @Test(arguments: [false, true])
    func recordingFailsIfRequestHasNotReachedIt(isOpen: Bool) async throws {
        let error = await #expect(throws: RecordingError.self) {
            let mode = ReplayMode.record(.overwrite)
            try await withCassette("new", mode: mode, in: folder.url, over: Self.upstream, environment: [:]) {
                if isOpen { _ = try await text(at: "/users/1") }
                _ = $0.log.begin(HTTPRequest(method: .get, url: URL(string: "https://api.example.com/users/2")!))
                $0.noteRequest()
            }
        }
        #expect(error?.description.hasSuffix("even if you cancel them:\n  GET https://api.example.com/users/2") == true)
        #expect(folder.names == [])
    }

    @Test func environmentVariableSelectsMode() async throws {
        for mode in ["overwrite", "replay"] {
            let environment = ["REPRISE_MODE": mode]
            try await withCassette("users", in: folder.url, over: Self.upstream, environment: environment) {
                #expect("\($0.mode)" == mode)
                let name = try await text(at: "/users/2")
                #expect(name == "Tide")
            }
        }
        await #expect(throws: ReplayModeError.self) {
            try await withCassette("users", environment: ["REPRISE_MODE": "rewind"]) { _ in }
        }
    }

    @Test func refusesNetworkOnCI() async throws {
        let environment = ["REPRISE_MODE": "once", "CI": "true"]
        await #expect {
            try await withCassette("users", in: folder.url, over: Self.upstream, environment: environment) { _ in
                _ = try await text(at: "/users/1")
            }
        } throws: {
            "\($0)".contains("REPRISE_ALLOW_NETWORK=1")
        }
        #expect(folder.names == [])
    }

    @Test func missingCassetteNamesRecordCommand() async throws {
        await #expect {
            try await withCassette(in: folder.url, environment: [:]) { _ in _ = try await text(at: "/users/1") }
        } throws: {
            let filter = #"'^RepriseTestingTests\.WithCassetteTests/missingCassetteNamesRecordCommand(\(|$)'"#
            return "\($0)".contains("/WithCassetteTests/missingCassetteNamesRecordCommand.cassette.json does not exist")
                && "\($0)".contains("REPRISE_MODE=once swift test --filter \(filter)")
        }
    }

    @Test func needsNoCassetteWithoutRequests() async throws {
        for mode in ["replay", "overwrite"] {
            let environment = ["REPRISE_MODE": mode]
            let sum = try await withCassette(
                "none",
                expectsRequests: false,
                in: folder.url,
                environment: environment
            ) { _ in 1 + 1 }
            #expect(sum == 2)
        }
        #expect(folder.names == [])
    }

    @Test func failsForUnusedExchanges() async throws {
        await #expect {
            try await withCassette("users", environment: [:]) { _ in _ = try await text(at: "/users/1") }
        } throws: { error in
            let failure = error as? CassetteFailure
            return failure?.report.unused.map(\.request) == ["GET /users/2"]
                && "\(error)".contains("contains more than the test requests")
                && "\(error)".contains(
                    #"REPRISE_MODE=overwrite swift test --filter '^RepriseTestingTests\.WithCassette"#
                )
        }
    }

    @Test func failsForSwallowedMiss() async throws {
        await #expect {
            try await withCassette("users", environment: [:]) { _ in
                _ = try? await text(at: "/users/3")
                _ = (try await text(at: "/users/1"), try await text(at: "/users/2"))
            }
        } throws: {
            "\($0)".contains("No fixture answers GET") && "\($0)".contains("/users/3")
        }
    }

    @Test func missEndsWithMatchersThatIgnoreVolatileValues() async throws {
        try folder.write(cassetteText([("/any?at=2026-11-22", "any")]), to: "any.cassette.json")
        let matchers = #"matching: [.method, .path, .query(ignoring: ["at"]), .body])"#
        for name in ["any", "a\"ny"] {
            try folder.write(cassetteText([("/any?at=2026-11-22", "any")]), to: "\(name).cassette.json")
            let error = await #expect(throws: ClientError.self) {
                try await withCassette(name, in: folder.url, environment: [:]) { _ in
                    _ = try await text(at: "/any?at=2026-11-23")
                }
            }
            let code = "withCassette(\(name.debugDescription), \(matchers)"
            #expect((error?.underlying as? TransportError)?.message.hasSuffix("ignore them:\n  \(code)") == true)
        }
        // As printed.
        try await withCassette("any", matching: [.method, .path, .query(ignoring: ["at"]), .body], in: folder.url) {
            _ in
            let answer = try await text(at: "/any?at=2026-11-23")
            #expect(answer == "any")
        }
    }

    private func send(_ count: Int, _ afterLast: AfterLast? = nil) async throws {
        try await withCassette("users", afterLast: afterLast, environment: [:]) { _ in
            for path in ["/users/2", "/users/1"] + Array(repeating: "/users/1", count: count - 1) {
                _ = try await text(at: path)
            }
        }
    }

    @Test func failsForRequestThatWasRecordedLessOften() async throws {
        try await send(1)
        try await send(3, .repeat)
        let error = await #expect(throws: ClientError.self) { try await send(2) }
        let message = (error?.underlying as? TransportError)?.message ?? ""
        let code = #"withCassette("users", afterLast: .repeat)"#
        #expect(message.contains("To answer it again, repeat the last answer:\n  \(code)\n"))
        // Neither mode would record a further answer beside those of other tests.
        #expect(!message.contains("REPRISE_MODE"))
    }

    @Test func ownCassetteIsRecordedAgainForRequestThatWasRecordedLessOften() async throws {
        let name = TestIdentity(try #require(Test.current)).name
        try folder.write(cassetteText([("/users/1", "Atlas")]), to: "\(name).cassette.json")
        let error = await #expect(throws: ClientError.self) {
            try await withCassette(in: folder.url, environment: [:]) { _ in
                for _ in 1...2 { _ = try await text(at: "/users/1") }
            }
        }
        let message = (error?.underlying as? TransportError)?.message ?? ""
        #expect(message.contains("\n  withCassette(afterLast: .repeat)\n"))
        #expect(message.contains("\n  REPRISE_MODE=overwrite swift test"))
    }

    /// Recording a cassette of other tests again would remove what they use.
    @Test func missInNamedCassetteIsAppended() async throws {
        let error = await #expect(throws: (any Error).self) {
            try await withCassette("users", environment: [:]) { _ in
                _ = try await text(at: "/users/1")
                _ = try? await text(at: "/users/3")
            }
        }
        let message = "\(try #require(error))"
        #expect(message.contains("Recorded, but not requested:\n  GET /users/2"))
        #expect(message.contains("\n  REPRISE_MODE=append swift test --filter"))
        #expect(!message.contains("overwrite"))
    }

    @Test func prefersErrorOfClosureOverMiss() async throws {
        await #expect(throws: Stop.self) {
            try await withCassette("users", environment: [:]) { _ in
                _ = try? await text(at: "/users/3")
                throw Stop()
            }
        }
    }

    @Test func answersFromStubFolder() async throws {
        try folder.write("Hello", to: "stubs/greeting.get.txt")
        try await withCassette("stubs", mode: .stub, in: folder.url, environment: ["REPRISE_MODE": "live"]) { _ in
            let answer = try await text(at: "/greeting")
            #expect(answer == "Hello")
        }
    }

    @Test func appliesSpecifiedMatchers() async throws {
        try folder.write(cassetteText([("/any?q=1", "any")]), to: "any.cassette.json")
        try await withCassette("any", matching: [.path], in: folder.url) { _ in
            let answer = try await text(at: "/any?q=2")
            #expect(answer == "any")
        }
    }

    @Test func nestedCassetteOverridesOuterAndInheritsMatchers() async throws {
        try folder.write(cassetteText([("/any?q=1", "inner")]), to: "inner.cassette.json")
        try await withCassette("users", matching: [.path], in: folder.url) { outer in
            try await withCassette("inner") { inner in
                let answer = try await text(at: "/any")
                #expect(answer == "inner")
                #expect(TestCassette.current === inner)
            }
            #expect(TestCassette.current === outer)
        }
        #expect(TestCassette.current == nil)
    }

    @Test func reachesDetachedTasksThroughTransport() async throws {
        try await withCassette("users") { cassette in
            let ambient = await Task.detached { Ambient.transport == nil && TestCassette.current == nil }.value
            #expect(ambient)
            let api = Client("https://api.example.com", transport: cassette.transport)
            let names = await Task.detached {
                [try? await api.get("/users/1").send().text, try? await api.get("/users/2").send().text]
            }.value
            #expect(names == ["Atlas", "Tide"])
        }
    }

    @Test func failsRequestsAfterTestHasEnded() async throws {
        let transport = try await withCassette("none", expectsRequests: false, in: folder.url) { $0.transport }
        let api = Client("https://api.example.com", transport: transport)
        await #expect {
            try await api.get("/users/1").send()
        } throws: {
            "\($0)".contains("the test has ended") && "\($0)".contains("create the object in each test")
        }
    }

    @Test func usesVirtualClockUnlessPaceIsRecorded() async throws {
        try await withCassette("users") { cassette in
            let clock = try #require(Ambient.clock)
            try await clock.sleep(for: .seconds(3600))
            _ = (try await text(at: "/users/1"), try await text(at: "/users/2"))
        }
        try await withCassette("users", pace: .recorded) { _ in
            #expect(Ambient.clock == nil)
            _ = (try await text(at: "/users/1"), try await text(at: "/users/2"))
        }
    }
}
