// SPDX-License-Identifier: Apache-2.0

import Foundation
import RepriseReplay
import Testing

@testable import RepriseTesting

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What code may do with a task while a cassette answers it: resume it twice, suspend it, cancel it, and give it a body
/// that never ends.
@Suite(.timeLimit(.minutes(1))) struct SessionTaskTests {
    private let origin = SessionOrigin()
    private let url = URL(string: "https://api.example.com")!

    /// Runs `body` with a cassette that has one exchange, `/who`, which it answers once.
    private func withBook(_ body: (TestCassette) async throws -> Void) async throws {
        try origin.cassettes.write(cassetteText([("/who", "Ada")]), to: "who.cassette.json")
        try await withCassette("who", in: origin.cassettes.url, environment: [:], body)
    }

    private func session(_ cassette: TestCassette, _ delegate: any URLSessionDelegate) -> URLSession {
        URLSession(configuration: cassette.sessionConfiguration, delegate: delegate, delegateQueue: nil)
    }

    private func upload(_ url: URL, _ stream: InputStream? = nil) -> URLRequest {
        var request = URLRequest(url: url.appending(path: "echo/1"))
        request.httpMethod = "PUT"
        request.httpBodyStream = stream
        return request
    }

    /// The body ends after the second start: Foundation crashes if a task is resumed that has just finished.
    @Test(arguments: [true, false])
    func taskThatIsStartedTwiceIsSentOnce(isSuspended: Bool) async throws {
        let (_, events) = try await origin.record { url, cassette in
            let (delegate, stream) = (EventCollector(), HeldStream())
            let task = session(cassette, delegate).dataTask(with: upload(url, stream))
            return await delegate.events(of: task) { task in
                task.resume()
                if isSuspended { task.suspend() }
                task.resume()
                stream.end()
            }
        }
        #expect(events == ["200", "PUT ||", "end"])
        let text = try #require(origin.cassettes.text(of: "books.cassette.json"))
        #expect(text.components(separatedBy: "\"request\":").count == 2)
    }

    @Test func suspendedTaskKeepsItsAnswer() async throws {
        try await withBook { cassette in
            let (delegate, stream) = (EventCollector(), HeldStream())
            var request = upload(url, stream)
            request.url = url.appending(path: "who")
            request.httpMethod = "GET"
            let task = session(cassette, delegate).dataTask(with: request)
            let events = await delegate.events(of: task) { task in
                task.resume()
                task.suspend()
                task.suspend()
                stream.end()
                task.resume()
                task.resume()
            }
            #expect(events == ["200", "Ada", "end"])
        }
    }

    @Test func suspendedTaskCanBeCanceled() async throws {
        try await withBook { cassette in
            let delegate = EventCollector()
            let task = session(cassette, delegate).dataTask(with: url.appending(path: "why"))
            let events = await delegate.events(of: task) { task in
                task.suspend()
                task.cancel()
            }
            #expect(events.count == 1 && events != ["end"])
            _ = try await URLSession.shared.data(from: url.appending(path: "who"))
        }
    }

    /// Foundation reads the behavior of each task on the queue of its session.
    @Test func manyTasksOfOneSessionRunInParallel() async throws {
        try origin.cassettes.write(cassetteText([("/who", "Ada")]), to: "who.cassette.json")
        let folder = origin.cassettes.url
        try await withCassette("who", afterLast: .repeat, in: folder, environment: [:]) { _ in
            await withTaskGroup(of: Void.self) { group in
                for number in 0..<400 {
                    group.addTask {
                        let task = Task { try await URLSession.shared.data(from: url.appending(path: "who")).0.text }
                        if number.isMultiple(of: 3) { task.cancel() }
                        let text = try? await task.value
                        #expect(text == "Ada" || number.isMultiple(of: 3))
                    }
                }
            }
        }
    }

    @Test func spellingOfChallengeDoesNotMatter() async throws {
        let challenge = """
            {"reprise": 1, "exchanges": [{"request": {"method": "GET", "url": "https://api.example.com/who"},
             "response": {"status": "401 Unauthorized", "headers": ["www-authenticate: Basic realm=\\"books\\""],
             "body": {"text": "no"}}}]}
            """
        try origin.cassettes.write(challenge, to: "who.cassette.json")
        let folder = origin.cassettes.url
        try await withCassette("who", afterLast: .repeat, in: folder, environment: [:]) { _ in
            for _ in 0..<30 {
                let (data, response) = try await URLSession.shared.data(from: url.appending(path: "who"))
                let head = try #require(response as? HTTPURLResponse)
                #expect(head.statusCode == 401 && data.text == "no")
                let challenge = head.value(forHTTPHeaderField: "WWW-Authenticate") ?? ""
                #expect(challenge.trimmingCharacters(in: .whitespaces) == #"Basic realm="books""#)
            }
        }
    }

    @Test func bodyOfUploadTaskReplacesThatOfRequest() async throws {
        let found = try await origin.recordAndReplay { url, _ in
            var request = upload(url)
            request.httpBody = Data("request".utf8)
            return try await URLSession.shared.upload(for: request, from: Data("upload".utf8)).0.text
        }
        #expect(found == "PUT upload||")
    }

    /// Code that calls back a second time changes nothing.
    @Test(arguments: [1, 2])
    func delegateGivesStream(times: Int) async throws {
        let found = try await origin.recordAndReplay { url, cassette in
            let delegate = EventCollector(body: "asked", times: times)
            return await delegate.events(of: session(cassette, delegate).uploadTask(withStreamedRequest: upload(url)))
        }
        #expect(found == ["200", "PUT asked||", "end"])
    }

    @Test func uploadWithoutStreamExplainsItself() async throws {
        try await withBook { cassette in
            let delegate = EventCollector()
            let events = await delegate.events(
                of: session(cassette, delegate).uploadTask(withStreamedRequest: upload(url))
            )
            #expect(events.count == 1 && events[0].contains("expected an upload with data"), "\(events)")
            _ = try await URLSession.shared.data(from: url.appending(path: "who"))
        }
    }

    @Test func timeoutLimitsReadingOfBody() async throws {
        let stream = HeldStream()
        defer { stream.end() }
        try await withBook { _ in
            var request = upload(url, stream)
            request.timeoutInterval = 0.2
            let error = await #expect(throws: URLError.self) { try await URLSession.shared.data(for: request) }
            #expect(error?.code == .timedOut && error?.localizedDescription.contains("timeoutInterval") == true)
            _ = try await URLSession.shared.data(from: url.appending(path: "who"))
        }
    }

    @Test func testEndsAlthoughBodyNeverDoes() async throws {
        let stream = HeldStream()
        defer { stream.end() }
        try await withBook { cassette in
            let delegate = EventCollector()
            let task = session(cassette, delegate).dataTask(with: upload(url, stream))
            let events = await delegate.events(of: task) { task in
                task.resume()
                stream.waitForReader()
                task.cancel()
            }
            #expect(events.count == 1)
            _ = try await URLSession.shared.data(from: url.appending(path: "who"))
        }
    }

    /// The end of a test closes the connections of its cassette.
    @Test func exchangeEndsWithItsTest() async throws {
        try await origin.withServer { server in
            let delegate = EventCollector()
            var ended: Task<[String], Never>?
            await #expect(throws: (any Error).self) {
                let mode = ["REPRISE_MODE": "overwrite"]
                try await withCassette("books", in: origin.cassettes.url, environment: mode) { cassette in
                    let task = session(cassette, delegate).dataTask(with: server.url.appending(path: "slow"))
                    ended = Task { await delegate.events(of: task) }
                    while !cassette.hasRequests { await Task.yield() }
                }
            }
            let events = await ended?.value
            #expect(events?.count == 1 && events != ["end"])
        }
    }
}

/// An empty stream whose reader waits for its end.
private final class HeldStream: InputStream {
    private let reader = DispatchSemaphore(value: 0)
    private let over = DispatchSemaphore(value: 0)

    init() { super.init(data: Data()) }

    func waitForReader() { reader.wait() }
    func end() { over.signal() }

    override func open() {}
    override func close() {}
    override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength len: Int) -> Int {
        reader.signal()
        over.wait()
        over.signal()
        return 0
    }
}
