// SPDX-License-Identifier: Apache-2.0

@testable import RepriseServer

/// Waits for a server's events.
final class EventReader {
    private let queue = EventQueue()
    private var events: [ServerEvent] = []

    /// Reads the events of a server from now on.
    init(_ server: MockServer) async {
        await server.control.addFeed(of: queue)
    }

    deinit {
        queue.finish()
    }

    /// Waits for the next event.
    func next() async -> ServerEvent.Kind? {
        while events.isEmpty {
            guard let batch = await queue.next() else { return nil }
            events = batch.events
        }
        return events.removeFirst().kind
    }

    /// Waits for the next change of the server.
    func change() async -> ServerChange? {
        while let event = await next() {
            if case .changed(let change) = event { return change }
        }
        return nil
    }
}
