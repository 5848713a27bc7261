// SPDX-License-Identifier: Apache-2.0

internal import RepriseIO

extension Connection: SocketHandler {
    func socket(_ socket: Socket, received bytes: Span<UInt8>) {
        switch machine.phase {
        case .head, .body:
            arrival = worker.loop.now()
            // Whether a connection to another server still stands is found by reading from it, into the same buffer.
            if pending.isEmpty, worker.upstream == nil {
                let consumed = read(bytes)
                if consumed < bytes.count { pending.append(copying: bytes.extracting(consumed..<bytes.count)) }
            } else {
                pending.append(copying: bytes)
                readPending()
            }
        case .forwarding where machine.wantsInput:
            pending.append(copying: bytes)
            readPending()
        case .responding, .forwarding:
            pending.append(copying: bytes)
            if pending.count > Self.pendingLimit { socket.stopReading() }
        case .lingering, .silent, .resetting, .closed:
            break
        }
    }

    func socketReachedEnd(_ socket: Socket) {
        hasPeerFinished = true
        // A client may close its side after its last request and still read the answer.
        switch machine.phase {
        case .responding:
            if playback.timer != nil { deadline = worker.loop.now().advanced(byNanoseconds: worker.timeouts.idle) }
        case .forwarding: peerFinishedWhileForwarding()
        case .resetting: break
        case .head, .body, .lingering, .silent, .closed: close()
        }
    }

    func socketIsWritable(_ socket: Socket) {
        if machine.phase == .forwarding { return flushForwarded() }
        // Within a pause there is nothing to write.
        if playback.timer == nil { resumePlayback() }
    }

    func socket(_ socket: Socket, failed error: SystemError) {
        close()
    }

    func socket(_ socket: Socket, failed error: TLSError) {
        if !socket.isSecured { worker.reportHandshake(error) }
        close()
    }
}

extension Connection: TimerTarget {
    func timerFired(_ token: TimerToken) {
        playback.timer = nil
        if machine.phase == .resetting { resetWhenDelivered() } else { resumePlayback() }
    }

    /// Goes on with the response, and with the requests that waited for its end.
    func resumePlayback() {
        guard machine.phase == .responding else { return }
        continuePlayback()
        arrival = worker.loop.now()
        readPending()
    }
}

extension Connection: Sweepable {
    func deadlinePassed() {
        switch machine.phase {
        case .head where !machine.hasStartedHead:
            close()
        case .head, .body:
            arrival = worker.loop.now()
            let input = pending[...]
            refuse(with: .tooSlow, input: input.span)
        case .forwarding where machine.wantsInput && forwarding?.hasResponse == false:
            refuse(with: .tooSlow, input: Span())
        case .resetting:
            reset()
        case .forwarding, .responding, .lingering, .silent, .closed:
            close()
        }
    }
}
