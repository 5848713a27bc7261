// SPDX-License-Identifier: Apache-2.0

internal import RepriseIO
internal import RepriseText
internal import RepriseWire

/// HTTP/1.1 on one connection: reads requests as its ``ConnectionStateMachine`` decides, and writes the answers of its
/// exchange.
final class HTTP1Session: ConnectionSession {
    let connection: Connection
    let worker: LoopState
    // See RequestExchange on the values that are not checked for exclusive access.
    @safe @exclusivity(unchecked) var machine: ConnectionStateMachine
    @safe @exclusivity(unchecked) var input = InputBuffer()
    /// The answer of a source, as it is written.
    @safe @exclusivity(unchecked) var output = SourceOutput()
    /// The exchange, which is used for one request after the other.
    let exchange: RequestExchange
    /// Whether ``read(_:)`` is on the call stack.
    var isReading = false
    /// Whether the client sends nothing after the request, because it asked to close the connection.
    var clientCloses = false
    /// Makes the session that continues after the response.
    var successor: ((Connection) -> any ConnectionSession)?
    private var delivery = Delivery()

    /// Whether the peer has received what was sent before a reset.
    private struct Delivery {
        var timer: TimerToken?
        /// The undelivered byte count at the last check, and the time until the next check.
        var undelivered = Int.max
        var poll = HTTP1Session.firstDeliveryPoll
    }

    init(on connection: Connection) {
        self.connection = connection
        worker = connection.worker
        machine = ConnectionStateMachine(limits: worker.limits)
        exchange = RequestExchange(on: connection)
        exchange.writer = self
    }

    var deadline: MonotonicTime? { exchange.deadline }

    // MARK: Calls from the connection

    func start() {}

    /// Answers a client that sent plain HTTP instead of starting a TLS handshake.
    ///
    /// - Parameter start: The start of what the client sent.
    func refusePlainHTTP(_ start: [UInt8]) {
        exchange.arrival = worker.loop.now()
        refuse(with: .plainHTTP, input: start.span)
    }

    func receive(_ bytes: Span<UInt8>) {
        switch machine.phase {
        case .head, .body:
            exchange.arrival = worker.loop.now()
            // Checking whether a pooled upstream connection is still open reads from it, into the same buffer.
            if input.isEmpty, !worker.readsWhileAnswering {
                let consumed = read(bytes)
                if consumed < bytes.count { input.append(bytes.extracting(consumed..<bytes.count)) }
                if machine.phase == .handedOver { giveWay() }
            } else {
                input.append(bytes)
                readPending()
            }
        case .sourced where machine.wantsInput:
            input.append(bytes)
            readPending()
        case .responding, .sourced:
            input.append(bytes)
            if input.isFull { connection.socket?.stopReading() }
        case .ended, .handedOver, .closed:
            break
        }
    }

    func peerFinished() {
        // A client may close its side after its last request and still read the answer.
        switch machine.phase {
        case .responding, .sourced: if !exchange.peerFinished() { connection.close() }
        case .ended(.reset), .handedOver: break
        case .head, .body, .ended, .closed: connection.close()
        }
    }

    func becameWritable() {
        if machine.phase == .sourced || machine.phase == .responding { exchange.becameWritable() }
    }

    func deadlinePassed() {
        switch machine.phase {
        case .head where !machine.hasStartedHead:
            connection.close()
        case .head, .body:
            exchange.arrival = worker.loop.now()
            let waiting = input.all
            refuse(with: .tooSlow, input: waiting.span)
        case .sourced where machine.wantsInput && exchange.sourced?.hasBegun == false:
            refuse(with: .tooSlow, input: Span())
        case .ended(.reset):
            connection.reset()
        case .sourced, .responding, .ended, .handedOver, .closed:
            connection.close()
        }
    }

    /// Closes a connection that is idle, or that sends nothing because the recorded response timed out. A response in
    /// progress is finished, and so is one to a request that has already arrived.
    func stop() {
        if machine.phase == .head { connection.socket?.readAvailable() }
        switch machine.phase {
        case .head where input.isEmpty: connection.close()
        case .ended(.reset): connection.reset()
        case .ended: connection.close()
        case .responding: closeAfterResponse()
        case .sourced:
            exchange.serverIsStopping()
            if machine.phase == .head, input.isEmpty {
                connection.close()
            } else if machine.phase == .responding {
                closeAfterResponse()
            }
        case .head, .body, .handedOver, .closed: break
        }
    }

    /// Lets the connection close after the response, if its head can still say so.
    private func closeAfterResponse() {
        exchange.playback.response?.editUnsent { $0.closeAfter() }
    }

    func end() {
        exchange.end()
        if let timer = delivery.timer { worker.loop.cancel(timer) }
        delivery = Delivery()
        output = SourceOutput()
        if let successor = successor.take() { successor(connection).end() }
        input.removeAll()
        machine.close()
    }

    /// Lets the session that was named in the answer continue.
    func giveWay() {
        guard let successor = successor.take() else { return }
        let rest = input.take()
        connection.handOver(to: successor(connection), unread: rest.span)
    }
}

// Resetting the connection once everything is delivered.
extension HTTP1Session: TimerTarget {
    func timerFired(_ token: TimerToken) {
        delivery.timer = nil
        if machine.phase == .ended(.reset) { resetWhenDelivered() }
    }

    /// Resets the connection once the peer has received everything before the recorded reset, because the system
    /// discards queued output on a reset. If the peer stops reading, the connection is reset anyway.
    func resetWhenDelivered() {
        guard let socket = connection.socket, socket.undeliveredCount > 0 else { return connection.reset() }
        let now = worker.loop.now()
        if socket.undeliveredCount < delivery.undelivered {
            exchange.request.limit(to: worker.timeouts.delivery, from: now)
            delivery.poll = Self.firstDeliveryPoll
        }
        delivery.undelivered = socket.undeliveredCount
        delivery.timer = worker.loop.schedule(self, at: now.advanced(byNanoseconds: delivery.poll))
        delivery.poll = min(delivery.poll * 2, Self.lastDeliveryPoll)
    }

    /// The shortest and the longest interval between checks of whether the peer has received everything, because the
    /// system has no event for that. The interval is short while the peer keeps reading, and doubles while it does not.
    private static let firstDeliveryPoll: UInt64 = 1_000_000
    private static let lastDeliveryPoll: UInt64 = 50_000_000
}

extension EncodedResponse {
    /// Closes the connection after the response, which says so.
    mutating func closeAfter() {
        guard end == .keepAlive else { return }
        head.removeKeepAliveLines()
        head.insert(contentsOf: "Connection: close\r\n".utf8, at: head.count - 2)
        end = .close
    }
}
