// SPDX-License-Identifier: Apache-2.0

import Foundation
import RepriseTesting
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The requests of URL sessions, recorded from a server and replayed without it.
@Suite struct SessionCassetteTests {
    private let origin = SessionOrigin()

    private func request(_ url: URL, _ path: String, _ method: String = "GET", body: String? = nil) -> URLRequest {
        var request = URLRequest(url: url.appending(path: path))
        request.httpMethod = method
        request.httpBody = body.map { Data($0.utf8) }
        return request
    }

    @Test func recordsAndReplaysSharedSession() async throws {
        let found = try await origin.recordAndReplay { url, _ in
            let (data, response) = try await URLSession.shared.data(from: url.appending(path: "news"))
            let head = try #require(response as? HTTPURLResponse)
            return [data.text, "\(head.statusCode)", head.value(forHTTPHeaderField: "X-Kind") ?? ""]
        }
        #expect(found == ["one two", "200", "a, b"])
    }

    @Test func recordsAndReplaysOwnSessionInAnyTask() async throws {
        let found = try await origin.recordAndReplay { url, cassette in
            let session = URLSession(configuration: cassette.sessionConfiguration)
            return try await Task.detached { try await session.data(from: url.appending(path: "news")).0.text }.value
        }
        #expect(found == "one two")
    }

    @Test func callsCompletionHandlerWithWholeContent() async throws {
        let found = try await origin.recordAndReplay { url, _ in
            await withCheckedContinuation { continuation in
                URLSession.shared.dataTask(with: url.appending(path: "news")) { data, response, error in
                    let status = (response as? HTTPURLResponse)?.statusCode ?? 0
                    continuation.resume(returning: "\(status) \(data?.text ?? "") \(error == nil)")
                }.resume()
            }
        }
        #expect(found == "200 one two true")
    }

    @Test func callsDelegate() async throws {
        let found = try await origin.recordAndReplay { url, cassette in
            let delegate = EventCollector()
            let session = URLSession(
                configuration: cassette.sessionConfiguration,
                delegate: delegate,
                delegateQueue: nil
            )
            return await delegate.events(of: session.dataTask(with: url.appending(path: "missing")))
        }
        #expect(found == ["404", "no such book", "end"])
    }

    @Test func sendsEveryKindOfBody() async throws {
        let folder = try TemporaryFolder()
        try folder.write("file", to: "body.txt")
        let found = try await origin.recordAndReplay { url, cassette in
            let session = URLSession.shared
            var streamed = request(url, "echo/3", "PUT")
            streamed.httpBodyStream = InputStream(data: Data("stream".utf8))
            let delegate = EventCollector(body: "asked")
            let own = URLSession(configuration: cassette.sessionConfiguration, delegate: delegate, delegateQueue: nil)
            return [
                try await session.data(for: request(url, "echo/1", "POST", body: "body")).0.text,
                try await session.upload(for: request(url, "echo/2", "PUT"), from: Data("data".utf8)).0.text,
                try await session.data(for: streamed).0.text,
                try await session.upload(
                    for: request(url, "echo/4", "POST"),
                    fromFile: folder.url.appending(path: "body.txt")
                ).0.text,
                await delegate.events(of: own.uploadTask(withStreamedRequest: request(url, "echo/5", "POST")))
                    .joined(separator: ","),
                try await session.data(for: request(url, "echo/6", "DELETE")).0.text,
            ]
        }
        #expect(
            found == ["POST body||", "PUT data||", "PUT stream||", "POST file||", "200,POST asked||,end", "DELETE ||"]
        )
    }

    @Test func followsRedirects() async throws {
        let found = try await origin.recordAndReplay { url, _ in
            let (data, response) = try await URLSession.shared.data(
                for: request(url, "moved", "POST", body: "form")
            )
            let kept = try await URLSession.shared.data(for: request(url, "kept", "POST", body: "form")).0.text
            return [data.text, response.url?.path ?? "", kept]
        }
        #expect(found == ["GET ||", "/echo/there", "POST form||"])
    }

    @Test func dropsCredentialsOnRedirectToAnotherOrigin() async throws {
        let found = try await SessionOrigin().withServer { other in
            try await origin.recordAndReplay { url, _ in
                var texts: [String] = []
                for target in [url, other.url] {
                    let query = [URLQueryItem(name: "to", value: "\(target)/auth")]
                    var request = URLRequest(url: url.appending(path: "away").appending(queryItems: query))
                    request.setValue("Bearer t", forHTTPHeaderField: "Authorization")
                    request.setValue("k", forHTTPHeaderField: "X-Trace")
                    texts.append(try await URLSession.shared.data(for: request).0.text)
                }
                // The cassette contains the first text without the token.
                return texts.map { $0.hasPrefix("|") ? $0 : "token" + $0.suffix(2) }
            }
        }
        #expect(found == ["token|k", "|k"])
    }

    @Test func addsHeadersAndCookiesOfConfiguration() async throws {
        let found = try await origin.recordAndReplay { url, cassette in
            let configuration = cassette.sessionConfiguration
            configuration.httpAdditionalHeaders = ["X-Key": "k"]
            // Not shared with other tests.
            configuration.httpCookieStorage = URLSessionConfiguration.ephemeral.httpCookieStorage
            let storage = try #require(configuration.httpCookieStorage)
            for cookie in storage.cookies ?? [] { storage.deleteCookie(cookie) }
            let session = URLSession(configuration: configuration)
            let first = try await session.data(from: url.appending(path: "login")).0.text
            let second = try await session.data(from: url.appending(path: "echo/next")).0.text
            return [first, second, (storage.cookies ?? []).map(\.name).sorted().joined(separator: ",")]
        }
        #expect(found[0].hasPrefix("GET |k|"))
        #expect(found[0].contains("id=7") && found[0].contains("theme=dark"), "\(found)")
        #expect(found[1] == found[0])
        #expect(found[2] == "id,theme")
    }

    /// Foundation on Linux would wait for credentials forever.
    @Test func returnsResponseWithChallenge() async throws {
        let found = try await origin.recordAndReplay { url, cassette in
            let delegate = EventCollector()
            let own = URLSession(configuration: cassette.sessionConfiguration, delegate: delegate, delegateQueue: nil)
            let events = await delegate.events(of: own.dataTask(with: url.appending(path: "secret")))
            let (data, response) = try await URLSession.shared.data(from: url.appending(path: "secret"))
            let challenge = (response as? HTTPURLResponse)?.value(forHTTPHeaderField: "WWW-Authenticate")
            return events + [data.text, challenge?.trimmingCharacters(in: .whitespaces) ?? ""]
        }
        #expect(found == ["401", "who are you?", "end", "who are you?", #"Basic realm="books""#])
    }

    @Test func runsRequestsInParallel() async throws {
        let found = try await origin.recordAndReplay { url, _ in
            try await withThrowingTaskGroup(of: String.self) { group in
                for number in 0..<20 {
                    group.addTask {
                        let echo = request(url, "echo/\(number)", "POST", body: "\(number)")
                        return "\(number): " + (try await URLSession.shared.data(for: echo).0.text)
                    }
                }
                return try await group.reduce(into: Set()) { $0.insert($1) }
            }
        }
        #expect(found == Set((0..<20).map { "\($0): POST \($0)||" }))
    }

    /// A delegate sees the recorded chunks, and a completion handler all of them.
    @Test func deliversChunksToDelegate() async throws {
        let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let fixtures = tests.appending(path: "Fixtures")
        try await withCassette("chat", matching: [.method, .path], afterLast: .repeat, in: fixtures) { cassette in
            let delegate = EventCollector()
            let session = URLSession(
                configuration: cassette.sessionConfiguration,
                delegate: delegate,
                delegateQueue: nil
            )
            let url = try #require(URL(string: "https://api.example.com"))
            let chat = request(url, "v1/chat", "POST", body: "{}")
            let events = await delegate.events(of: session.dataTask(with: chat))
            #expect(delegate.pieces.count == 4)
            let text = try await session.data(for: chat).0.text
            #expect(text == delegate.pieces.joined() && events == ["200", text, "end"])
        }
    }

    @Test func answersFromStubs() async throws {
        let folder = try TemporaryFolder()
        try folder.write("Hello", to: "greeting.get.txt")
        try await withCassette(folder.url.path, mode: .stub, environment: [:]) { _ in
            let url = try #require(URL(string: "https://api.example.com/greeting"))
            let text = try await URLSession.shared.data(from: url).0.text
            #expect(text == "Hello")
        }
    }
}

/// Collects what a session tells its delegate about one task.
final class EventCollector: NSObject, URLSessionDataDelegate, @unchecked Sendable {
    private let body: String?
    private let times: Int
    private var events: [String] = []
    private(set) var pieces: [String] = []
    private var continuation: CheckedContinuation<[String], Never>?

    /// - Parameters:
    ///   - body: What to give a task that asks for a stream.
    ///   - times: How often to give it.
    init(body: String? = nil, times: Int = 1) {
        self.body = body
        self.times = times
    }

    func events(
        of task: URLSessionTask,
        _ start: (URLSessionTask) -> Void = { $0.resume() }
    ) async -> [String] {
        await withCheckedContinuation {
            continuation = $0
            start(task)
        }
    }

    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didReceive response: URLResponse,
        completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
    ) {
        events.append("\((response as? HTTPURLResponse)?.statusCode ?? 0)")
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        pieces.append(data.text)
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        needNewBodyStream completionHandler: @escaping (InputStream?) -> Void
    ) {
        for _ in 0..<times { completionHandler(body.map { InputStream(data: Data($0.utf8)) }) }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        if !pieces.isEmpty { events.append(pieces.joined()) }
        continuation?.resume(returning: events + [error?.localizedDescription ?? "end"])
    }
}
