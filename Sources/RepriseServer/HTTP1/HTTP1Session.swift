// SPDX-License-Identifier: Apache-2.0

internal import RepriseIO
internal import RepriseText
internal import RepriseWire

/// HTTP/1.1 on one connection. Performs what its ``ConnectionStateMachine`` decides, and owns the input and output
/// bytes.
final class HTTP1Session {
    let connection: Connection
    let worker: LoopState
    // The values below that are not checked for exclusive access are used only on the loop's thread. Neither their
    // mutating methods nor the closures passed to those reach this object again. The checks took a tenth of the
    // instructions of a forwarded request.
    @safe @exclusivity(unchecked) var machine: ConnectionStateMachine
    /// The time at which the input being read arrived.
    var arrival = MonotonicTime(nanoseconds: 0)
    @safe @exclusivity(unchecked) var input = InputBuffer()
    /// The request that is awaited, being read, or being answered.
    var request: ServedRequest
    @safe @exclusivity(unchecked) var playback = PlaybackInProgress()
    /// A source's answer in progress, if any.
    @safe @exclusivity(unchecked) var sourced: SourcedResponse?
    /// Whether ``read(_:)`` is on the call stack.
    var isReading = false

    /// The response that is being written.
    struct PlaybackInProgress {
        /// The time at which the response's first step was due.
        var start = MonotonicTime(nanoseconds: 0)
        var timer: TimerToken?
        /// Whether the response is written at the end of the loop's turn.
        var awaitsEndOfTurn = false
        /// The undelivered byte count at the last check, and the time until the next check.
        var undelivered = Int.max
        var deliveryPoll = HTTP1Session.firstDeliveryPoll
        /// Whether the client sends nothing after the request, because it asked to close the connection.
        var clientCloses = false
        /// The files that the response reads.
        var files: [String: ReadOnlyFile] = [:]
    }

    init(on connection: Connection) {
        self.connection = connection
        worker = connection.worker
        machine = ConnectionStateMachine(limits: worker.limits)
        request = ServedRequest(timeouts: worker.timeouts, awaitedFrom: worker.loop.now())
        request.route = SessionRoute(door: connection.door)
    }

    /// The time by which the session must make progress.
    var deadline: MonotonicTime? { request.deadline }

    // MARK: Calls from the connection

    /// Limits the time for the TLS handshake.
    func handshakeBegins() {
        request.limit(to: worker.timeouts.head, from: worker.loop.now())
    }

    /// Starts waiting for the first request after the TLS handshake.
    func handshakeEnded() {
        request.limit(to: worker.timeouts.idle, from: worker.loop.now())
    }

    /// Answers a client that sent plain HTTP instead of starting a TLS handshake.
    ///
    /// - Parameter start: The start of what the client sent.
    func refusePlainHTTP(_ start: [UInt8]) {
        arrival = worker.loop.now()
        refuse(with: .plainHTTP, input: start.span)
    }

    /// Handles received bytes.
    func receive(_ bytes: Span<UInt8>) {
        switch machine.phase {
        case .head, .body:
            arrival = worker.loop.now()
            // Checking whether a pooled upstream connection is still open reads from it, into the same buffer.
            if input.isEmpty, !worker.readsWhileAnswering {
                let consumed = read(bytes)
                if consumed < bytes.count { input.append(bytes.extracting(consumed..<bytes.count)) }
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
        case .ended, .closed:
            break
        }
    }

    /// Handles the end of the peer's output.
    func peerFinished() {
        // A client may close its side after its last request and still read the answer.
        switch machine.phase {
        case .responding:
            if playback.timer != nil { request.limit(to: worker.timeouts.idle, from: worker.loop.now()) }
        case .sourced: peerFinishedBeforeSource()
        case .ended(.reset): break
        case .head, .body, .ended, .closed: connection.close()
        }
    }

    /// Continues writing when the socket has room again.
    func becameWritable() {
        if machine.phase == .sourced { return flush() }
        // During a pause there is nothing to write. A recorded response waits for the end of the turn.
        if playback.timer == nil, !playback.awaitsEndOfTurn { resumePlayback() }
    }

    /// Handles a ``deadline`` that has passed.
    func deadlinePassed() {
        switch machine.phase {
        case .head where !machine.hasStartedHead:
            connection.close()
        case .head, .body:
            arrival = worker.loop.now()
            let waiting = input.all
            refuse(with: .tooSlow, input: waiting.span)
        case .sourced where machine.wantsInput && sourced?.framing == nil:
            refuse(with: .tooSlow, input: Span())
        case .ended(.reset):
            connection.reset()
        case .sourced, .responding, .ended, .closed:
            connection.close()
        }
    }

    /// Prepares for the server's shutdown: closes a connection that is idle, or that sends nothing because the recorded
    /// response timed out. A response in progress is finished, and so is one to a request that has already arrived.
    func stop() {
        if machine.phase == .head { connection.socket?.readAvailable() }
        switch machine.phase {
        case .head where input.isEmpty: connection.close()
        case .ended(.reset): connection.reset()
        case .ended: connection.close()
        case .responding: machine.closeAfterResponse()
        case .sourced: stopSource()
        case .head, .body, .closed: break
        }
    }

    /// Lets a source end an endless answer, and closes the connection after it.
    private func stopSource() {
        sourced?.source.serverIsStopping()
        if machine.phase == .head, input.isEmpty {
            connection.close()
        } else if machine.phase == .responding {
            machine.closeAfterResponse()
        }
    }

    /// Releases everything once the connection is closed, by either side.
    func end() {
        let source = takeSourcedResponse()?.source
        request.abandon(in: worker)
        source?.abandon()
        if let timer = playback.timer { worker.loop.cancel(timer) }
        playback = PlaybackInProgress()
        input.removeAll()
        machine.close()
    }
}

extension HTTP1Session: LoopWork {
    /// Writes the end of a response whose exchange had to be recorded first.
    func run() {
        guard playback.awaitsEndOfTurn else { return }
        playback.awaitsEndOfTurn = false
        resumePlayback()
    }
}

extension HTTP1Session: TimerTarget {
    func timerFired(_ token: TimerToken) {
        playback.timer = nil
        if machine.phase == .ended(.reset) { resetWhenDelivered() } else { resumePlayback() }
    }

    /// Continues the response, and then the requests that waited for its end.
    func resumePlayback() {
        guard machine.phase == .responding else { return }
        continuePlayback()
        arrival = worker.loop.now()
        readPending()
    }
}
