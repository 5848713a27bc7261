// SPDX-License-Identifier: Apache-2.0

import Foundation
import RepriseIO
import RepriseStorage
import RepriseTestSupport
import Testing

@testable import Reprise

@Suite struct ProgressTests {
    /// The progress that a call reported.
    private final class Log: Sendable {
        private let entries = Locked<[TransferProgress]>([])

        func note(_ progress: TransferProgress) { entries.withLock { $0.append(progress) } }

        subscript(_ direction: TransferProgress.Direction) -> [TransferProgress] {
            entries.withLock { $0.filter { $0.direction == direction } }
        }

        /// Checks that the rounds are consecutive, and that each starts at 0 and never decreases.
        func expectOrder(_ direction: TransferProgress.Direction, rounds: Int = 1) {
            let all = self[direction]
            #expect(Set(all.map(\.round)) == Set(1..<rounds + 1))
            for round in 1..<rounds + 1 {
                let bytes = all.filter { $0.round == round }.map(\.bytes)
                #expect(bytes.first == 0)
                #expect(bytes == bytes.sorted())
            }
            #expect(all.map(\.round) == all.map(\.round).sorted())
        }
    }

    private let log = Log()
    private let content = [UInt8](repeating: 0x61, count: 400_000)

    private func chunks(_ count: Int) -> AsyncStream<[UInt8]> {
        AsyncStream { continuation in
            for _ in 0..<count { continuation.yield([UInt8](repeating: 1, count: 1000)) }
            continuation.finish()
        }
    }

    /// A client of a server, or of a stub, that answers with `content`; and the server, if there is one.
    private func client(_ kind: TransportUnderTest, chunked: Bool = false) async throws -> (Client, ScriptedServer?) {
        guard let transport = kind.make() else {
            let stub = StubTransport { [content] routes in
                let halves = [Array(content[..<100_000]), Array(content[100_000...])]
                routes.all { _ in chunked ? .stream(halves.map { .bytes($0) }) : .bytes(content) }
            }
            return (Client("http://stub", transport: stub), nil)
        }
        let server = try await ScriptedServer.start { [content] connection in
            let request = try await connection.readRequest()
            #expect(request.line.hasPrefix("GET") || request["Content-Length"] != nil || !request.body.isEmpty)
            if chunked {
                try await connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n186a0\r\n")
                try await connection.send(
                    Array(content[..<100_000]) + Array("\r\n493e0\r\n".utf8) + content[100_000...]
                )
                try await connection.send("\r\n0\r\n\r\n")
            } else {
                try await connection.send("HTTP/1.1 200 OK\r\nContent-Length: \(content.count)\r\n\r\n")
                try await connection.send(content)
            }
            try await connection.waitForEnd()
        }
        let configuration = Client.Configuration(timeout: .seconds(180))
        return (Client("http://127.0.0.1:\(server.port)", transport: transport, configuration: configuration), server)
    }

    @Test func reportsUploadAndDownloadApart() async throws {
        let (uploads, downloads) = (Log(), Log())
        let stub = StubTransport { [content] in $0.all { _ in .bytes(content) } }
        try await Client("http://stub", transport: stub).post("/").body("hello")
            .onUploadProgress { uploads.note($0) }.onDownloadProgress { downloads.note($0) }.send()
        #expect(uploads[.upload].last?.bytes == 5 && uploads[.download].isEmpty)
        #expect(downloads[.download].last?.bytes == content.count && downloads[.upload].isEmpty)
    }

    @Test(arguments: TransportUnderTest.allCases)
    func countsUploadedAndDownloadedBytes(transport: TransportUnderTest) async throws {
        let (api, server) = try await client(transport)
        let response = try await api.post("/").body(content).onProgress(log.note).send()
        #expect(response.bytes == content)
        for direction in [TransferProgress.Direction.upload, .download] {
            let all = log[direction]
            log.expectOrder(direction)
            #expect(all.allSatisfy { $0.total == content.count })
            #expect(all.first?.fraction == 0)
            #expect(all.last?.fraction == 1)
            #expect(all.last?.bytes == content.count)
        }
        // In several steps. On Linux, URLSession reports progress late, and may report no step in between.
        if transport != .urlSession {
            #expect(log[.upload].contains { $0.bytes > 0 && $0.bytes < content.count })
        }
        _ = server
    }

    @Test(arguments: TransportUnderTest.allCases)
    func reportsUnknownTotalAtEnd(transport: TransportUnderTest) async throws {
        let (api, server) = try await client(transport, chunked: true)
        let response = try await api.post("/").body(chunks(3)).onProgress(log.note).send()
        #expect(response.bytes == content)
        for (direction, size) in [(TransferProgress.Direction.upload, 3000), (.download, content.count)] {
            let all = log[direction]
            log.expectOrder(direction)
            #expect(all.dropLast().allSatisfy { $0.total == nil && $0.fraction == nil })
            #expect(all.last == TransferProgress(direction, bytes: size, total: size))
            #expect(all.last?.fraction == 1)
        }
        _ = server
    }

    @Test(arguments: TransportUnderTest.allCases)
    func countsStreamedDownloads(transport: TransportUnderTest) async throws {
        let (api, server) = try await client(transport, chunked: true)
        let response = try await api.get("/").onProgress(log.note).stream()
        var count = 0
        for try await chunk in response.body {
            count += chunk.count
            #expect(log[.download].last?.bytes == count)
        }
        #expect(log[.download].last?.fraction == 1)
        #expect(response.ending == .complete)
        #expect(log[.upload].isEmpty)
        _ = server
    }

    /// A server may respond as soon as it has received all of the announced bytes.
    @Test func completesWhenResponsePrecedesEndOfBody() async throws {
        let transport = ClosureTransport { _, body, _ throws(TransportError) in
            var chunks = body?.makeAsyncIterator()
            _ = try? await chunks?.next()
            return Response(HTTPResponse(status: .ok))
        }
        let api = Client("https://h", transport: transport)
        try await api.post("/").body("all of it").onProgress(log.note).send()
        #expect(log[.upload].map(\.fraction) == [0, 1])
        let other = Log()
        try await api.post("/").body(chunks(2), length: 2000).onProgress(other.note).send()
        #expect(other[.upload].map(\.fraction) == [0])
    }

    @Test func completesForEmptyBodies() async throws {
        let transport = ClosureTransport { _, body, _ throws(TransportError) in
            _ = try? await body?.collect()
            return Response(HTTPResponse(status: .ok))
        }
        let api = Client("https://h", transport: transport)
        let bodies: [Body] = [.empty, Body(chunks(0), length: 0), Body(chunks(0))]
        for (index, body) in bodies.enumerated() {
            let log = Log()
            try await api.post("/").body(body).onProgress(log.note).send()
            #expect(log[.upload].last == TransferProgress(.upload, bytes: 0, total: 0), "\(index)")
            #expect(log[.upload].last?.fraction == 1)
            #expect(log[.download] == [TransferProgress(.download, bytes: 0, total: 0)])
        }
        try await api.get("/").onProgress(log.note).send()
        #expect(log[.upload].isEmpty)
    }

    @Test(
        arguments: TransportUnderTest.allCases,
        [(HTTPRequest.Method.head, "200 OK"), (.get, "204 No Content"), (.get, "304 Not Modified")]
    )
    func completesForResponsesWithoutContent(
        transport: TransportUnderTest,
        answer: (method: HTTPRequest.Method, status: String)
    ) async throws {
        let length = answer.status.hasPrefix("204") ? "" : "Content-Length: 5\r\n"
        let server = try await ScriptedServer.answering { _ in "HTTP/1.1 \(answer.status)\r\n\(length)\r\n" }
        let status = try #require(Int(answer.status.prefix(3)))
        let stub = StubTransport { routes in
            routes.all { _ in .status(.init(code: status)).header("Content-Length", "5") }
        }
        let api = Client(
            "http://127.0.0.1:\(server.port)",
            transport: transport.make() ?? stub,
            configuration: .init(timeout: .seconds(180))
        )
        try await api.call(answer.method, "/").validate(.none).onProgress(log.note).send()
        #expect(log[.download].last == TransferProgress(.download, bytes: 0, total: 0))
    }

    @Test func startsNewRoundWhenContentIsResent() async throws {
        let stub = StubTransport { routes in
            routes.post("/a", .status(.temporaryRedirect).header("Location", "/b"))
            routes.post("/b", .text("ok"))
        }
        let call = Client("https://h", transport: stub).post("/a").body(content).onProgress(log.note)
        try await call.send()
        log.expectOrder(.upload, rounds: 2)
        log.expectOrder(.download, rounds: 1)
        try await call.send()
        log.expectOrder(.upload, rounds: 4)
        log.expectOrder(.download, rounds: 2)
    }

    @Test func startsNewRoundWhenInterceptorRetries() async throws {
        let api = Client("https://h", transport: StubTransport { $0.all { _ in .text("ok") } })
        try await api.put("/").body(content).onProgress(log.note).intercept { request, next in
            _ = try await next(request).body.collect()
            return try await next(request)
        }
        .send()
        log.expectOrder(.upload, rounds: 2)
        log.expectOrder(.download, rounds: 2)
    }

    /// Each attempt of a retry reads the file again, from its start.
    @Test func startsNewRoundWhenCallIsRetried() async throws {
        let folder = try TemporaryFolder()
        let file = try folder.file("a.png", content)
        let stub = StubTransport {
            $0.put("/", .status(.serviceUnavailable), .status(.serviceUnavailable), .text("ok"))
        }
        let api = Client(
            "https://h",
            transport: stub,
            configuration: .init(timeout: nil, clock: ManualClock(passesBySleeping: true))
        )
        try await api.put("/").multipart { $0.file("photo", file) }.retry(.exponential(attempts: 3))
            .onProgress(log.note).send()
        #expect(stub.requests.map(\.body.count).allSatisfy { $0 > content.count })
        #expect(Set(stub.requests.map(\.body)).count == 1)
        log.expectOrder(.upload, rounds: 3)
        #expect(log[.upload].last?.fraction == 1)
    }

    @Test func uploadProgressTracksBytesSent() async throws {
        for kind in TransportUnderTest.allCases where kind != .stub {
            let read = Locked(0)
            let size = 96 << 20
            let server = try await ScriptedServer.start(readsAtOnce: false) { connection in
                _ = try await connection.readRequestHead()
                while read.withLock({ $0 }) < size {
                    try await connection.read(count: 1 << 20)
                    read.withLock { $0 += 1 << 20 }
                }
                try await connection.send("HTTP/1.1 204 No Content\r\n\r\n")
            }
            let folder = try TemporaryFolder()
            let file = try folder.file("film.mp4", [])
            try StorageFile(file.path, for: .appending).truncate(to: size)
            let log = Log()
            let configuration = Client.Configuration(timeout: .seconds(180))
            let api = Client("http://127.0.0.1:\(server.port)", transport: kind.make(), configuration: configuration)
            try await api.put("/").body(file: file).onProgress { progress in
                log.note(progress)
                let ahead = progress.bytes - read.withLock { $0 }
                if ahead > 48 << 20 { Issue.record("\(kind): \(ahead) bytes are in flight") }
            }
            .send()
            log.expectOrder(.upload)
            #expect(log[.upload].last == TransferProgress(.upload, bytes: size, total: size))
        }
    }

    @Test func countsBodyReplacedByInterceptor() async throws {
        let api = Client("https://h", transport: StubTransport { $0.all { _ in .text("ok") } })
        try await api.put("/").body(content).onProgress(log.note).intercept { request, next in
            var request = request
            request.body = "shorter"
            return try await next(request)
        }
        .send()
        #expect(log[.upload].last == TransferProgress(.upload, bytes: 7, total: 7))
    }

    @Test func preservesLengthReplayabilityAndTrailers() async throws {
        let meter = ProgressMeter { _ in }
        let once = CountedUpload(Body(chunks(2), length: 2000), meter: meter).body
        #expect(once.length == 2000)
        #expect(!once.isReplayable)
        #expect(try await once.collect().count == 2000)
        await #expect(throws: TransportError.self) { try await once.collect() }
        let often = CountedUpload(Body(content), meter: meter).body
        #expect(often.isReplayable)
        for _ in 0..<2 { #expect(try await often.collect() == content) }
        let parts: [Body.Part] = [
            .bytes([1], endsChunk: false), .bytes([2], endsChunk: true), .trailers([Array("X-Sum: 1".utf8)]),
        ]
        let response = Response(
            HTTPResponse(status: .ok),
            body: meter.downloading(Body(parts: parts, failure: TransportError(.truncated, "cut")))
        )
        var found: [Body.Part] = []
        let error = await #expect(throws: TransportError.self) {
            for try await part in response.body.parts { found.append(part) }
        }
        #expect(found == parts)
        #expect(error?.code == .truncated)
        #expect(response.ending == .truncated)
        #expect(response.trailers?[.init("X-Sum")!] == "1")
    }

    @Test func cancelsPartiallyReadBody() async throws {
        let source = Source()
        do {
            var chunks = ProgressMeter { _ in }.downloading(Body(source)).makeAsyncIterator()
            #expect(try await chunks.next() == [1])
            #expect(!source.isCancelled.withLock { $0 })
        }
        #expect(source.isCancelled.withLock { $0 })
    }

    private final class Source: BodySource {
        let isCancelled = Locked(false)

        func next() async throws(TransportError) -> Body.Part? { .bytes([1], endsChunk: true) }
        func cancel() { isCancelled.withLock { $0 = true } }
    }

    @Test func notifiesEveryObserver() async throws {
        let other = Log()
        let api = Client("https://h", transport: StubTransport { $0.all { _ in .text("ok") } })
        try await api.put("/").body("abc").onProgress(log.note).onProgress(other.note).send()
        for log in [log, other] {
            #expect(log[.upload].last == TransferProgress(.upload, bytes: 3, total: 3))
            #expect(log[.download].last == TransferProgress(.download, bytes: 2, total: 2))
        }
    }

    @Test func preservesTimeoutBehaviorOfTransport() {
        let clock = ManualClock(passesBySleeping: true)
        for base in [ClosureTransport(enforcesTimeout: true), ClosureTransport(enforcesTimeout: false)] {
            let metered = ProgressTransport(base: base, meter: ProgressMeter { _ in })
            #expect(metered.enforcesTimeout == base.enforcesTimeout)
            #expect(!metered.enforcesTimeout(on: clock))
        }
    }
}
