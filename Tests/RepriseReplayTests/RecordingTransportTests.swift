// SPDX-License-Identifier: Apache-2.0

import Foundation
import Reprise
import RepriseLocking
import RepriseReplay
import RepriseText
import Testing

@Suite(.timeLimit(.minutes(5))) struct RecordingTransportTests {
    private let folder: TemporaryFolder
    private let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.path("a.cassette.json")
    }

    private func recording(over base: any Transport, keepsEncoding: Bool = false) throws -> RecordingTransport {
        try RecordingTransport(over: base, to: path, keepsEncoding: keepsEncoding)
    }

    /// The requests in the cassette.
    private func requests() throws -> [RecordedRequest] {
        try FixtureLoader.load([path], keepsRecordings: true).fixtures.compactMap { $0.recording?.request }
    }

    // MARK: Requests

    @Test func requestsIdentityCodingAndRecordsClientFields() async throws {
        let stub = StubTransport { $0.get("/a", .text("ok")) }
        let recording = try recording(over: stub)
        _ = try await recording.request("/a", fields: [.acceptEncoding: "br, gzip", .accept: "text/plain"])
        try recording.finish()
        #expect(stub.requests.map { $0.headers[.acceptEncoding] } == ["identity"])
        let lines = try requests()[0].headers.map { String(decoding: $0.bytes, as: UTF8.self) }
        #expect(lines == ["Accept-Encoding: br, gzip", "Accept: text/plain"])
    }

    @Test func preservesAcceptEncodingIfConfigured() async throws {
        let stub = StubTransport { $0.get("/a", .text("ok")) }
        let recording = try recording(over: stub, keepsEncoding: true)
        _ = try await recording.request("/a", fields: [.acceptEncoding: "gzip"])
        _ = try await recording.request("/a")
        #expect(stub.requests.map { $0.headers[.acceptEncoding] } == ["gzip", nil])
    }

    /// A server may ignore `identity`. The cassette has what it sent, and both clients see the same.
    @Test func recordsCodedContentAndDecodesItForClient() async throws {
        let coded = StubTransport { $0.get("/a", .bytes(Gzip.sample).header("Content-Encoding", "gzip")) }
        let recording = try recording(over: coded)
        let api = Client("https://h", transport: recording)
        let value: [String: String] = try await api.get("/a").value()
        try recording.finish()
        #expect(value["a"]?.hasPrefix("text text") == true)
        let cassette = try String(contentsOfFile: path, encoding: .utf8)
        #expect(cassette.contains("Content-Encoding: gzip"))
        #expect(cassette.contains(Data(Gzip.sample).base64EncodedString()))
        let replay = Client("https://h", transport: try ReplayingTransport(path))
        #expect(try await replay.get("/a").value() == value)
    }

    @Test func recordsStreamedRequestBody() async throws {
        let stub = StubTransport { $0.post("/a") { request in .text("got \(request.text)") } }
        let recording = try recording(over: stub)
        let chunks = AsyncStream<[UInt8]> { stream in
            for piece in ["one ", "two ", "three"] { stream.yield(Array(piece.utf8)) }
            stream.finish()
        }
        let request = HTTPRequest(method: .post, scheme: "https", authority: "api.example.com", path: "/a")
        #expect(try await recording.send(request, body: Body(chunks)).text() == "got one two three")
        try recording.finish()
        #expect(try requests()[0].body?.source == .bytes(Array("one two three".utf8)))
    }

    /// The chunks of an AWS upload are part of the content, and other codings are removed as usual.
    @Test(arguments: [
        ("aws-chunked", awsChunks, awsChunks), ("gzip, aws-chunked", Gzip.sample, Gzip.sampleContent),
        ("gzip", Gzip.sample, Gzip.sampleContent),
    ])
    func recordsAndComparesCodedRequests(coding: String, body: [UInt8], recorded: [UInt8]) async throws {
        let stub = StubTransport { $0.put("/object", .text("stored")) }
        var request = HTTPRequest(method: .put, scheme: "https", authority: "api.example.com", path: "/object")
        request.headerFields = [.contentEncoding: coding, .contentType: "text/plain"]
        let recording = try recording(over: stub)
        _ = try await recording.send(request, body: Body(body)).text()
        #expect(try recording.finish().refused == 0)
        #expect(try requests()[0].body?.source == .bytes(recorded))
        let replay = try ReplayingTransport(path)
        await #expect(throws: TransportError.self) { try await replay.send(request, body: "other") }
        #expect(try await replay.send(request, body: Body(body)).text() == "stored")
    }

    private static let awsChunks = Array("5\r\nhello\r\n0\r\nx-amz-checksum-crc32:NhCmhg==\r\n\r\n".utf8)

    private func upload(_ text: String) -> Body {
        Body(
            AsyncStream<[UInt8]> { stream in
                for byte in text.utf8 { stream.yield([byte]) }
                stream.finish()
            }
        )
    }

    /// The server rejects the upload before it has received all of it.
    @Test func replaysUploadAnsweredEarly() async throws {
        let early = AnyTransport { (_, body, _) async throws(TransportError) in
            var chunks = body?.makeAsyncIterator()
            _ = try? await chunks?.next()
            return Response(HTTPResponse(status: .contentTooLarge), body: "too large")
        }
        let request = HTTPRequest(method: .post, scheme: "https", authority: "api.example.com", path: "/a")
        let recording = try recording(over: early)
        #expect(try await recording.send(request, body: upload("0123456789")).text() == "too large")
        #expect(try recording.finish().notes.first?.contains("server answered before") == true)
        for text in ["0", "0123456789", "other"] {
            let replay = try ReplayingTransport(path)
            #expect(try await replay.send(request, body: upload(text)).text() == "too large")
        }
    }

    /// Transports don't read from a body that is known to be empty.
    @Test func treatsEmptyBodyAsComplete() async throws {
        let recording = try recording(
            over: AnyTransport { (_, _, _) async throws(TransportError) in
                Response(HTTPResponse(status: .ok))
            }
        )
        let request = HTTPRequest(method: .post, scheme: "https", authority: "api.example.com", path: "/a")
        _ = try await recording.send(request, body: Body(AsyncStream<[UInt8]> { $0.finish() }, length: 0))
        #expect(try recording.finish().notes == [])
        #expect(try requests()[0].comparesBody)
    }

    @Test func recordsRetransmittedBodyOnce() async throws {
        // Like a transport that starts over because the connection was closed.
        let twice = AnyTransport { request, body, _ in
            if let body {
                var first = body.makeAsyncIterator()
                _ = try? await first.next()
                _ = try? await body.collect()
            }
            return Response(HTTPResponse(status: .ok))
        }
        let recording = try recording(over: twice)
        let body = Body(Pieces(["one ", "two"]), isReplayable: true)
        let request = HTTPRequest(method: .post, scheme: "https", authority: "api.example.com", path: "/a")
        _ = try await recording.send(request, body: body)
        try recording.finish()
        #expect(try requests()[0].body?.source == .bytes(Array("one two".utf8)))
    }

    @Test func passesInMemoryBodyUnchanged() async throws {
        let seen = Locked<[Bool]>([])
        let base = AnyTransport { _, body, _ in
            seen.withLock { $0.append(body?.length == 5 && body?.isReplayable == true) }
            return Response(HTTPResponse(status: .ok))
        }
        let recording = try recording(over: base)
        _ = try await recording.request("/a", .post, body: "hello")
        try recording.finish()
        #expect(seen.withLock { $0 } == [true])
        #expect(try requests()[0].body?.source == .bytes(Array("hello".utf8)))
    }

    @Test func replaysRequestsWithRedactedSecrets() async throws {
        let stub = StubTransport {
            $0.post("/login", .json(#"{"name": "ann", "access_token": "abcdef0123456789"}"#))
            $0.get("/me", .text("ann"))
        }
        let recording = try recording(over: stub)
        func signIn(with transport: any Transport, _ secret: String) async throws -> String {
            let login = try await transport.request(
                "/login?api_key=\(secret)1",
                .post,
                body: #"{"user": "ann", "password": "\#(secret)2"}"#,
                fields: [.contentType: "application/json"]
            )
            #expect(login.status == .ok)
            let fields: HTTPFields = [.authorization: "Bearer \(secret)3", .cookie: "session=\(secret)4"]
            return try await transport.request("/me", fields: fields).text()
        }
        #expect(try await signIn(with: recording, "hunter") == "ann")
        try recording.finish()
        let written = folder.text(of: "a.cassette.json") ?? ""
        #expect(!written.contains("hunter") && !written.contains("abcdef0123456789"))
        let replay = try ReplayingTransport(path)
        #expect(try await signIn(with: replay, "another") == "ann")
        #expect(throws: Never.self) { try replay.finish() }
    }

    // MARK: Responses

    @Test func recordsEachHopOfRedirectWithUnreadContent() async throws {
        let stub = StubTransport {
            $0.get("/a", .text("over there", status: 302).header("Location", "/b"))
            $0.get("/b", .stream("on ", "and on", status: 307).header("Location", "/c"))
            $0.get("/c", .text("here"))
        }
        let recording = try recording(over: stub)
        #expect(try await recording.text("/a") == "here")
        try recording.finish()
        #expect(try requests().map(\.url) == ["/a", "/b", "/c"].map { "https://api.example.com\($0)" })
        let replay = try ReplayingTransport(path)
        let kept = RequestOptions(redirects: .dontFollow)
        #expect(try await replay.request("/a", options: kept).text() == "over there")
        #expect(try await replay.request("/b", options: kept).text() == "on and on")
        #expect(recording.summary.notes == [])
    }

    @Test func deliversChunkBeforeNextArrives() async throws {
        let (parts, source) = AsyncStream<[UInt8]>.makeStream()
        let base = AnyTransport { _, _, _ in Response(HTTPResponse(status: .ok), body: Body(parts)) }
        let recording = try recording(over: base)
        var iterator = try await recording.request("/a").body.makeAsyncIterator()
        source.yield([1])
        #expect(try await iterator.next() == [1])
        source.yield([2])
        #expect(try await iterator.next() == [2])
        source.finish()
        #expect(try await iterator.next() == nil)
    }

    @Test func recordsReadPartOfAbandonedStream() async throws {
        let stub = StubTransport { $0.get("/chat", .events("data: 1\n\n", "data: 2\n\n", "data: 3\n\n")) }
        let recording = try recording(over: stub)
        do {
            var events = try await recording.request("/chat").body.makeAsyncIterator()
            #expect(try await events.next() == Array("data: 1\n\n".utf8))
            #expect(try await events.next() == Array("data: 2\n\n".utf8))
        }
        let summary = try recording.finish()
        #expect(summary.exchanges == 1)
        #expect(summary.notes.isEmpty)
        let replayed = try await Observation(ReplayingTransport(path).request("/chat"))
        #expect(replayed.text == "data: 1\n\ndata: 2\n\n")
        #expect(replayed.failure == "timedOut")
    }

    @Test func recordsHeadOfUnreadResponse() async throws {
        let stub = StubTransport { $0.get("/chat", .events("data: 1\n\n")) }
        let recording = try recording(over: stub)
        #expect(try await recording.request("/chat").status == .ok)
        #expect(try recording.finish().exchanges == 1)
        #expect(try await ReplayingTransport(path).request("/chat").status == .ok)
    }

    @Test(arguments: [
        (Ending.truncated, "truncated"), (.reset, "reset"), (.timedOut, "timedOut"),
    ])
    func recordsEndingOfStream(ending: Ending, code: String) async throws {
        let stub = StubTransport { $0.get("/chat", .events("data: 1\n\n", ending: ending)) }
        let recording = try recording(over: stub)
        let live = try await Observation(recording.request("/chat"))
        try recording.finish()
        let replayed = try await Observation(ReplayingTransport(path).request("/chat"))
        #expect(replayed.chunks == live.chunks)
        #expect(replayed.failure == code)
        #expect(replayed.ending == live.ending)
    }

    // MARK: Failures

    @Test(arguments: [
        TransportError.Code.connectionRefused, .reset, .timedOut, .nameNotResolved, .tls,
    ])
    func recordsServerFailures(code: TransportError.Code) async throws {
        let recording = try recording(over: StubTransport { $0.get("/a", .failure(code)) })
        await #expect(throws: TransportError.self) { try await recording.request("/a") }
        #expect(try recording.finish().exchanges == 1)
        let error = await #expect(throws: TransportError.self) { try await ReplayingTransport(path).request("/a") }
        #expect(error?.code == code)
    }

    @Test func recordsCanceledRequestWhichIsSilentInReplay() async throws {
        let (asked, ask) = AsyncStream<Void>.makeStream()
        let recording = try recording(
            over: AnyTransport { (_, _, _) async throws(TransportError) in
                ask.finish()
                try? await ContinuousClock().sleep(for: .seconds(600))
                throw TransportError(.cancelled, "so")
            }
        )
        let recorded = Task { try await recording.request("/a") }
        for await _ in asked {}
        recorded.cancel()
        await #expect(throws: TransportError.self) { try await recorded.value }
        // A request that was canceled before it was sent is no exchange.
        let unsent = Task {
            unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            return try await recording.request("/b")
        }
        await #expect(throws: TransportError.self) { try await unsent.value }
        let summary = try recording.finish()
        #expect(summary.exchanges == 1 && summary.notes.isEmpty)
        #expect(try requests().map(\.url) == ["https://api.example.com/a"])
        #expect(
            String(decoding: try Data(contentsOf: URL(fileURLWithPath: path)), as: UTF8.self).contains(
                #""end": "cancelled""#
            )
        )

        let replay = try ReplayingTransport(path)
        let replayed = Task { try await replay.request("/a") }
        while replay.report.choices.isEmpty, !Task.isCancelled { await Task.yield() }
        replayed.cancel()
        let error = await #expect(throws: TransportError.self) { try await replayed.value }
        #expect(error?.code == .cancelled)
        try replay.finish()
        let late = await #expect(throws: TransportError.self) {
            try await ReplayingTransport(path).request("/a", options: RequestOptions(timeout: .milliseconds(1)))
        }
        #expect(late?.code == .timedOut)
    }

    /// The client cancels a transport that does not enforce timeouts.
    @Test func recordsTimeoutOfClientAsTimeout() async throws {
        let recording = try recording(
            over: AnyTransport { (_, _, _) async throws(TransportError) in
                try? await ContinuousClock().sleep(for: .seconds(600))
                throw TransportError(.cancelled, "so")
            }
        )
        for transport in [recording, nil] as [RecordingTransport?] {
            let api = Client("https://api.example.com", transport: try transport ?? ReplayingTransport(path))
            let timeout: Duration = transport == nil ? .seconds(600) : .milliseconds(1)
            let error = await #expect(throws: ClientError.self) {
                try await api.get("/a").timeout(timeout).send()
            }
            #expect((error?.underlying as? TransportError)?.code == .timedOut)
            if let transport { #expect(try transport.finish().exchanges == 1) }
        }
        let text = String(decoding: try Data(contentsOf: URL(fileURLWithPath: path)), as: UTF8.self)
        #expect(text.contains(#""failure": "timedOut""#))
    }

    /// A server that records for another program sees only that the connection ended.
    @Test func replaysCancellationAtTimeoutWithoutWaiting() async throws {
        let cassette = """
            {
              "reprise": 1,
              "exchanges": [
                {
                  "request": {"method": "GET", "url": "https://api.example.com/a", "headers": []},
                  "end": "cancelled",
                  "recorded": {"at": "2026-11-21T09:00:00.000Z", "milliseconds": 599990}
                }
              ]
            }
            """
        try Data(cassette.utf8).write(to: URL(fileURLWithPath: path))
        let options = RequestOptions(timeout: .seconds(600))
        for pace in [Pace.instant, .virtual] {
            let replay = try ReplayingTransport(path, pace: pace)
            let error = await #expect(throws: TransportError.self) { try await replay.request("/a", options: options) }
            #expect(error?.code == .timedOut)
        }
    }

    @Test func omitsCanceledRequestWithIncompleteBody() async throws {
        let recording = try recording(over: StubTransport.answering { _ in .failure(.cancelled) })
        let request = HTTPRequest(method: .post, scheme: "https", authority: "api.example.com", path: "/a")
        let body = Body(
            AsyncThrowingStream<[UInt8], any Error> { stream in
                stream.yield([1])
                stream.finish(throwing: CancellationError())
            }
        )
        await #expect(throws: TransportError.self) { try await recording.send(request, body: body) }
        #expect(try recording.finish().exchanges == 0)
    }

    @Test(arguments: [TransportError.Code.offline, .requestBody, .invalidRequest, .proxy, .other])
    func omitsLocalFailures(code: TransportError.Code) async throws {
        let recording = try recording(over: StubTransport { $0.get("/a", .failure(code)) })
        await #expect(throws: TransportError.self) { try await recording.request("/a") }
        let summary = try recording.finish()
        #expect(summary.exchanges == 0)
        #expect(summary.notes.last == "GET https://api.example.com/a: not recorded, because it ended with \(code)")
    }

    @Test func inheritsTimeoutEnforcementFromBase() throws {
        #expect(try recording(over: StubTransport { _ in }).enforcesTimeout == false)
        #expect(
            try RecordingTransport(over: ReplayingTransport(fixtures: []), to: folder.path("b.cassette.json"))
                .enforcesTimeout
        )
    }
}

/// Chunks that can be read again.
private struct Pieces: AsyncSequence, Sendable {
    typealias Element = [UInt8]

    let texts: [String]

    init(_ texts: [String]) {
        self.texts = texts
    }

    func makeAsyncIterator() -> Iterator { Iterator(rest: texts[...]) }

    struct Iterator: AsyncIteratorProtocol {
        var rest: ArraySlice<String>

        mutating func next() async -> [UInt8]? { rest.popFirst().map { Array($0.utf8) } }
    }
}

/// A transport that calls a closure.
struct AnyTransport: Transport {
    typealias Answer = @Sendable (HTTPRequest, Body?, RequestOptions) async throws(TransportError) -> Response

    let answer: Answer

    init(_ answer: @escaping Answer) {
        self.answer = answer
    }

    func send(
        _ request: HTTPRequest,
        body: Body?,
        options: RequestOptions
    ) async throws(TransportError) -> Response {
        try await answer(request, body, options)
    }
}
