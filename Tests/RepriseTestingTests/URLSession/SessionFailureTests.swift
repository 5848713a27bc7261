// SPDX-License-Identifier: Apache-2.0

import Foundation
import RepriseReplay
import Testing

@testable import RepriseTesting

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Requests of URL sessions that fail, and tasks that a cassette cannot answer.
@Suite struct SessionFailureTests {
    private let origin = SessionOrigin()
    private let url = URL(string: "https://api.example.com")!

    private func error(of work: () async throws -> Void) async -> URLError? {
        do { try await work() } catch { return error as? URLError }
        return nil
    }

    /// Runs `body` with a cassette that has one exchange, `/who`.
    private func withBooks(_ body: (TestCassette) async throws -> Void) async throws {
        try origin.cassettes.write(cassetteText([("/who", "Ada")]), to: "who.cassette.json")
        try await withCassette("who", in: origin.cassettes.url, environment: [:], body)
    }

    @Test func missExplainsItselfInErrorAndInFailure() async throws {
        var description = ""
        let failure = await #expect(throws: CassetteFailure.self) {
            try await withBooks { _ in
                let miss = await error { _ = try await URLSession.shared.data(from: url.appending(path: "why")) }
                #expect(miss?.code == .resourceUnavailable)
                description = miss?.localizedDescription ?? ""
                let answered = try await URLSession.shared.data(from: url.appending(path: "who")).0.text
                #expect(answered == "Ada")
            }
        }
        #expect(description.contains("No fixture answers GET /why"), "\(description)")
        #expect(description.contains("/who"), "\(description)")
        #expect("\(try #require(failure))".contains(description))
    }

    @Test func configurationMadeAfterTestIsNotKept() async throws {
        var cassette: TestCassette?
        try await withBooks { books in
            cassette = books
            _ = try await URLSession.shared.data(from: url.appending(path: "who"))
        }
        weak var late: URLSessionConfiguration?
        do {
            let configuration = try #require(cassette).sessionConfiguration
            late = configuration
            #expect(late != nil)
        }
        #expect(late == nil)
    }

    @Test func failsIfTestSendsNoRequest() async throws {
        let failure = await #expect(throws: CassetteFailure.self) { try await withBooks { _ in } }
        let text = "\(try #require(failure))"
        #expect(text.contains("cassette.sessionConfiguration") && text.contains("mockserver run"), "\(text)")
    }

    @Test func recordsLostConnection() async throws {
        let found = try await origin.recordAndReplay { url, _ in
            await error { _ = try await URLSession.shared.data(from: url.appending(path: "lost")) }?.code
        }
        #expect(found == .networkConnectionLost)
    }

    @Test func enforcesTimeoutOfRequest() async throws {
        _ = try await origin.record { url, _ in
            var request = URLRequest(url: url.appending(path: "slow"))
            request.timeoutInterval = 0.2
            let failure = await error { _ = try await URLSession.shared.data(for: request) }
            #expect(failure?.code == .timedOut)
            #expect(failure?.localizedDescription.contains("timeoutInterval") == true)
        }
    }

    @Test func enforcesTimeoutOfConfiguration() async throws {
        _ = try await origin.record { url, cassette in
            let configuration = cassette.sessionConfiguration
            configuration.timeoutIntervalForRequest = 0.2
            let session = URLSession(configuration: configuration)
            let failure = await error { _ = try await session.data(from: url.appending(path: "slow")) }
            #expect(failure?.code == .timedOut)
        }
    }

    /// In virtual time, recorded time takes no real time, and the limit applies to it.
    @Test func enforcesTimeoutInRecordedTime() async throws {
        let slow = """
            {"reprise": 1, "exchanges": [{"request": {"method": "GET", "url": "https://api.example.com/slow"},
             "response": {"status": "200 OK", "headers": [], "after": 120000, "body": {"text": "late"}}}]}
            """
        try origin.cassettes.write(slow, to: "slow.cassette.json")
        let folder = origin.cassettes.url
        try await withCassette("slow", afterLast: .repeat, pace: .virtual, in: folder, environment: [:]) { _ in
            var request = URLRequest(url: url.appending(path: "slow"))
            let failure = await error { _ = try await URLSession.shared.data(for: request) }
            #expect(failure?.code == .timedOut)
            request.timeoutInterval = 180
            let text = try await URLSession.shared.data(for: request).0.text
            #expect(text == "late")
        }
    }

    @Test func cancelingTaskCancelsExchange() async throws {
        _ = try await origin.record { url, cassette in
            let task = Task { try await URLSession.shared.data(from: url.appending(path: "slow")) }
            while !cassette.hasRequests { await Task.yield() }
            task.cancel()
            let failure = await error { _ = try await task.value }
            #expect(failure?.code == .cancelled)
            _ = try await URLSession.shared.data(from: url.appending(path: "news"))
        }
        let text = try #require(origin.cassettes.text(of: "books.cassette.json"))
        #expect(text.contains("/news"))
    }

    @Test func sessionThatOutlivesItsTestFails() async throws {
        var session: URLSession?
        try await withBooks { cassette in
            session = URLSession(configuration: cassette.sessionConfiguration)
            _ = try await session?.data(from: url.appending(path: "who"))
        }
        try await withBooks { _ in
            let failure = await error { _ = try await session?.data(from: url.appending(path: "who")) }
            #expect(failure?.localizedDescription.contains("the test has ended") == true)
            _ = try await URLSession.shared.data(from: url.appending(path: "who"))
        }
    }

    #if canImport(FoundationNetworking)
        @Test func refusesDownloadByName() async throws {
            try await withBooks { _ in
                let failure = await error { _ = try await URLSession.shared.download(from: url.appending(path: "who")) }
                #expect(failure?.localizedDescription.contains("found a download task") == true)
                _ = try await URLSession.shared.data(from: url.appending(path: "who"))
            }
        }

        /// Foundation's own libcurl has no WebSockets, so none reaches the network. If this changes, the protocol refuses
        /// them by name.
        @Test func webSocketReachesNoNetwork() async throws {
            try await withBooks { cassette in
                let session = URLSession(configuration: cassette.sessionConfiguration)
                let task = session.webSocketTask(with: try #require(URL(string: "ws://api.example.com/feed")))
                task.resume()
                let error = await #expect(throws: (any Error).self) { try await task.receive() }
                #expect(error?.localizedDescription.contains("WebSocket") == true, "\(String(describing: error))")
                _ = try await URLSession.shared.data(from: url.appending(path: "who"))
            }
        }
    #endif
}
