// SPDX-License-Identifier: Apache-2.0

/// The state machine of an event stream over several connections (WHATWG HTML sections 9.2.2 and 9.2.3), without the
/// connections themselves. Its input is what happens to the connections. Its output is events and the next state.
///
/// The state determines what to do next: connect, read, wait, or nothing. See ``EventConnectionState`` for the
/// transitions. Any other transition is a programming error.
struct EventReconnection: Sendable {
    let policy: EventReconnectionPolicy
    private(set) var state = EventConnectionState.connecting

    private var decoder: ServerSentEventDecoder
    private var wish: Duration?
    private var failures = 0
    private var isFruitless = true

    init(
        policy: EventReconnectionPolicy,
        lastEventID: String = "",
        maxEventLength: Int = LineDecoder.defaultMaxLineLength
    ) {
        self.policy = policy
        decoder = ServerSentEventDecoder(lastEventID: lastEventID, maxEventLength: maxEventLength)
    }

    /// The ID to continue after, or an empty string if there is none.
    var lastEventID: String { decoder.lastEventID }

    /// Whether there is a connection, or an attempt to make one.
    var hasConnection: Bool { state == .connecting || state == .open }

    mutating func opened() {
        precondition(state == .connecting, "A stream can open only while it is connecting")
        state = .open
        decoder = ServerSentEventDecoder(lastEventID: decoder.lastEventID, maxEventLength: decoder.maxEventLength)
        failures = 0
        isFruitless = true
    }

    /// Adds bytes that arrived over the connection.
    mutating func append(_ chunk: [UInt8]) {
        precondition(state == .open, "Bytes can arrive only while the stream is open")
        decoder.append(chunk)
    }

    mutating func next() throws(StreamDecodingError) -> ServerSentEvent? {
        guard state == .open else { return nil }
        let event = try decoder.next()
        // Only an event counts. Otherwise, the client would reconnect in a tight loop to a server that sends
        // `retry: 0` and closes the connection.
        if event != nil { isFruitless = false }
        return event
    }

    /// Records that the connection ended or failed, or could not be made, for a reason that reconnecting may resolve.
    mutating func lost() {
        precondition(hasConnection, "There is no connection to lose")
        if state == .connecting { failures += 1 } else { wish = decoder.reconnectionTime ?? wish }
        state = .waiting(policy.delay(wish: wish, failures: failures, isFruitless: isFruitless))
    }

    mutating func waited() {
        guard case .waiting = state else { preconditionFailure("The stream is not waiting") }
        state = .connecting
    }

    /// Records that the server wants no more connections, or that an error occurred that reconnecting would not
    /// resolve.
    mutating func close() {
        state = .closed
    }
}
