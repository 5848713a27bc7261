// SPDX-License-Identifier: Apache-2.0

internal import RepriseIO
internal import RepriseText

extension HTTP1Session {
    /// The number of bytes that one connection may send before other connections take their turn.
    private static let turn = 1 << 20
    /// The number of bytes of a file to send in one system call.
    private static let filePiece = 64 << 10

    /// Writes everything that is due. Returns when all is written, when the socket accepts no more, or when a pause
    /// begins.
    func continuePlayback() {
        request.limit(to: worker.timeouts.write, from: worker.loop.now())
        do {
            var budget = Self.turn
            while machine.phase == .responding, try performNextOutput(&budget) {}
        } catch let error as SystemError where error.isConnectionLost {
            connection.close()
        } catch {
            worker.report(error)
            // A truncated body must not look complete.
            connection.reset()
        }
    }

    /// Performs one step. Returns `false` if the rest must wait.
    private func performNextOutput(_ budget: inout Int) throws -> Bool {
        switch machine.nextOutput() {
        case .send(let bytes, let more):
            return try send(bytes, then: more, &budget)
        case .sendFile(let source, let offset):
            return try send(source, from: offset, &budget)
        case .wait(let offset):
            return wait(until: playback.start.advanced(byNanoseconds: offset))
        case .end(let end):
            finish(end)
            return false
        }
    }

    /// Ends the response after its last step.
    private func finish(_ end: WireScript.End) {
        switch end {
        case .keepAlive:
            finishRequest()
            guard worker.isStopping else { return }
            machine.drain()
            closeAfterDraining()
        case .close:
            finishRequest()
            closeAfterDraining()
        case .reset:
            abandonRequest()
            ignoreInput()
            request.limit(to: worker.timeouts.delivery, from: worker.loop.now())
            resetWhenDelivered()
        case .stall:
            abandonRequest()
            ignoreInput()
            request.removeLimit()
            if worker.isStopping || connection.hasPeerFinished { connection.close() }
        }
    }

    /// Resets the connection once the peer has received everything before the recorded reset, because the system
    /// discards queued output on a reset. If the peer stops reading, the connection is reset anyway.
    func resetWhenDelivered() {
        guard let socket = connection.socket, socket.undeliveredCount > 0 else { return connection.reset() }
        let now = worker.loop.now()
        if socket.undeliveredCount < playback.undelivered {
            request.limit(to: worker.timeouts.delivery, from: now)
            playback.deliveryPoll = Self.firstDeliveryPoll
        }
        playback.undelivered = socket.undeliveredCount
        playback.timer = worker.loop.schedule(self, at: now.advanced(byNanoseconds: playback.deliveryPoll))
        playback.deliveryPoll = min(playback.deliveryPoll * 2, Self.lastDeliveryPoll)
    }

    /// The shortest and the longest interval between checks of whether the peer has received everything, because the
    /// system has no event for that. The interval is short while the peer keeps reading, and doubles while it does not.
    static let firstDeliveryPoll: UInt64 = 1_000_000
    private static let lastDeliveryPoll: UInt64 = 50_000_000

    private func send(_ bytes: ArraySlice<UInt8>, then more: ArraySlice<UInt8>, _ budget: inout Int) throws -> Bool {
        let (first, second) = (bytes.prefix(Self.turn), more.prefix(Self.turn))
        let sent = try connection.socket?.send(first.span, then: second.span) ?? 0
        machine.didSend(sent)
        guard sent == first.count + second.count else { return false }
        return spend(sent, &budget)
    }

    private func send(_ source: FileSource, from offset: Int, _ budget: inout Int) throws -> Bool {
        guard let file = playback.files[source.path] else { preconditionFailure("files are opened before the head") }
        let count = min(source.size - offset, Self.filePiece)
        let sent = try connection.socket?.send(file: file, offset: source.offset + offset, count: count) ?? 0
        machine.didSend(sent)
        guard sent == count else { return false }
        return spend(sent, &budget)
    }

    /// Ends this connection's turn when its budget is spent, so that a fast reader cannot starve other connections.
    private func spend(_ sent: Int, _ budget: inout Int) -> Bool {
        budget -= sent
        if budget > 0 { return true }
        playback.timer = worker.loop.schedule(self, at: worker.loop.now())
        return false
    }

    private func wait(until due: MonotonicTime) -> Bool {
        let now = worker.loop.now()
        if due <= now { return true }
        // A peer that closed its side may no longer be reading, so the idle timeout limits the pause.
        if connection.hasPeerFinished {
            request.limit(to: worker.timeouts.idle, from: now)
        } else {
            request.removeLimit()
        }
        playback.timer = worker.loop.schedule(self, at: due)
        return false
    }

    // MARK: Ending

    /// Closes the write side and discards further input. Closing immediately with unread input would make the system
    /// send a reset that can overtake the response (RFC 9112 section 9.6).
    func closeAfterDraining() {
        // The system sends a reset only if there is unread input, and a reset does no harm after the response has been
        // delivered. A client that asked to close rarely sends more, and a server that is stopping need not wait for
        // it.
        let isInputComplete =
            playback.clientCloses && connection.socket?.hasUnreadInput == false
            && connection.socket?.undeliveredCount == 0
        if connection.hasPeerFinished || isInputComplete || (worker.isStopping && input.isEmpty) {
            return connection.close()
        }
        input.removeAll()
        connection.socket?.finishWriting()
        connection.socket?.startReading()
        request.limit(to: worker.timeouts.draining, from: worker.loop.now())
    }

    /// Discards input, but keeps reading to notice when the peer closes.
    private func ignoreInput() {
        input.removeAll()
        if !connection.hasPeerFinished { connection.socket?.startReading() }
    }
}
