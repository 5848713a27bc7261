// SPDX-License-Identifier: Apache-2.0

import Foundation
import RepriseIO
import RepriseStorage
import RepriseTestSupport
import Testing

@testable import Reprise

/// Uploads from files and sequences, as a server receives them.
@Suite struct UploadTests {
    private static let noContent = "HTTP/1.1 204 No Content\r\n\r\n"
    private static let live = TransportUnderTest.allCases.filter { $0 != .stub }

    private let folder = try! TemporaryFolder()

    /// Creates a sparse file, which takes up no space on the disk.
    private func sparseFile(_ name: String, _ size: Int) throws -> URL {
        let url = try folder.file(name, [])
        try StorageFile(url.path, for: .appending).truncate(to: size)
        return url
    }

    private func client(_ server: ScriptedServer, _ transport: TransportUnderTest) -> Client {
        // The timeout only guards against hanging.
        Client(
            "http://127.0.0.1:\(server.port)",
            transport: transport.make(),
            configuration: .init(timeout: .seconds(180))
        )
    }

    @Test(arguments: live)
    func sendsFormWithContentLength(transport: TransportUnderTest) async throws {
        let content = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        let file = try folder.file("a.png", content)
        let server = try await ScriptedServer.start()
        async let response = client(server, transport).post("/")
            .multipart {
                $0.field("title", "Sunset")
                $0.file("photo", file)
            }
            .parameters(["album": 7]).send()
        let connection = try await server.accept()
        let request = try await connection.readRequest()
        try await connection.send(Self.noContent)
        #expect(try await response.status == .noContent)
        let form = try #require(ParsedForm(request.body, type: request["Content-Type"]))
        #expect(form.parts.map(\.name) == ["title", "photo", "album"])
        #expect(form["photo"]?.content == content)
        #expect(form["photo"]?.filename == "a.png")
        #expect(request["Content-Length"] == "\(request.body.count)")
        #expect(request["Transfer-Encoding"] == nil)
    }

    @Test(arguments: live)
    func sendsFormWithStreamedPart(transport: TransportUnderTest) async throws {
        let server = try await ScriptedServer.start()
        let lines = AsyncStream<[UInt8]> { continuation in
            for line in ["one\n", "two\n"] { continuation.yield(Array(line.utf8)) }
            continuation.finish()
        }
        async let response = client(server, transport).post("/").multipart {
            $0.part("log", Body(lines), filename: "a.log", type: "text/plain")
            $0.field("n", 2)
        }
        .send()
        let connection = try await server.accept()
        let request = try await connection.readRequest()
        try await connection.send(Self.noContent)
        #expect(try await response.status == .noContent)
        let form = try #require(ParsedForm(request.body, type: request["Content-Type"]))
        #expect(form.parts.map(\.text) == ["one\ntwo\n", "2"])
    }

    @Test(arguments: live)
    func sendsFileAsBody(transport: TransportUnderTest) async throws {
        let content = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        let file = try folder.file("a.png", content)
        let server = try await ScriptedServer.start()
        async let response = client(server, transport).put("/").body(file: file).send()
        let connection = try await server.accept()
        let request = try await connection.readRequest()
        try await connection.send(Self.noContent)
        #expect(try await response.status == .noContent)
        #expect(request.body == content)
        #expect(request["Content-Length"] == "3000000")
        #expect(request["Content-Type"] == "image/png")
    }

    @Test(arguments: live)
    func resendsFileAfterRedirect(transport: TransportUnderTest) async throws {
        let file = try folder.file("a.txt", [UInt8](repeating: 0x61, count: 200_000))
        let server = try await ScriptedServer.answering { request in
            request.target == "/a"
                ? "HTTP/1.1 307 Temporary Redirect\r\nLocation: /b\r\nContent-Length: 0\r\n\r\n"
                : "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\n\(request.body.count)"
        }
        let response = try await client(server, transport).put("/a").body(file: file).send()
        #expect(response.text == "200000")
    }

    @Test(arguments: live, [("abc", 4), ("abcde", 4)])
    func failsIfSequenceLengthDiffers(transport: TransportUnderTest, body: (String, Int)) async throws {
        let server = try await ScriptedServer.start { try await $0.waitForEnd() }
        let chunks = AsyncStream<[UInt8]> { continuation in
            for byte in body.0.utf8 { continuation.yield([byte]) }
            continuation.finish()
        }
        let call = client(server, transport).post("/").body(chunks, length: body.1)
        let error = await #expect(throws: ClientError.self) { try await call.send() }
        #expect(error?.code == .transport)
        #expect((error?.underlying as? TransportError)?.code == .requestBody)
    }

    #if os(Linux)
        // The tests below observe an upload while it runs. URLSession reads the whole body before it sends anything.

        @Test func streamsGigabyteWithBackpressure() async throws {
            let size = 1 << 30
            let read = Locked(0)
            let server = try await ScriptedServer.start(readsAtOnce: false) { connection in
                let request = try await connection.readRequestHead()
                let length = Int(request["Content-Length"] ?? "") ?? 0
                while read.withLock({ $0 }) < length {
                    let count = min(1 << 20, length - read.withLock { $0 })
                    try await connection.read(count: count)
                    read.withLock { $0 += count }
                }
                try await connection.send("HTTP/1.1 200 OK\r\nContent-Length: \(String(length).count)\r\n\r\n\(length)")
            }
            let file = try sparseFile("film.mp4", size)
            let last = Locked(0)
            let response = try await client(server, .socket).post("/").timeout(nil).multipart {
                $0.field("title", "Film")
                $0.file("film", file)
            }
            .onProgress { progress in
                guard progress.direction == .upload else { return }
                // The bytes that were read from the file but not yet by the server are in buffers: the system's,
                // and a piece or two in the client's.
                let ahead = progress.bytes - read.withLock { $0 }
                if ahead > 48 << 20 { Issue.record("\(ahead) bytes are in flight") }
                last.withLock { $0 = progress.bytes }
            }
            .send()
            #expect(last.withLock { $0 } > size)
            #expect(response.text == "\(last.withLock { $0 })")
        }

        @Test(arguments: FileBodyTests.Change.allCases)
        func neverCompletesMessageIfFileChanges(change: FileBodyTests.Change) async throws {
            let file = try sparseFile("film.mp4", 64 << 20)
            let server = try await ScriptedServer.start(readsAtOnce: false)
            let call = client(server, .socket).post("/").multipart { $0.file("film", file) }
            let sending = Task { try await call.send() }
            let connection = try await server.accept()
            let head = try await connection.readRequestHead()
            try await connection.read(count: 1 << 20)
            try change.apply(to: file)
            let rest = try await connection.drain()
            let length = try #require(head["Content-Length"].flatMap { Int($0) })
            #expect(rest + 1 << 20 < length)
            let error = await #expect(throws: ClientError.self) { try await sending.value }
            #expect(error?.code == .file)
            #expect(error?.message.contains(file.path) == true)
            #expect(error?.request?.method == .post)
        }

        @Test func failsIfFileIsRemovedBeforeItsTurn() async throws {
            let first = try sparseFile("first", 64 << 20)
            let second = try folder.file("second")
            let server = try await ScriptedServer.start(readsAtOnce: false)
            let call = client(server, .socket).post("/").multipart {
                $0.file("a", first)
                $0.file("b", second)
            }
            let sending = Task { try await call.send() }
            let connection = try await server.accept()
            _ = try await connection.readRequestHead()
            try FilePlace(second.path).removeFile()
            _ = try await connection.drain()
            let error = await #expect(throws: ClientError.self) { try await sending.value }
            #expect(error?.code == .file)
            #expect(error?.message.contains(second.path) == true)
        }

        @Test func stopsReadingWhenCanceled() async throws {
            let file = try sparseFile("film.mp4", 1 << 30)
            let server = try await ScriptedServer.start(readsAtOnce: false)
            let call = client(server, .socket).put("/").body(file: file)
            let task = Task { try await call.send() }
            let connection = try await server.accept()
            _ = try await connection.readRequestHead()
            task.cancel()
            let error = await #expect(throws: ClientError.self) { try await task.value }
            #expect(error?.code == .cancelled)
            #expect(try await connection.drain() < 1 << 30)
        }

        @Test func pullsFromSequenceAtServerPace() async throws {
            let read = Locked(0)
            let count = 1_500
            let server = try await ScriptedServer.start(readsAtOnce: false) { connection in
                _ = try await connection.readRequestHead()
                while let chunk = try await connection.readChunk() { read.withLock { $0 += chunk.count } }
                try await connection.send(Self.noContent)
            }
            let piece = [UInt8](repeating: 1, count: 64 << 10)
            let pieces = AsyncStream<[UInt8]> { continuation in
                for _ in 0..<count { continuation.yield(piece) }
                continuation.finish()
            }
            let watched = WatchedChunks(body: Body(pieces), read: read, limit: 48 << 20)
            try await client(server, .socket).post("/").body(watched).send()
            #expect(read.withLock { $0 } == count * piece.count)
        }
    #endif
}

/// The chunks of a body. Records an issue if too many of them are requested before the server has read the others.
private struct WatchedChunks: AsyncSequence, Sendable {
    let body: Body
    let read: Locked<Int>
    let limit: Int

    func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(chunks: body.makeAsyncIterator(), read: read, limit: limit)
    }

    struct AsyncIterator: AsyncIteratorProtocol {
        var chunks: Body.AsyncIterator
        let read: Locked<Int>
        let limit: Int
        var count = 0

        mutating func next() async throws -> [UInt8]? {
            let ahead = count - read.withLock { $0 }
            if ahead > limit { Issue.record("\(ahead) bytes are in flight") }
            let chunk = try await chunks.next()
            count += chunk?.count ?? 0
            return chunk
        }
    }
}
