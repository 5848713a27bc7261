// SPDX-License-Identifier: Apache-2.0

import Foundation
import Reprise

/// A journal of travels that friends keep together: photos, and a chat for each trip.
public struct Travelog: Sendable {
    /// Messages of a chat, each as soon as it is written.
    public typealias Messages = AsyncThrowingMapSequence<DecodedStream<Body, ServerSentEventDecoder>, Message>

    private let api: Client
    private let session: Session

    /// The journal at `url`.
    public init(_ url: String = "https://api.example.com/v1") {
        var client = Client(url, configuration: .init(serverError: .envelope(Reply.self)))
        session = Session(client)
        client.configuration.tokenProvider = session
        api = client
    }

    /// Lets the others know who is there.
    public func signIn(as name: String, password: String) async throws {
        try await session.signIn(as: name, password: password)
    }

    /// All photos, newest first, a page at a time: the next one is asked for when the last one is dealt with.
    public func photos() -> Pages<[Photo]> {
        let list = api.get("/photos").authorized()
        return list.pages { call in
            let page = try await call.value(in: Reply.self, as: Page.self)
            return (page.photos, next: page.next.map { list.query("after", $0) })
        }
    }

    /// One photo.
    public func photo(_ id: Photo.ID) async throws -> Photo {
        try await api.get("/photos/\(segment: id)").authorized().value(in: Reply.self)
    }

    /// Adds the photo in a file; `report` is told how much of it is there, from 0 to 1.
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
        let events = try await api.get("/trips/\(segment: trip)/chat").authorized().events()
        return events.map { try $0.decode(as: Message.self) }
    }
}
