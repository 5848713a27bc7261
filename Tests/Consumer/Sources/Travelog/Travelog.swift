// SPDX-License-Identifier: Apache-2.0

import Foundation
import Reprise

/// A travel journal that friends share, with photos and a chat for each trip.
public struct Travelog: Sendable {
    /// The messages of a chat, each delivered as soon as it is written.
    public typealias Messages = AsyncThrowingMapSequence<DecodedStream<Body, ServerSentEventDecoder>, Message>

    private let api: Client
    private let session: Session

    /// Creates a client of the journal at `url`.
    public init(_ url: String = "https://api.example.com/v1") {
        var client = Client(url, configuration: .init(serverError: .envelope(Reply.self)))
        session = Session(client)
        client.configuration.tokenProvider = session
        api = client
    }

    /// Signs a friend in.
    public func signIn(as name: String, password: String) async throws {
        try await session.signIn(as: name, password: password)
    }

    /// All photos, newest first. Each page is requested after the previous one is processed.
    public func photos() -> Pages<[Photo]> {
        let list = api.get("/photos").authorized()
        return list.pages { call in
            let page = try await call.value(in: Reply.self, as: Page.self)
            return (page.photos, next: page.next.map { list.query("after", $0) })
        }
    }

    /// Returns a photo.
    public func photo(_ id: Photo.ID) async throws -> Photo {
        try await api.get("/photos/\(id)").authorized().value(in: Reply.self)
    }

    /// Adds the photo in a file. `report` receives the fraction that was sent, from 0 to 1.
    public func add(_ file: URL, caption: String, report: @escaping @Sendable (Double) -> Void) async throws -> Photo {
        let call = api.post("/photos").authorized().multipart {
            $0.field("caption", caption)
            $0.file("photo", file)
        }
        return try await call.onProgress { if $0.direction == .upload { report($0.fraction ?? 0) } }
            .value(in: Reply.self)
    }

    /// Follows the chat of a trip.
    public func chat(about trip: String) async throws -> Messages {
        let events = try await api.get("/trips/\(trip)/chat").authorized().events()
        return events.map { try $0.decode(as: Message.self) }
    }
}
