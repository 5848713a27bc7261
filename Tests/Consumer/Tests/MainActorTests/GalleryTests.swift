// SPDX-License-Identifier: Apache-2.0

import Reprise
import Testing

/// A value of an app whose code is on the main actor by default. So is its conformance to Codable.
struct Photo: Codable, Equatable {
    var id: Int
}

/// An endpoint of such an app.
struct GetPhoto: Endpoint {
    typealias Response = Photo

    var id: Int
    var path: Path { "/photos/\(id)" }
}

/// What an app does with values on the main actor. This target is compiled with the main actor as its default isolation.
struct GalleryTests {
    private let stub = StubTransport {
        $0.get("/photos/1", .json(Photo(id: 1)))
        $0.get("/photos", .json([Photo(id: 1)]).header("Link", "</more>; rel=next"))
        $0.get("/more", .json([Photo(id: 2), Photo(id: 3)]))
        $0.get("/log", .stream("{\"id\": 1}\n{\"i", "d\": 2}\n"))
        $0.post("/photos", .status(.created))
    }
    private var api: Client { Client("https://api.example.com", transport: stub) }

    @Test func decodesValue() async throws {
        let photo: Photo = try await api.get("/photos/1").value()
        #expect(photo == Photo(id: 1))
        #expect(try await api.get("/photos/1").value(as: Photo.self) == photo)
        #expect(try await api.get("/photos/1").value(at: "", as: Photo.self) == photo)
        #expect(try await api.get("/photos/1").send().decode(as: Photo.self) == photo)
        #expect(try await api.send(GetPhoto(id: 1)) == photo)
    }

    @Test func encodesValue() async throws {
        try await api.post("/photos").json(Photo(id: 1)).send()
        #expect(stub.requests.map(\.text) == [#"{"id":1}"#])
    }

    @Test func iteratesOverJSONLines() async throws {
        var photos: [Photo] = []
        for try await photo in try await api.get("/log").ndjson(as: Photo.self) { photos.append(photo) }
        #expect(photos == [Photo(id: 1), Photo(id: 2)])
    }

    @Test func iteratesOverJSONLinesOfBody() async throws {
        var photos: [Photo] = []
        for try await photo in try await api.get("/log").stream().body.ndjson(as: Photo.self) { photos.append(photo) }
        #expect(photos == [Photo(id: 1), Photo(id: 2)])
    }

    @Test func iteratesOverPages() async throws {
        var photos: [Photo] = []
        for try await photo in api.get("/photos").pages(of: [Photo].self).elements { photos.append(photo) }
        #expect(photos == [Photo(id: 1), Photo(id: 2), Photo(id: 3)])
    }

    @Test func startsCallWithValue() async throws {
        let photo = try await withCheckedThrowingContinuation { continuation in
            api.get("/photos/1").start(as: Photo.self) { continuation.resume(with: $0) }
        }
        #expect(photo == Photo(id: 1))
    }

    @Test func startsEndpoint() async throws {
        let photo = try await withCheckedThrowingContinuation { continuation in
            api.start(GetPhoto(id: 1)) { continuation.resume(with: $0) }
        }
        #expect(photo == Photo(id: 1))
    }
}
