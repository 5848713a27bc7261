// SPDX-License-Identifier: Apache-2.0

import Foundation
import Reprise
import Testing

/// The examples about bodies and uploads, with a stub.
@Suite struct UploadExamples {
    private let stub = StubTransport { $0.all { _ in .status(.ok) } }
    private var api: Client { Client("https://api.example.com", transport: stub) }
    private let photo = URL(filePath: #filePath)

    @Test func sendsMultipartForm() async throws {
        let thumbnail: [UInt8] = [1, 2, 3]
        try await api.post("/photos").multipart {
            $0.field("title", "Sunset")
            $0.file("photo", photo)
            $0.data("thumbnail", thumbnail, filename: "thumbnail.png")
        }
        .send()
        let text = String(decoding: stub.requests[0].body, as: UTF8.self)
        #expect(text.contains(#"name="photo"; filename="UploadExamples.swift""#))
    }

    @Test func usesEncoderOfClient() throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        encoder.dateEncodingStrategy = .iso8601
        let api = Client("https://api.example.com", configuration: .init(encoder: encoder))
        let call = api.post("/books").json(["added": Date(timeIntervalSince1970: 0)])
        #expect(try call.curl().contains("1970-01-01T00:00:00Z"))
    }

    @Test func buildsMultipartForm() throws {
        let call = api.post("/photos").multipart {
            $0.field("title", "Sunset")
            $0.file("photo", photo)
        }
        #expect(try call.request().headerFields[.contentType]?.hasPrefix("multipart/form-data; boundary=") == true)
    }

    @Test func sendsBodies() async throws {
        let book = Book(id: "42", title: "Atlas")
        let password = "open sesame"
        let saved = api.put("/books/42").json(book)
        let signedIn = api.post("/session").form(["user": "ada", "password": password])
        let noted = api.post("/notes").body("Remember the milk", contentType: "text/plain")
        for call in [saved, signedIn, noted] { try await call.send() }
        #expect(stub.requests[1].text == "user=ada&password=open+sesame")
    }

    @Test func sendsFile() async throws {
        let film = photo
        let call = api.put("/films/7").body(file: film)
        try await call.send()
        #expect(stub.requests[0].body == Array(try Data(contentsOf: film)))
    }

    @Test func sendsLargeFile() async throws {
        let film = photo
        let slow = api.put("/films/7").body(file: film).idleTimeout(.seconds(300))
        let limited = api.put("/films/7").body(file: film).timeout(.seconds(600))
        for call in [slow, limited] { try await call.send() }
        #expect(stub.requests.map(\.body) == [[UInt8]](repeating: Array(try Data(contentsOf: film)), count: 2))
    }

    @Test func sendsFilesInForm() async throws {
        let thumbnail: [UInt8] = [1, 2, 3]
        let call = api.post("/photos").multipart {
            $0.field("title", "Sunset")
            $0.file("photo", photo)
            $0.data("thumbnail", thumbnail, filename: "thumbnail.png")
            $0.json("place", ["city": "Bern"])
        }
        try await call.send()
        #expect(stub.requests[0].text.contains(#"{"city":"Bern"}"#))
    }

    @Test func sendsAsyncSequence() async throws {
        let lines = AsyncStream { continuation in
            for line in ["one", "two"] { continuation.yield(line) }
            continuation.finish()
        }
        let call = api.post("/log").body(lines.map { Array("\($0)\n".utf8) }, contentType: "text/plain")
        try await call.send()
        #expect(stub.requests[0].text == "one\ntwo\n")
    }

    @Test func sendsValuesOfDifferentTypes() async throws {
        let call = api.post("/books").json(["title": "Atlas", "pages": 96, "tags": ["maps", 3]])
        try await call.send()
        #expect(stub.requests[0].text == #"{"pages":96,"tags":["maps",3],"title":"Atlas"}"#)
    }

    @Test func reportsUploadProgress() async throws {
        let film = photo
        @Sendable func show(_ fraction: Double) { #expect(fraction >= 0) }
        let call = api.put("/films/7").body(file: film).onUploadProgress { show($0.fraction ?? 0) }
        try await call.send()
    }

    @Test func reportsProgress() async throws {
        let film = photo
        @Sendable func show(_ fraction: Double) { #expect(fraction >= 0) }
        let call = api.put("/films/7").body(file: film).onProgress { progress in
            if progress.direction == .upload { show(progress.fraction ?? 0) }
        }
        try await call.send()
    }
}
