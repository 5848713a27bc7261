// SPDX-License-Identifier: Apache-2.0

import Reprise

/// A bookshop's API, as an app would wrap it.
///
/// It contains nothing for tests: it creates its own client, which finds a test's cassette.
public struct Bookshop: Sendable {
    private let api: Client

    /// Creates a client of the shop at `url`, with an API key.
    public init(_ url: String = "https://api.example.com/v1", key: String) {
        var configuration = Client.Configuration()
        configuration.headers[.authorization] = "Bearer \(key)"
        configuration.headers[.accept] = "application/json"
        api = Client(url, configuration: configuration)
    }

    /// Returns a page of the books of a genre.
    public func books(genre: String, page: Int = 1) async throws -> Page {
        try await api.get("/books").query("genre", genre).query("page", page).value()
    }

    /// Returns a publisher.
    public func publisher(_ id: Publisher.ID) async throws -> Publisher {
        try await api.get("/publishers/\(id)").value()
    }

    /// Orders copies of a book.
    public func order(_ book: Book.ID, copies: Int) async throws -> Order {
        try await api.post("/orders").json(NewOrder(book: book, copies: copies)).value()
    }

    /// Returns an order with its current status.
    public func order(_ id: Order.ID) async throws -> Order {
        try await api.send(GetOrder(id: id))
    }

    /// Waits until an order is shipped.
    public func shipped(_ id: Order.ID, pause: Duration = .seconds(30)) async throws -> Order {
        while true {
            let order = try await order(id)
            if order.status == "shipped" { return order }
            try await (Ambient.clock ?? ContinuousClock()).sleep(for: pause)
        }
    }

    /// Streams the answer of the shop's assistant, piece by piece.
    public func answer(to question: String) -> AsyncThrowingStream<String, any Error> {
        let call = api.post("/chat/completions").accept("text/event-stream")
            .json(Prompt(messages: [Prompt.Message(content: question)]))
        return AsyncThrowingStream { continuation in
            let task = Task {
                do {
                    for try await event in try await call.events() where event.data != "[DONE]" {
                        let piece = try Completion(event.data)
                        if let text = piece.choices.first?.delta.content { continuation.yield(text) }
                    }
                    continuation.finish()
                } catch {
                    continuation.finish(throwing: error)
                }
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }
}

private struct GetOrder: Endpoint {
    typealias Response = Order

    var id: Order.ID
    var path: Path { "/orders/\(id)" }
}
