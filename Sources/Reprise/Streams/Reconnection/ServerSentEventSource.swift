// SPDX-License-Identifier: Apache-2.0

/// A sequence of server-sent events that reconnects whenever the stream ends or breaks, like a browser's `EventSource`
/// (WHATWG HTML section 9.2).
///
/// ```swift
/// let source = ServerSentEventSource { lastEventID in
///     try await open(path, lastEventID)  // the body of a 200 with text/event-stream, nil for a 204
/// }
/// for try await event in source { show(event) }
/// ```
///
/// The sequence ends when the server answers 204. It throws errors that reconnecting would not resolve. Leaving the
/// loop or canceling the task ends the connection or the wait immediately.
public struct ServerSentEventSource<Base: AsyncSequence>: AsyncSequence, Sendable where Base.Element == [UInt8] {
    /// An event.
    public typealias Element = ServerSentEvent

    private let initial: EventReconnection
    private let clock: any Clock<Duration>
    private let shouldReconnect: @Sendable (any Error) -> Bool
    private let onState: @Sendable (EventConnectionState) -> Void
    private let connect: @Sendable (_ lastEventID: String?) async throws -> Base?
    /// A closure that converts errors before they are thrown, or nil to throw them unchanged.
    private var translation: (@Sendable (any Error) -> any Error)?

    /// Creates a source of events.
    ///
    /// - Parameters:
    ///   - policy: The waits before each connection after the first.
    ///   - lastEventID: The ID to continue after, if there is one from an earlier stream.
    ///   - maxEventLength: The maximum length in bytes of a line, and of the data of one event. Anything longer throws
    ///     a ``StreamDecodingError``.
    ///   - clock: The clock for the waits.
    ///   - shouldReconnect: Whether reconnecting may resolve an error. By default, this is true if the connection to
    ///     the host failed.
    ///   - onState: A closure that is called with each new state, in order.
    ///   - connect: A closure that makes a connection. It sends the ID, if there is one, as `Last-Event-ID`. It
    ///     returns the chunks of a body with events, or nil if the server answers 204 because it wants no more
    ///     connections. It throws an error for any other status or content type.
    public init(
        policy: EventReconnectionPolicy = EventReconnectionPolicy(),
        lastEventID: String? = nil,
        maxEventLength: Int = LineDecoder.defaultMaxLineLength,
        clock: any Clock<Duration> = ContinuousClock(),
        shouldReconnect: @escaping @Sendable (any Error) -> Bool = EventReconnectionPolicy.isConnectivity,
        onState: @escaping @Sendable (EventConnectionState) -> Void = { _ in },
        connect: @escaping @Sendable (_ lastEventID: String?) async throws -> Base?
    ) {
        initial = EventReconnection(policy: policy, lastEventID: lastEventID ?? "", maxEventLength: maxEventLength)
        self.clock = clock
        self.shouldReconnect = shouldReconnect
        self.onState = onState
        self.connect = connect
    }

    /// Creates an iterator, which connects when the first event is requested.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(self)
    }

    func translating(_ translation: @escaping @Sendable (any Error) -> any Error) -> Self {
        var source = self
        source.translation = translation
        return source
    }

    /// An iterator over the events. Releasing it ends the connection.
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

        /// Returns the next event, or nil when the server wants no more connections.
        ///
        /// - Throws: An error from `connect` or a body that reconnecting would not resolve, ``StreamDecodingError``,
        ///   or `CancellationError` during a wait.
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

        // See DecodedStream for why this method is implemented.
        /// Returns the next event, or nil when the server wants no more connections.
        ///
        /// - Throws: An error from `connect` or a body that reconnecting would not resolve, ``StreamDecodingError``,
        ///   or `CancellationError` during a wait.
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

        /// Connects, or waits before connecting.
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

    /// Reports new states, and reports `closed` when it is released with the iterator.
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
