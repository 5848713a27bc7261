// SPDX-License-Identifier: Apache-2.0

/// The events of a server that is connected again whenever the stream ends or breaks, as a browser's `EventSource` does
/// it (WHATWG HTML section 9.2).
///
/// ```swift
/// let source = ServerSentEventSource { lastEventID in
///     try await open(path, lastEventID)  // the body of a 200 with text/event-stream, nil for a 204
/// }
/// for try await event in source { show(event) }
/// ```
///
/// It ends when the server answers 204, and throws what reconnecting would not mend. Leaving the loop, or cancelling
/// the task, ends the connection or the wait at once.
public struct ServerSentEventSource<Base: AsyncSequence>: AsyncSequence, Sendable where Base.Element == [UInt8] {
    /// An event.
    public typealias Element = ServerSentEvent

    private let initial: EventReconnection
    private let clock: any Clock<Duration>
    private let shouldReconnect: @Sendable (any Error) -> Bool
    private let onState: @Sendable (EventConnectionState) -> Void
    private let connect: @Sendable (_ lastEventID: String?) async throws -> Base?
    /// What is thrown for an error; nil for the error itself.
    private var translation: (@Sendable (any Error) -> any Error)?

    /// Events over as many connections as it takes.
    ///
    /// - Parameters:
    ///   - policy: how long to wait before each connection but the first.
    ///   - lastEventID: the id to continue after, if there is one from before.
    ///   - limit: how long a line, and the data of one event, may be, in bytes; what is longer is a
    ///     ``StreamDecodingError``.
    ///   - clock: what the waits are measured by.
    ///   - shouldReconnect: whether another connection may mend an error; the way to the host is what failed, unless
    ///     something else is said.
    ///   - onState: told of each new state, in order.
    ///   - connect: makes a connection: sends the id, if there is one, as `Last-Event-ID`, and returns the chunks of a
    ///     body that has events; nil if the server answers 204 and so wants no more connections. For any other status
    ///     or content type it throws.
    public init(
        policy: EventReconnectionPolicy = EventReconnectionPolicy(),
        lastEventID: String? = nil,
        limit: Int = LineDecoder.defaultLimit,
        clock: any Clock<Duration> = ContinuousClock(),
        shouldReconnect: @escaping @Sendable (any Error) -> Bool = EventReconnectionPolicy.isConnectivity,
        onState: @escaping @Sendable (EventConnectionState) -> Void = { _ in },
        connect: @escaping @Sendable (_ lastEventID: String?) async throws -> Base?
    ) {
        initial = EventReconnection(policy: policy, lastEventID: lastEventID ?? "", limit: limit)
        self.clock = clock
        self.shouldReconnect = shouldReconnect
        self.onState = onState
        self.connect = connect
    }

    /// Starts anew: connects when the first event is asked for.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(self)
    }

    /// The same, with `translation` between what fails and who reads.
    func translating(_ translation: @escaping @Sendable (any Error) -> any Error) -> Self {
        var source = self
        source.translation = translation
        return source
    }

    /// Iterates over the events. Dropped, it ends the connection.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private let source: ServerSentEventSource
        private let observation: Observation
        private var reconnection: EventReconnection
        private var base: Base.AsyncIterator?

        init(_ source: ServerSentEventSource) {
            self.source = source
            observation = Observation(source.onState)
            reconnection = source.initial
        }

        /// The next event; nil when the server wants no more connections.
        ///
        /// - Throws: what `connect` or a body throws and another connection would not mend, ``StreamDecodingError``,
        ///   and `CancellationError` while it waits.
        @concurrent
        public mutating func next() async throws -> ServerSentEvent? {
            while true {
                if let event = try nextDecoded() { return event }
                if reconnection.state == .closed { return nil }
                do {
                    if reconnection.state == .open { take(try await base?.next()) } else { try await advance() }
                } catch {
                    try lose(error)
                }
            }
        }

        // Why it is here: see DecodedStream.
        /// The next event; nil when the server wants no more connections.
        ///
        /// - Throws: what `connect` or a body throws and another connection would not mend, ``StreamDecodingError``,
        ///   and `CancellationError` while it waits.
        @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
        public mutating func next(isolation actor: isolated (any Actor)?) async throws -> ServerSentEvent? {
            while true {
                if let event = try nextDecoded() { return event }
                if reconnection.state == .closed { return nil }
                do {
                    if reconnection.state == .open {
                        take(try await base?.next(isolation: actor))
                    } else {
                        try await advance()
                    }
                } catch {
                    try lose(error)
                }
            }
        }

        /// Connects, or waits to.
        private mutating func advance() async throws {
            observation.state = reconnection.state
            if case .waiting(let delay) = reconnection.state {
                try await source.clock.sleep(for: delay)
                reconnection.waited()
                return
            }
            let id = reconnection.lastEventID
            if let body = try await source.connect(id.isEmpty ? nil : id) {
                base = body.makeAsyncIterator()
                reconnection.opened()
            } else {
                reconnection.close()
            }
            observation.state = reconnection.state
        }

        private mutating func nextDecoded() throws -> ServerSentEvent? {
            do {
                return try reconnection.next()
            } catch {
                throw close(error)
            }
        }

        private mutating func take(_ chunk: [UInt8]?) {
            if let chunk {
                reconnection.append(chunk)
            } else {
                base = nil
                reconnection.lost()
            }
        }

        private mutating func lose(_ error: any Error) throws {
            let isCancelled = error is CancellationError || Task.isCancelled
            guard reconnection.hasConnection, !isCancelled, source.shouldReconnect(error) else { throw close(error) }
            base = nil
            reconnection.lost()
        }

        private mutating func close(_ error: any Error) -> any Error {
            base = nil
            reconnection.close()
            observation.state = .closed
            return source.translation?(error) ?? error
        }
    }

    /// Tells of new states, and that it is closed when nobody reads any more.
    private final class Observation {
        private let onState: @Sendable (EventConnectionState) -> Void
        var state: EventConnectionState? {
            didSet { if let state, state != oldValue { onState(state) } }
        }

        init(_ onState: @escaping @Sendable (EventConnectionState) -> Void) {
            self.onState = onState
        }

        deinit {
            if let state, state != .closed { onState(.closed) }
        }
    }
}
