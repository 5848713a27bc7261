// SPDX-License-Identifier: Apache-2.0

internal import RepriseFixtures
internal import RepriseIO
internal import RepriseWire

/// One client's connection: performs what its ``ConnectionStateMachine`` decides. Lives on its loop's thread.
final class Connection {
    /// The absolute time by which the present phase must be over; swept, not timed.
    var deadline: MonotonicTime?
    /// The place in the loop's list of connections.
    var slot = 0

    let worker: LoopState
    /// `nil` once the connection is closed.
    var socket: Socket?
    var machine: ConnectionStateMachine
    /// When the input that is being read came.
    var arrival = MonotonicTime(nanoseconds: 0)
    /// Input that is not used up: a part of a request, or requests that wait for the one being answered.
    var pending: [UInt8] = []
    var hasPeerFinished = false
    /// Whether the deadline of the head being read is set: it is absolute, later bytes do not move it.
    var isHeadTimed = false
    var contentStart = MonotonicTime(nanoseconds: 0)
    /// The fixtures that a request must be answered from whose content is not kept.
    var contentState: ServingState?
    var request = RequestInProgress()
    var playback = PlaybackInProgress()
    /// The request that another server answers.
    var forwarding: Forwarding?

    /// The request that is being answered, for the journal and the log.
    struct RequestInProgress {
        var journalNumber = 0
        var received = MonotonicTime(nanoseconds: 0)
        var logLine: RequestLog.Line?
    }

    /// The response that is being written.
    struct PlaybackInProgress {
        /// When the response's first step was due.
        var start = MonotonicTime(nanoseconds: 0)
        var timer: TimerToken?
        /// How much the peer had not got when that was last looked at, and how long until the next look.
        var undelivered = Int.max
        var deliveryPoll = Connection.firstDeliveryPoll
        /// The body file that is open.
        var file: (path: String, content: ReadOnlyFile)?
    }

    /// How many bytes of requests may wait while one is answered.
    static let pendingLimit = 256 << 10
    static let continueResponse = Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)

    init(_ descriptor: consuming SocketDescriptor, worker: LoopState) throws(SystemError) {
        self.worker = worker
        machine = ConnectionStateMachine(limits: worker.limits)
        deadline = worker.loop.now().advanced(byNanoseconds: worker.timeouts.idle)
        socket = try Socket(descriptor, loop: worker.loop, handler: self)
    }

    /// Has the client prove that it speaks TLS, before anything is read.
    func secure(_ context: TLSContext) {
        do throws(TLSError) {
            try socket?.acceptTLS(context)
        } catch {
            worker.reportHandshake(error)
            close()
        }
    }

    // MARK: Ending

    /// Closes at once; what is in flight is lost.
    func close() {
        end { $0.close() }
    }

    /// Closes so that the peer sees a reset.
    func reset() {
        end { $0.reset() }
    }

    private func end(_ how: (Socket) -> Void) {
        guard let socket else { return }
        abandonRequest()
        self.socket = nil
        let abandoned = forwarding
        forwarding = nil
        abandoned?.abandon()
        if let timer = playback.timer { worker.loop.cancel(timer) }
        playback = PlaybackInProgress()
        pending = []
        deadline = nil
        machine.close()
        how(socket)
        worker.remove(self)
    }

    /// Closes the write side and throws the rest of the input away: closed at once, unread input would make the system
    /// send a reset that can overtake the response (RFC 9112 section 9.6).
    func closeAfterDraining() {
        // With nothing unread there is no reset to fear, and a server that stops need not wait for the peer.
        if hasPeerFinished || (worker.isStopping && pending.isEmpty) { return close() }
        pending = []
        socket?.finishWriting()
        socket?.startReading()
        deadline = worker.loop.now().advanced(byNanoseconds: worker.timeouts.draining)
    }

    /// Input has no meaning any more, but the peer's end is to be noticed.
    func ignoreInput() {
        pending = []
        if !hasPeerFinished { socket?.startReading() }
    }

    /// The server stops: idle connections close now, a response in progress is finished, a silence is over.
    func stop() {
        switch machine.phase {
        case .head where pending.isEmpty: close()
        case .silent, .lingering: close()
        case .resetting: reset()
        case .head, .body, .forwarding, .responding, .closed: break
        }
    }
}
