// SPDX-License-Identifier: Apache-2.0

internal import RepriseIO
internal import RepriseWire

/// HTTP/1.1 on one connection: performs what its ``ConnectionStateMachine`` decides. It owns the bytes, those that came
/// and those that are to be written.
final class HTTP1Session {
    let connection: Connection
    let worker: LoopState
    var machine: ConnectionStateMachine
    /// When the input that is being read came.
    var arrival = MonotonicTime(nanoseconds: 0)
    var input = InputBuffer()
    /// The request that is awaited, read or answered.
    var request: ServedRequest
    var playback = PlaybackInProgress()
    /// The answer that a source gives.
    var sourced: SourcedResponse?
    /// Whether requests are being read and answered now.
    var isReading = false

    /// The response that is being written.
    struct PlaybackInProgress {
        /// When the response's first step was due.
        var start = MonotonicTime(nanoseconds: 0)
        var timer: TimerToken?
        /// How much the peer had not got when that was last looked at, and how long until the next look.
        var undelivered = Int.max
        var deliveryPoll = HTTP1Session.firstDeliveryPoll
        /// The body file that is open.
        var file: (path: String, content: ReadOnlyFile)?
    }

    init(on connection: Connection) {
        self.connection = connection
        worker = connection.worker
        machine = ConnectionStateMachine(limits: worker.limits)
        request = ServedRequest(timeouts: worker.timeouts, awaitedFrom: worker.loop.now())
    }

    /// By when something must happen.
    var deadline: MonotonicTime? { request.deadline }

    // MARK: What the connection says

    /// Bytes came in.
    func receive(_ bytes: Span<UInt8>) {
        switch machine.phase {
        case .head, .body:
            arrival = worker.loop.now()
            // Whether a connection to another server still stands is found by reading from it, into the same buffer.
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

    /// The peer will send no more.
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

    /// There is room for output again.
    func becameWritable() {
        if machine.phase == .sourced { return flush() }
        // Within a pause there is nothing to write.
        if playback.timer == nil { resumePlayback() }
    }

    /// The ``deadline`` is past.
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

    /// The server stops: idle connections close now, a response in progress is finished, a silence is over.
    func stop() {
        switch machine.phase {
        case .head where input.isEmpty: connection.close()
        case .ended(.reset): connection.reset()
        case .ended: connection.close()
        case .head, .body, .sourced, .responding, .closed: break
        }
    }

    /// The connection is closed, by either side.
    func end() {
        request.abandon(in: worker)
        takeSourced()?.source.abandon()
        if let timer = playback.timer { worker.loop.cancel(timer) }
        playback = PlaybackInProgress()
        input.removeAll()
        machine.close()
    }
}

extension HTTP1Session: TimerTarget {
    func timerFired(_ token: TimerToken) {
        playback.timer = nil
        if machine.phase == .ended(.reset) { resetWhenDelivered() } else { resumePlayback() }
    }

    /// Goes on with the response, and with the requests that waited for its end.
    func resumePlayback() {
        guard machine.phase == .responding else { return }
        continuePlayback()
        arrival = worker.loop.now()
        readPending()
    }
}
