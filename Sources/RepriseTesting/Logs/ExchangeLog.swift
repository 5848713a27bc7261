// SPDX-License-Identifier: Apache-2.0

internal import Reprise
internal import RepriseLocking

/// The requests of a test and their outcomes, without possible secrets. The log keeps the last thousand requests.
final class ExchangeLog: Sendable {
    private static let maximumEntries = 1_000
    private let state = Locked(State())

    private struct State {
        var entries: [Entry] = []
        var count = 0
        var notes: [String] = []

        var dropped: Int { count - entries.count }
    }

    private struct Entry {
        let request: String
        /// Nil before the response.
        var outcome: String?
    }

    /// Adds a request.
    ///
    /// - Returns: The number of the request, starting from 1.
    func begin(_ request: HTTPRequest) -> Int {
        let entry = Entry(request: "\(request.method) \(request.shownURL)")
        return state.withLock { state in
            if state.entries.count == Self.maximumEntries { state.entries.removeFirst() }
            state.entries.append(entry)
            state.count += 1
            return state.count
        }
    }

    func end(_ number: Int, _ outcome: String) {
        state.withLock { state in
            let place = number - 1 - state.dropped
            if state.entries.indices.contains(place) { state.entries[place].outcome = outcome }
        }
    }

    func note(_ text: String) {
        state.withLock { $0.notes.append(text) }
    }

    /// The requests that have no response and no error yet.
    var unanswered: [String] {
        state.withLock { $0.entries.filter { $0.outcome == nil }.map(\.request) }
    }

    var notes: [String] { state.withLock { $0.notes } }

    /// One line per request, such as `1. GET https://api.example.com/users/42 -> 200 OK`.
    var lines: [String] {
        state.withLock { state in
            let omitted = state.dropped > 0 ? ["… \(state.dropped) earlier"] : []
            return omitted
                + state.entries.enumerated().map { index, entry in
                    "\(state.dropped + index + 1). \(entry.request) -> \(entry.outcome ?? "no response yet")"
                }
        }
    }
}
