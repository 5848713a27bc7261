// SPDX-License-Identifier: Apache-2.0

import Foundation
import RepriseTesting
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Answers without content, content that is cut off, and cookies that a request or a session does not want.
@Suite(.timeLimit(.minutes(1))) struct SessionContentTests {
    private let origin = SessionOrigin()
    private let url = URL(string: "https://api.example.com/feed")!

    @Test(arguments: [("HEAD", "news", 200), ("GET", "empty", 204), ("GET", "unchanged", 304)])
    func answersWithoutContent(method: String, path: String, status: Int) async throws {
        let found = try await origin.recordAndReplay { url, cassette in
            var request = URLRequest(url: url.appending(path: path))
            request.httpMethod = method
            let (data, response) = try await URLSession.shared.data(for: request)
            let delegate = EventCollector()
            let own = URLSession(configuration: cassette.sessionConfiguration, delegate: delegate, delegateQueue: nil)
            let events = await delegate.events(of: own.dataTask(with: request))
            return ["\((response as? HTTPURLResponse)?.statusCode ?? 0)", data.text] + events
        }
        #expect(found == ["\(status)", "", "\(status)", "end"])
    }

    /// Runs `body` with a stream of two pieces.
    ///
    /// - Parameter second: What comes after the first piece.
    private func withFeed(_ second: String, _ body: (TestCassette) async throws -> Void) async throws {
        let feed = """
            {"reprise": 1, "exchanges": [{"request": {"method": "GET", "url": "\(url)"}, "response": {
             "status": "200 OK", "headers": ["Transfer-Encoding: chunked"], "stream": [{"text": "one"}, \(second)]}}]}
            """
        try origin.cassettes.write(feed, to: "feed.cassette.json")
        let folder = origin.cassettes.url
        try await withCassette("feed", afterLast: .repeat, pace: .virtual, in: folder, environment: [:], body)
    }

    @Test(arguments: [
        (#"{"end": "reset"}"#, URLError.Code.networkConnectionLost),
        (#"{"after": 61000, "text": "two"}, {"end": "complete"}"#, .timedOut),
    ])
    func failureAfterFirstPieceReachesHandlerAndDelegate(second: String, code: URLError.Code) async throws {
        try await withFeed(second) { cassette in
            let failure = await #expect(throws: URLError.self) { try await URLSession.shared.data(from: url) }
            #expect(failure?.code == code)
            let delegate = EventCollector()
            let own = URLSession(configuration: cassette.sessionConfiguration, delegate: delegate, delegateQueue: nil)
            let events = await delegate.events(of: own.dataTask(with: url))
            #expect(events == ["200", "one", failure?.localizedDescription])
        }
    }

    @Test(arguments: [true, false])
    func unwantedCookiesAreNotSent(byRequest: Bool) async throws {
        let found = try await origin.recordAndReplay { url, cassette in
            let configuration = cassette.sessionConfiguration
            if !byRequest { configuration.httpCookieAcceptPolicy = .never }
            let session = URLSession(configuration: configuration)
            var texts: [String] = []
            for path in ["login", "echo/next"] {
                var request = URLRequest(url: url.appending(path: path))
                request.httpShouldHandleCookies = !byRequest
                texts.append(try await session.data(for: request).0.text)
            }
            return texts + (configuration.httpCookieStorage?.cookies ?? []).map(\.name)
        }
        #expect(found == ["GET ||", "GET ||"])
    }

    @Test func uploadOfMissingFileFails() async throws {
        _ = try await origin.record { url, cassette in
            var request = URLRequest(url: url.appending(path: "echo/1"))
            request.httpMethod = "POST"
            let delegate = EventCollector()
            let own = URLSession(configuration: cassette.sessionConfiguration, delegate: delegate, delegateQueue: nil)
            let file = URL(fileURLWithPath: "/nonexistent/upload.txt")
            let events = await delegate.events(of: own.uploadTask(with: request, fromFile: file))
            #expect(events.count == 1 && events[0].contains("upload.txt"), "\(events)")
            _ = try await URLSession.shared.data(from: url.appending(path: "news"))
        }
    }
}
