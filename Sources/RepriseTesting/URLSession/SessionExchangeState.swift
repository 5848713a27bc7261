// SPDX-License-Identifier: Apache-2.0

internal import Foundation

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// What a session learns about the answer to its request.
enum SessionEvent: Sendable {
    case head(HTTPURLResponse)
    case content(Data)
    case end
    case failure(any Error)

    var isLast: Bool {
        switch self {
        case .head, .content: false
        case .end, .failure: true
        }
    }
}

/// What the exchange of a task is doing: `idle`, then `loading` and `held` in turn, and at last `ended`.
enum SessionExchangeState {
    /// The task was not resumed yet.
    case idle
    case loading
    /// The task is suspended. The session gets these events when it is resumed.
    case held([SessionEvent])
    /// The session has got the last event, or the task was canceled.
    case ended

    enum Start {
        /// Send the request.
        case send
        /// The request was sent before. Tell the session these events.
        case tell([SessionEvent])
    }

    /// Starts the exchange, or continues one that started before, because a session can call this more than once.
    mutating func start() -> Start {
        switch self {
        case .idle:
            self = .loading
            return .send
        case .held(let events):
            self = .loading
            return .tell(events.flatMap { receive($0) })
        case .loading, .ended: return .tell([])
        }
    }

    mutating func hold() {
        if case .loading = self { self = .held([]) }
    }

    mutating func end() {
        self = .ended
    }

    /// Returns the events to tell the session now.
    mutating func receive(_ event: SessionEvent) -> [SessionEvent] {
        switch self {
        case .idle, .ended: return []
        case .held(let events):
            self = .held(events + [event])
            return []
        case .loading:
            if event.isLast { self = .ended }
            return [event]
        }
    }
}
