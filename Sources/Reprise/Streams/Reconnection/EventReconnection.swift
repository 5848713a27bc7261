// SPDX-License-Identifier: Apache-2.0

/// A stream of events over several connections (WHATWG HTML sections 9.2.2 and 9.2.3), without the connections: what
/// happens to them goes in, events and what to do next come out.
///
/// What to do next is the state: connect, read, wait, nothing. See ``EventConnectionState`` for the transitions; any
/// other is a mistake of the caller's.
struct EventReconnection: Sendable {
    let policy: EventReconnectionPolicy
    private(set) var state = EventConnectionState.connecting

    private var decoder: ServerSentEventDecoder
    private var wish: Duration?
    private var failures = 0
    private var isFruitless = true

    init(policy: EventReconnectionPolicy, lastEventID: String = "", limit: Int = LineDecoder.defaultLimit) {
        self.policy = policy
        decoder = ServerSentEventDecoder(lastEventID: lastEventID, limit: limit)
    }

    /// The id to continue after; empty for none.
    var lastEventID: String { decoder.lastEventID }

    /// Whether there is a connection to lose, or an attempt to make one.
    var hasConnection: Bool { state == .connecting || state == .open }

    /// A response came that has events.
    mutating func opened() {
        precondition(state == .connecting, "A stream opens when it is connecting")
        state = .open
        decoder = ServerSentEventDecoder(lastEventID: decoder.lastEventID, limit: decoder.limit)
        failures = 0
        isFruitless = true
    }

    /// Bytes of the connection came.
    mutating func append(_ chunk: [UInt8]) {
        precondition(state == .open, "Bytes come from an open stream")
        decoder.append(chunk)
    }

    /// The next event.
    mutating func next() throws(StreamDecodingError) -> ServerSentEvent? {
        guard state == .open else { return nil }
        let event = try decoder.next()
        // Bytes that are no event are not enough: a server that sends `retry: 0` and hangs up would be called in a loop.
        if event != nil { isFruitless = false }
        return event
    }

    /// The connection ended, or broke in a way that another one may mend; or there was none for such a reason.
    mutating func lost() {
        precondition(hasConnection, "There is no connection to lose")
        if state == .connecting { failures += 1 } else { wish = decoder.reconnectionTime ?? wish }
        state = .waiting(policy.delay(wish: wish, failures: failures, isFruitless: isFruitless))
    }

    /// The time to wait is over.
    mutating func waited() {
        guard case .waiting = state else { preconditionFailure("Nobody is waiting") }
        state = .connecting
    }

    /// The server wants no more connections, or there was an error that another one would not mend.
    mutating func close() {
        state = .closed
    }
}
