// SPDX-License-Identifier: Apache-2.0

import Foundation
import RepriseStorage
import Testing

@testable import Reprise

@Suite struct FileBodyTests {
    private let folder = try! TemporaryFolder()
    private let transport = ClosureTransport()
    private var api: Client { Client("https://h", transport: transport) }

    private static func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
    }

    @Test(arguments: [0, 1, UploadFile.pieceSize - 1, UploadFile.pieceSize, UploadFile.pieceSize + 1, 1_000_000])
    func sendsFileInPieces(size: Int) async throws {
        let url = try folder.file("a.csv", Self.bytes(size))
        try await api.put("/").body(file: url).send()
        let body = try #require(transport.bodies.last ?? nil)
        #expect(body.length == size)
        var content: [UInt8] = []
        for try await piece in body {
            #expect(piece.count <= UploadFile.pieceSize)
            content += piece
        }
        #expect(content == Self.bytes(size))
        #expect(transport.requests.last?.headerFields[.contentType] == "text/csv")
    }

    @Test func sendsFileOfFormInPieces() async throws {
        let url = try folder.file("a.csv", Self.bytes(1_000_000))
        try await api.post("/").multipart {
            $0.field("title", "Numbers")
            $0.file("numbers", url)
        }
        .send()
        let body = try #require(transport.bodies.last ?? nil)
        #expect(!body.isInMemory)
        var count = 0
        for try await piece in body {
            #expect(piece.count <= UploadFile.pieceSize)
            count += piece.count
        }
        #expect(count == body.length)
    }

    @Test func readsFileRepeatedly() async throws {
        let body = try Body(file: folder.file("a", Self.bytes(300_000)))
        #expect(body.isReplayable)
        #expect(!body.isInMemory)
        for _ in 0..<2 { #expect(try await body.collect() == Self.bytes(300_000)) }
    }

    @Test func usesCustomContentType() async throws {
        let url = try folder.file("a.csv")
        try await api.put("/").body(file: url, contentType: "text/x").send()
        #expect(transport.requests.last?.headerFields[.contentType] == "text/x")
    }

    @Test func errorNamesUnreadableFile() async throws {
        let missing = folder.url.appending(path: "missing.png")
        for call in [api.put("/").body(file: missing), api.put("/").multipart { $0.file("photo", missing) }] {
            let error = await #expect(throws: ClientError.self) { try await call.send() }
            #expect(error?.code == .file)
            #expect(error?.message.contains("missing.png") == true)
            #expect(error?.underlying is FileError)
        }
        for url in [folder.url, URL(string: "https://h/a.png"), URL(filePath: "/dev/zero")] {
            let error = await #expect(throws: ClientError.self) {
                try await api.put("/").body(file: #require(url)).send()
            }
            #expect(error?.code == .file)
        }
        #expect(transport.requests.isEmpty)
    }

    @Test func usesFileNameOfURL() async throws {
        let url = try folder.file("naïve \"name\".png")
        try await api.post("/").multipart { $0.file("photo", url) }.send()
        let body = try await transport.bodies.last??.collect() ?? []
        let part = ParsedForm(body, type: transport.requests.last?.headerFields[.contentType])?["photo"]
        #expect(part?.filename == "naïve \"name\".png")
        #expect(part?.type == "image/png")
        #expect(part?.text == "content")
    }

    // MARK: Files that change

    enum Change: CaseIterable, Sendable {
        case vanishes, shrinks, grows, isWritten, isReplaced

        func apply(to url: URL) throws {
            let size = try FilePlace(url.path).stamp().size
            switch self {
            case .vanishes: try FilePlace(url.path).removeFile()
            case .shrinks: try StorageFile(url.path, for: .appending).truncate(to: size - 1)
            case .grows:
                let more: [UInt8] = [1, 2]
                try StorageFile(url.path, for: .appending).append(more.span)
            case .isWritten:
                let handle = try FileHandle(forWritingTo: url)
                try handle.write(contentsOf: Data([9]))
                try handle.close()
                // The file system's clock may not have ticked since.
                let past = Date(timeIntervalSince1970: 1_000_000)
                try FileManager.default.setAttributes([.modificationDate: past], ofItemAtPath: url.path)
            case .isReplaced:
                let other = url.appendingPathExtension("new")
                try StorageFile(other.path, for: .appending).truncate(to: size)
                try FilePlace(other.path).move(to: FilePlace(url.path))
            }
        }
    }

    @Test(arguments: Change.allCases)
    func failsIfFileChangesWhileSending(change: Change) async throws {
        let url = try folder.file("a", Self.bytes(1_000_000))
        var pieces = try Body(file: url).makeAsyncIterator()
        var count = try await pieces.next()?.count ?? 0
        try change.apply(to: url)
        let error = await #expect(throws: ClientError.self) {
            while let piece = try await pieces.next() { count += piece.count }
        }
        #expect(error?.code == .file)
        #expect(error?.message.contains(url.path) == true)
        // It fails immediately, instead of sending the rest of a large file in vain.
        #expect(count == UploadFile.pieceSize)
    }

    @Test(arguments: [Change.vanishes, .shrinks, .grows])
    func failsIfFileChangesBeforeSending(change: Change) async throws {
        let url = try folder.file("a", Self.bytes(10))
        let body = try Body(file: url)
        try change.apply(to: url)
        let error = await #expect(throws: ClientError.self) { try await body.collect() }
        #expect(error?.code == .file)
    }

    @Test func sendsFileReplacedBeforeSending() async throws {
        let url = try folder.file("a", Array("old".utf8))
        let body = try Body(file: url)
        try Change.isReplaced.apply(to: url)
        #expect(try await body.collect() == [0, 0, 0])
    }

    @Test func failsIfEmptyFileGrows() async throws {
        let url = try folder.file("a", [])
        let body = try Body(file: url)
        try Change.grows.apply(to: url)
        await #expect(throws: ClientError.self) { try await body.collect() }
    }

    // MARK: Joined bodies

    @Test(arguments: [("ab", 3), ("abcd", 3)])
    func rejectsPartWithWrongLength(content: String, length: Int) async throws {
        let chunks = AsyncStream<[UInt8]> { continuation in
            for byte in content.utf8 { continuation.yield([byte]) }
            continuation.finish()
        }
        let body = Body(joining: ["<", Body(chunks, length: length), ">"])
        #expect(body.length == 5)
        #expect(!body.isReplayable)
        let error = await #expect(throws: ClientError.self) { try await body.collect() }
        #expect(error?.code == .invalidParameters)
    }

    @Test func lengthIsNilIfSumOverflows() {
        let chunks = AsyncStream<[UInt8]> { $0.finish() }
        #expect(Body(joining: ["a", Body(chunks, length: .max)]).length == nil)
    }

    @Test func joinsPartsOfUnknownLength() async throws {
        let chunks = AsyncStream<[UInt8]> { continuation in
            continuation.yield([0x62])
            continuation.finish()
        }
        let body = Body(joining: ["a", Body(chunks), "", "c"])
        #expect(body.length == nil)
        #expect(try await body.collect() == Array("abc".utf8))
    }
}
