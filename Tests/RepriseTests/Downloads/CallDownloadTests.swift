// SPDX-License-Identifier: Apache-2.0

import Foundation
import RepriseLocking
import RepriseTestSupport
import Testing

@testable import Reprise

@Suite(.timeLimit(.minutes(3))) struct CallDownloadTests {
    private let folder: TemporaryFolder
    private let file: URL

    init() throws {
        folder = try TemporaryFolder()
        file = folder.url.appending(path: "film.mp4")
    }

    private func api(_ server: some Transport) -> Client { Client("https://h", transport: server) }

    private func content(_ name: String = "film.mp4") -> String? {
        (try? Data(contentsOf: folder.url.appending(path: name))).map { String(decoding: $0, as: UTF8.self) }
    }

    private var names: [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()) ?? []
    }

    @Test(arguments: [true, false])
    func savesContentInPlaceOfExistingFile(resuming: Bool) async throws {
        _ = try folder.file("film.mp4")
        let server = FilmServer()
        let head = try await api(server).get("/film").download(to: file, resuming: resuming)
        #expect(head.status == .ok)
        #expect(content() == "0123456789")
        #expect(names == ["film.mp4"])
        #expect(server.ranges == [nil])
        #expect(server.requests[0].headerFields[.acceptEncoding] == (resuming ? "identity" : nil))
    }

    @Test func createsFolder() async throws {
        let file = folder.url.appending(path: "films/2026/film.mp4")
        try await api(FilmServer()).get("/film").download(to: file)
        #expect(content("films/2026/film.mp4") == "0123456789")
    }

    @Test func namesFolderThatCannotBeCreated() async throws {
        let file = try folder.file("films").appending(path: "2026/film.mp4")
        let error = await #expect(throws: ClientError.self) {
            try await api(FilmServer()).get("/film").download(to: file)
        }
        #expect(error?.code == .file)
        #expect(error?.message.contains("/films") == true)
    }

    @Test func resumesFileThatBrokeOff() async throws {
        _ = try folder.file("film.mp4", Array("old".utf8))
        let server = FilmServer(breaks: [3, 2])
        let call = api(server).get("/film")
        for received in ["012", "01234"] {
            let error = await #expect(throws: ClientError.self) { try await call.download(to: file, resuming: true) }
            #expect(error?.isConnectivity == true)
            #expect(content() == "old")
            #expect(content("film.mp4.partial") == received)
        }
        let head = try await call.download(to: file, resuming: true)
        #expect(head.status == .partialContent)
        #expect(content() == "0123456789")
        #expect(names == ["film.mp4"])
        #expect(server.ranges == [nil, "bytes=3-", "bytes=5-"])
        #expect(server.requests.map { $0.headerFields[.ifRange] } == [nil, "\"1\"", "\"1\""])
    }

    @Test func resumesDataThatBrokeOff() async throws {
        let server = FilmServer(breaks: [3])
        var partial = PartialDownload()
        do {
            _ = try await api(server).get("/film").download(resuming: &partial)
            Issue.record("did not break off")
        } catch {
            #expect(partial.bytes == Array("012".utf8))
        }
        let data = try await api(server).get("/film").download(resuming: &partial)
        #expect(String(decoding: data, as: UTF8.self) == "0123456789")
        #expect(server.ranges == [nil, "bytes=3-"])
        #expect(partial == PartialDownload())
    }

    @Test func resumesInEachAttemptOfPolicy() async throws {
        let server = FilmServer(breaks: [3, 1, 2])
        let call = api(server).get("/film")
        var partial = PartialDownload()
        let clock = ManualClock(passesBySleeping: true)
        let data = try await RetryPolicy.fixed(attempts: 4).run(on: clock) { _ in
            try await call.download(resuming: &partial)
        }
        #expect(data.count == 10)
        #expect(server.ranges == [nil, "bytes=3-", "bytes=4-", "bytes=6-"])
    }

    @Test func startsOverWhenContentChanged() async throws {
        let server = FilmServer(breaks: [3])
        let call = api(server).get("/film")
        await #expect(throws: ClientError.self) { try await call.download(to: file, resuming: true) }
        server.state.withLock { state in
            state.film = Array("abc".utf8)
            state.fields[.eTag] = "\"2\""
        }
        #expect(try await call.download(to: file, resuming: true).status == .ok)
        #expect(content() == "abc")
        #expect(server.ranges == [nil, "bytes=3-"])
    }

    @Test(
        arguments: [
            [:], [.eTag: "W/\"1\""], [.eTag: "\"1\"", .contentEncoding: "gzip"],
            [.eTag: "\"1\"", .acceptRanges: "none"],
        ] as [HTTPFields]
    )
    func startsOverWithoutStrongValidator(fields: HTTPFields) async throws {
        let server = FilmServer(breaks: [3], fields: fields)
        let call = api(server).get("/film")
        await #expect(throws: ClientError.self) { try await call.download(to: file, resuming: true) }
        #expect(names == [])
        try await call.download(to: file, resuming: true)
        #expect(content() == "0123456789")
        #expect(server.ranges == [nil, nil])
    }

    @Test(
        arguments: [
            (.partialContent, "bytes 2-9/10"), (.partialContent, nil), (.partialContent, "bytes 3-x/10"),
            (.rangeNotSatisfiable, "bytes */2"), (.rangeNotSatisfiable, nil),
        ] as [(HTTPResponse.Status, String?)]
    )
    func startsOverAfterUnusableRange(status: HTTPResponse.Status, range: String?) async throws {
        let server = FilmServer(breaks: [3])
        let call = api(server).get("/film")
        await #expect(throws: ClientError.self) { try await call.download(to: file, resuming: true) }
        server.state.withLock { state in
            state.rangeResponse = { _ in
                let fields: HTTPFields = range.map { [.contentRange: $0] } ?? [:]
                return Response(HTTPResponse(status: status, headerFields: fields), body: "wrong")
            }
        }
        try await call.download(to: file, resuming: true)
        #expect(content() == "0123456789")
        #expect(server.ranges == [nil, "bytes=3-", nil])
    }

    @Test func completesWhenNothingIsMissing() async throws {
        let server = FilmServer(breaks: [10])
        let call = api(server).get("/film")
        await #expect(throws: ClientError.self) { try await call.download(to: file, resuming: true) }
        server.state.withLock { state in
            state.rangeResponse = { start in
                let fields: HTTPFields = [.contentRange: "bytes */\(start)"]
                return Response(HTTPResponse(status: .rangeNotSatisfiable, headerFields: fields))
            }
        }
        try await call.download(to: file, resuming: true)
        #expect(content() == "0123456789")
        #expect(server.requests.count == 2)
    }

    @Test func requestsRestOfShorterRange() async throws {
        let server = FilmServer(breaks: [3])
        let call = api(server).get("/film")
        await #expect(throws: ClientError.self) { try await call.download(to: file, resuming: true) }
        server.state.withLock { state in
            state.rangeResponse = { start in
                let fields: HTTPFields = [.contentRange: "bytes \(start)-\(start)/6"]
                return Response(HTTPResponse(status: .partialContent, headerFields: fields), body: "x")
            }
        }
        try await call.download(to: file, resuming: true)
        #expect(content() == "012xxx")
        #expect(server.ranges == [nil, "bytes=3-", "bytes=4-", "bytes=5-"])
    }

    @Test(arguments: ["x", "xyz"])
    func rejectsRangeOfAnotherLength(body: String) async throws {
        let server = FilmServer(breaks: [3])
        let call = api(server).get("/film")
        await #expect(throws: ClientError.self) { try await call.download(to: file, resuming: true) }
        server.state.withLock { state in
            state.rangeResponse = { _ in
                let fields: HTTPFields = [.contentRange: "bytes 3-4/5"]
                return Response(HTTPResponse(status: .partialContent, headerFields: fields), body: Body(body))
            }
        }
        let error = await #expect(throws: ClientError.self) { try await call.download(to: file, resuming: true) }
        #expect(error?.message.contains("expected the bytes 3 to 4, found \(body.count) bytes") == true)
        #expect(names == [])
    }

    @Test func startsOverForAnotherURL() async throws {
        let server = FilmServer(breaks: [3])
        await #expect(throws: ClientError.self) { try await api(server).get("/a").download(to: file, resuming: true) }
        try await api(server).get("/b").download(to: file, resuming: true)
        #expect(server.ranges == [nil, nil])
        #expect(content() == "0123456789")
    }

    @Test func requestsNoRangeIfCallSetsOne() async throws {
        let server = FilmServer(breaks: [3])
        let call = api(server).get("/film").header(.range, "bytes=0-4")
        await #expect(throws: ClientError.self) { try await call.download(to: file, resuming: true) }
        #expect(names == [])
        let post = FilmServer(breaks: [3])
        await #expect(throws: ClientError.self) { try await api(post).post("/film").download(to: file, resuming: true) }
        #expect(names == [])
    }

    @Test func removesPartialFileWithoutResuming() async throws {
        let server = FilmServer(breaks: [3])
        await #expect(throws: ClientError.self) { try await api(server).get("/film").download(to: file) }
        #expect(names == [])
    }

    @Test func keepsPartialFileIfRequestFails() async throws {
        let server = FilmServer(breaks: [3])
        await #expect(throws: ClientError.self) { try await api(server).get("/f").download(to: file, resuming: true) }
        let offline = Client("https://h", transport: StubTransport { $0.all { _ in .failure(.offline) } })
        await #expect(throws: ClientError.self) { try await offline.get("/f").download(to: file, resuming: true) }
        let failing = Client("https://h", transport: ClosureTransport(.internalServerError))
        let error = await #expect(throws: ClientError.self) {
            try await failing.get("/f").download(to: file, resuming: true)
        }
        #expect(error?.status == .internalServerError)
        #expect(content("film.mp4.partial") == "012")
    }

    @Test func progressIncludesPartialFile() async throws {
        let server = FilmServer(breaks: [4])
        let log = Locked<[TransferProgress]>([])
        let call = api(server).get("/film").onDownloadProgress { progress in log.withLock { $0.append(progress) } }
        await #expect(throws: ClientError.self) { try await call.download(to: file, resuming: true) }
        try await call.download(to: file, resuming: true)
        let second = log.withLock { $0.filter { $0.round == 2 } }
        #expect(second.first?.bytes == 4)
        #expect(second.last?.fraction == 1)
        #expect(Set(second.map(\.total)) == [10])
    }

    @Test func allowsOneDownloadToFileAtTime() async throws {
        let source = HangingSource()
        let slow = ClosureTransport { _, _, _ throws(TransportError) in
            Response(HTTPResponse(status: .ok), body: Body(source))
        }
        let first = Task { try await api(slow).get("/film").download(to: file, resuming: true) }
        for await _ in source.started.stream { break }
        let error = await #expect(throws: ClientError.self) {
            try await api(FilmServer()).get("/film").download(to: file, resuming: true)
        }
        #expect(error?.code == .file)
        #expect(error?.message.contains("another download is writing it") == true)
        first.cancel()
        let cancelled = await #expect(throws: ClientError.self) { try await first.value }
        #expect(cancelled?.isCancelled == true)
        try await api(FilmServer()).get("/film").download(to: file, resuming: true)
        #expect(content() == "0123456789")
    }

    @Test func sendsNothingIfFileCannotBeWritten() async throws {
        let server = FilmServer()
        let places = [
            folder.url, URL(string: "https://h/film.mp4")!,
            try folder.file("file").appending(path: "film.mp4"),
        ]
        for place in places {
            let error = await #expect(throws: ClientError.self) {
                try await api(server).get("/film").download(to: place)
            }
            #expect(error?.code == .file)
        }
        #expect(server.requests.isEmpty)
    }

    #if os(Linux)
        @Test func resumesOverSockets() async throws {
            let film = [UInt8](repeating: 0x61, count: 300_000) + Array("end".utf8)
            let server = try await ScriptedServer.start { connection in
                let request = try await connection.readRequest()
                let start = request["Range"].flatMap { Int($0.dropFirst(6).dropLast()) } ?? 0
                let status =
                    start == 0
                    ? "200 OK" : "206 Partial Content\r\nContent-Range: bytes \(start)-\(film.count - 1)/\(film.count)"
                try await connection.send(
                    "HTTP/1.1 \(status)\r\nETag: \"1\"\r\nContent-Length: \(film.count - start)\r\n\r\n"
                )
                try await connection.send(start == 0 ? Array(film[..<200_000]) : Array(film[start...]))
            }
            let transport = SocketTransport(.init(proxies: .none))
            let call = Client("http://127.0.0.1:\(server.port)", transport: transport).get("/film")
            let error = await #expect(throws: ClientError.self) { try await call.download(to: file, resuming: true) }
            #expect((error?.underlying as? TransportError)?.code == .truncated)
            #expect(try await call.download(to: file, resuming: true).status == .partialContent)
            #expect(try Array(Data(contentsOf: file)) == film)
        }
    #endif
}
