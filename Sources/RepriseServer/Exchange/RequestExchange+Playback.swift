// SPDX-License-Identifier: Apache-2.0

internal import RepriseIO
internal import RepriseText

extension RequestExchange {
    /// The number of bytes that one exchange may send before others take their turn.
    private static let turn = 1 << 20
    /// The number of bytes of a file to send in one system call.
    private static let filePiece = 64 << 10

    /// Plays a response from now on.
    func play(_ response: EncodedResponse) {
        playback.start = arrival
        playback.response = ResponsePlayback(response)
        continuePlayback()
    }

    /// Plays the rest of a response when the session has room for it.
    func playRest(_ response: EncodedResponse) {
        playback.response = ResponsePlayback(response)
        request.limit(to: worker.timeouts.write, from: arrival)
    }

    /// Continues when there is room for output again.
    func becameWritable() {
        if let sourced { return sourced.flush() }
        // During a pause there is nothing to write. A recorded response waits for the end of the turn.
        if playback.timer == nil, !playback.awaitsEndOfTurn { resumePlayback() }
    }

    /// Continues the response, and then what waited for its end.
    func resumePlayback() {
        guard playback.response != nil else { return }
        continuePlayback()
        writer?.exchangeAdvanced()
    }

    /// Writes everything that is due. Returns when all is written, when the client accepts no more, or when a pause
    /// begins.
    private func continuePlayback() {
        request.limit(to: worker.timeouts.write, from: worker.loop.now())
        do {
            var budget = Self.turn
            while try performNext(&budget) {}
        } catch let error as SystemError where error.isConnectionLost {
            connection.close()
        } catch {
            worker.report(error)
            // A truncated body must not look complete.
            writer?.fail()
        }
    }

    /// Performs one step. Returns `false` if the rest must wait.
    private func performNext(_ budget: inout Int) throws -> Bool {
        switch playback.response?.next() {
        case .sendHead(let head, let content)?:
            let content = content.prefix(Self.turn)
            return spend(try writer?.send(head: head, then: content), of: head.count + content.count, &budget)
        case .send(let content)?:
            let content = content.prefix(Self.turn)
            return spend(try writer?.send(content), of: content.count, &budget)
        case .sendFile(let source, let offset)?:
            guard let file = playback.files[source.path] else {
                preconditionFailure("files are opened before the head")
            }
            let count = min(source.size - offset, Self.filePiece)
            return spend(try writer?.send(file, from: source.offset + offset, count: count), of: count, &budget)
        case .wait(let offset)?:
            return wait(until: playback.start.advanced(byNanoseconds: offset))
        case .end(let end)?:
            playback.response = nil
            switch end {
            case .keepAlive, .close, .truncated, .handOver: complete()
            case .reset, .stall: abandon()
            }
            writer?.finish(end)
            return false
        case nil:
            return false
        }
    }

    /// Ends the exchange's turn when its budget is spent, so that a fast reader cannot starve others.
    private func spend(_ sent: Int?, of count: Int, _ budget: inout Int) -> Bool {
        let sent = sent ?? 0
        playback.response?.didSend(sent)
        guard sent == count else { return false }
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
}

extension RequestExchange: TimerTarget {
    func timerFired(_ token: TimerToken) {
        playback.timer = nil
        resumePlayback()
    }
}

extension RequestExchange: LoopWork {
    /// Writes the end of a response whose exchange had to be recorded first.
    func run() {
        guard playback.awaitsEndOfTurn else { return }
        playback.awaitsEndOfTurn = false
        resumePlayback()
    }
}
